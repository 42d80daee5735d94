import DBus
import LocationCore
import LocationModel
import Platform
import ReceiverCore

/// This machine's compass, as iio-sensor-proxy has it. It is on the bus, and claims the compass, only
/// while it is open.
final class CompassSource: Source {
  private let place: BusPlace
  private let context: SourceContext
  private var bus: BusConnection?
  private var subscription: BusSubscription?
  private var call: BusCall?
  /// Let go of, but kept until libdbus has returned from telling what made us do so.
  private var ended: BusConnection?
  private var cleaning: EventLoop.Later?

  private static let name = "net.hadess.SensorProxy"
  private static let path = "/net/hadess/SensorProxy/Compass"
  private static let interface = "net.hadess.SensorProxy.Compass"

  init(
    at place: BusPlace, in context: SourceContext
  ) {
    self.place = place
    self.context = context
  }

  func open(for _: SourceDemand) {
    do throws(SystemError) {
      cleaning = try EventLoop.Later(on: context.loop) { [unowned self] in ended = nil }
      let bus = try BusConnection(to: place, on: context.loop) { [unowned self] event in
        if case .down(let why) = event { context.reportFailure("the bus: \(why)") }
      }
      self.bus = bus
      try listen(on: bus)
    } catch {
      context.reportFailure("\(error)")
    }
  }

  private func listen(on bus: BusConnection) throws(SystemError) {
    do throws(BusError) {
      subscription = try bus.listen(to: Self.name, .properties(at: Self.path)) {
        [unowned self] in
        switch $0 {
        // Asked for, it is started where it is not running; it is claimed again once it is there.
        case .owner: claim()
        case .signal(let signal): read(signal.changedProperties(of: Self.interface) ?? [:])
        }
      }
    } catch {
      context.reportFailure("\(error)")
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
  private func claim() {
    call = bus?.call(Self.name, Self.path, Self.interface, "ClaimCompass") { [unowned self] in
      if isThere($0) { askForAll() }
    }
  }

  private func askForAll() {
    call = bus?.properties(of: Self.interface, at: Self.path, by: Self.name) { [unowned self] in
      if isThere($0) { read((try? $0.get()) ?? [:]) }
    }
  }

  private func isThere<Answer>(_ answer: Result<Answer, BusError>) -> Bool {
    guard case .failure(let error) = answer else { return true }
    context.reportFailure("iio-sensor-proxy: \(error.message)")
    return false
  }

  private func read(_ properties: [String: BusValue]) {
    if let has = properties["HasCompass"]?.asBool {
      if has { context.reportFound() } else { context.reportFailure("this machine has no compass") }
    }
    // Negative is not known.
    guard let degrees = properties["CompassHeading"]?.asDouble, (0...360).contains(degrees) else {
      return
    }
    // It says by how much it may be off nowhere, so neither do we.
    context.report(
      .heading(Heading(magneticHeading: degrees == 360 ? 0 : degrees, timestamp: Clock.utc)))
  }
}
