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
  func heed(_ demand: SourceDemand)
  /// How what it says fared; nil where nothing is read.
  var counters: ReceiverCounters? { get }
  /// For those who may look at sources.
  var details: SourceDetails { get }
}

extension Source {
  /// Most receivers say all they have, whatever is needed.
  func heed(_ demand: SourceDemand) {}
  var counters: ReceiverCounters? { nil }
  var details: SourceDetails { SourceDetails() }
}

func makeSource(
  _ url: SourceURL, id: SourceID, with resolver: Resolver, _ memory: SpeedMemory,
  _ bus: BusConnection?, on loop: EventLoop, post: @escaping (Input) -> Void
) throws(SystemError) -> any Source {
  switch url {
  case .replay(let recording): try ReplaySource(recording, id: id, on: loop, post: post)
  case .tty(let line):
    try TtySource(line, id: id, with: resolver, memory, bus, on: loop, post: post)
  case .stream(let place): try StreamSource(place, id: id, with: resolver, on: loop, post: post)
  case .datagrams(let place): try DatagramSource(place, id: id, on: loop, post: post)
  case .gpsd(let gpsd): try GpsdSource(gpsd, id: id, with: resolver, on: loop, post: post)
  case .compass(let bus): CompassSource(at: bus, id: id, on: loop, post: post)
  case .fixed(let place): try StaticSource(place, id: id, on: loop, post: post)
  }
}
