import DBus
import LocationCore
import LocationModel
import Platform
import ReceiverCore

/// This machine's compass, as iio-sensor-proxy has it. It is on the bus, and claims the compass, only
/// while it is open.
final class CompassSource: Source {
  private let place: BusPlace
  private let id: SourceID
  private let loop: EventLoop
  private let post: (Input) -> Void
  private var bus: BusConnection?
  private var subscription: BusSubscription?
  private var call: BusCall?
  /// Let go of, but kept until libdbus has returned from telling what made us do so.
  private var ended: BusConnection?
  private var cleaning: EventLoop.Later?

  private static let name = "net.hadess.SensorProxy"
  private static let path = "/net/hadess/SensorProxy/Compass"
  private static let interface = "net.hadess.SensorProxy.Compass"
  private static let properties = "org.freedesktop.DBus.Properties"

  init(
    at place: BusPlace, id: SourceID, on loop: EventLoop, post: @escaping (Input) -> Void
  ) {
    self.place = place
    self.id = id
    self.loop = loop
    self.post = post
  }

  func open(for _: SourceDemand) {
    do throws(SystemError) {
      cleaning = try EventLoop.Later(on: loop) { [unowned self] in ended = nil }
      let bus = try BusConnection(to: place, on: loop) { [unowned self] event in
        if case .down(let why) = event { post(.failed(id, "the bus: \(why)")) }
      }
      self.bus = bus
      try listen(on: bus)
    } catch {
      post(.failed(id, "\(error)"))
    }
  }

  private func listen(on bus: BusConnection) throws(SystemError) {
    let filter = BusSubscription.Filter(
      interface: Self.properties, path: Self.path, member: "PropertiesChanged")
    do throws(BusError) {
      subscription = try bus.listen(to: Self.name, filter) { [unowned self] in heed($0) }
    } catch {
      post(.failed(id, "\(error)"))
    }
  }

  /// With the connection goes the claim.
  func close() {
    call = nil
    subscription = nil
    ended = bus
    bus = nil
    cleaning?.set()
  }
}

// MARK: - What it says

extension CompassSource {
  private func heed(_ event: BusSubscription.Event) {
    switch event {
    // Asked for, it is started where it is not running; it is claimed again once it is there.
    case .owner: claim()
    case .signal(let signal):
      guard let arguments = try? signal.arguments(), arguments.count > 1,
        arguments[0].asString == Self.interface
      else { return }
      read(arguments[1])
    }
  }

  private func claim() {
    ask("ClaimCompass", of: Self.interface, []) { [unowned self] _ in
      ask("GetAll", of: Self.properties, [.string(Self.interface)]) { [unowned self] answer in
        guard let all = answer.first else { return }
        read(all)
      }
    }
  }

  private func ask(
    _ member: String, of interface: String, _ arguments: [BusValue],
    then: @escaping ([BusValue]) -> Void
  ) {
    guard let bus,
      let message = try? BusMessage(to: Self.name, Self.path, interface, member, arguments)
    else { return }
    call = bus.call(message) { [unowned self] answer in
      switch answer {
      case .success(let reply): then((try? reply.arguments()) ?? [])
      case .failure(let error): post(.failed(id, "iio-sensor-proxy: \(error.message)"))
      }
    }
  }

  private func read(_ properties: BusValue) {
    let properties = properties.asDictionary ?? [:]
    if let has = properties["HasCompass"]?.asBool {
      post(has ? .found(id) : .failed(id, "this machine has no compass"))
    }
    // Negative is not known.
    guard let degrees = properties["CompassHeading"]?.asDouble, (0...360).contains(degrees) else {
      return
    }
    // It says by how much it may be off nowhere, so neither do we.
    post(
      .reading(
        id,
        .heading(
          Heading(
            magneticHeading: degrees == 360 ? 0 : degrees,
            timestamp: Clock.utc))))
  }
}
