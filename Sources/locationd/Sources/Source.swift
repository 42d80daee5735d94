import DBus
import LocationCore
import LocationModel
import Platform
import ReceiverCore

/// Where fixes come from. Closed, it holds nothing open and wakes nobody.
protocol Source: AnyObject {
  func open(for demand: SourceDemand)
  func close()
  /// The demand has changed while it is open.
  func update(_ demand: SourceDemand)
  /// A radio has a scan made.
  func scan()
  /// How what it says fared; nil where nothing is read.
  var counters: ReceiverCounters? { get }
  /// The source reads what locationd-share tells there: its fixes would be the daemon's own. A connection ends.
  func isLoop(_ way: WayBack) -> Bool
  /// For those who may look at sources.
  var details: SourceDetails { get }
  /// The daemon ends: the body is called once nothing is left changed, perhaps at once.
  func leave(_ body: @escaping () -> Void)
}

extension Source {
  /// Most receivers say all they have, whatever is needed.
  func update(_ demand: SourceDemand) {}
  func scan() {}
  var counters: ReceiverCounters? { nil }
  func isLoop(_ way: WayBack) -> Bool { false }
  var details: SourceDetails { SourceDetails() }
  func leave(_ body: @escaping () -> Void) { body() }
}

/// The daemon as one source has it.
struct SourceContext {
  let id: SourceID
  let loop: EventLoop
  let resolver: Resolver
  let post: (Input) -> Void

  func report(_ reading: Reading) { post(.reading(id, reading)) }
  func reportScanAnswer(isGranted: Bool) { post(.scanAnswered(id, isGranted: isGranted)) }
  func reportFound() { post(.found(id)) }
  func reportFailure(_ reason: String) { post(.failed(id, reason)) }
}

func makeSource(
  _ url: SourceURL, in context: SourceContext, _ memory: SpeedMemory, _ bus: BusConnection?,
  _ file: ModemFile
) throws(SystemError) -> any Source {
  switch url {
  case .replay(let recording): try ReplaySource(recording, in: context)
  case .tty(let line): try TtySource(line, in: context, memory, bus)
  case .stream(let place): try StreamSource(place, in: context)
  case .datagrams(let place): try DatagramSource(place, in: context)
  case .gpsd(let gpsd): try GpsdSource(gpsd, in: context)
  case .compass(let bus): CompassSource(at: bus, in: context)
  case .beacons: try BeaconSource(in: context, bus)
  case .wifi(let interface): WiFiSource(interface, in: context, bus)
  case .fixed(let place): try StaticSource(place, in: context)
  case .modem(let name): try ModemSource(name, in: context, memory, bus, file)
  }
}
