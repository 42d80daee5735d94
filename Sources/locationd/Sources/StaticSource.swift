import LocationCore
import LocationModel
import Platform
import ReceiverCore

/// A place that does not move, told once a second as a receiver would.
final class StaticSource: Source {
  private var location: Location
  private let context: SourceContext
  private var timer: EventLoop.Timer?

  init(_ place: SourceURL.Place, in context: SourceContext) throws(SystemError) {
    location = Location(
      coordinate: place.coordinate, horizontalAccuracy: place.accuracy, timestamp: Clock.utc)
    location.altitude = place.altitude
    self.context = context
    timer = try EventLoop.Timer(slack: .milliseconds(100), on: context.loop) { [unowned self] in
      say()
    }
  }

  func open(for _: SourceDemand) { say() }

  func close() { timer?.set(nil) }

  private func say() {
    location.timestamp = Clock.utc
    timer?.set(Clock.boottime + .seconds(1))
    context.report(.fix(Fix(location, kind: .manual)))
  }
}
