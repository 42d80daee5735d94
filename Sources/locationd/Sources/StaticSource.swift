import LocationCore
import LocationModel
import Platform
import ReceiverCore

/// A place that does not move, told once a second as a receiver would.
final class StaticSource: Source {
  private let place: SourceURL.Place
  private let id: SourceID
  private let post: (Input) -> Void
  private var timer: EventLoop.Timer?

  init(
    _ place: SourceURL.Place, id: SourceID, on loop: EventLoop, post: @escaping (Input) -> Void
  ) throws(SystemError) {
    self.place = place
    self.id = id
    self.post = post
    timer = try EventLoop.Timer(slack: .milliseconds(100), on: loop) { [unowned self] in say() }
  }

  func open(for _: SourceDemand) { say() }

  func close() { timer?.set(nil) }

  private func say() {
    var location = Location(
      coordinate: place.coordinate, horizontalAccuracy: place.accuracy,
      timestamp: Clock.utc)
    location.altitude = place.altitude
    timer?.set(Clock.boottime + .seconds(1))
    post(.reading(id, .fix(Fix(location, kind: .manual))))
  }
}
