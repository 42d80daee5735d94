import LocationModel
import Testing

@testable import locationctl

@Suite("What watch has shown") struct ShownEventsTests {
  private func crossing(_ name: String) -> Event {
    .didEnterRegion(identifier: name, Timestamp(microseconds: 0))
  }

  @Test("an event that the daemon tells again is shown once")
  func again() {
    var shown = ShownEvents()
    let first = [shown.admits(1, crossing("a")), shown.admits(2, crossing("b"))]
    #expect(first == [true, true])
    let again = [shown.admits(1, crossing("a")), shown.admits(2, crossing("b"))]
    #expect(again == [false, false])
  }

  @Test("a daemon that has lost its memory begins with the first number again, and is heard")
  func anew() {
    var shown = ShownEvents()
    for number in 1...3 as ClosedRange<UInt64> { _ = shown.admits(number, crossing("a\(number)")) }
    let isShown = shown.admits(1, crossing("b"))
    #expect(isShown)
  }

  @Test("that a region is monitored is shown once, however often the daemon is asked")
  func started() {
    var shown = ShownEvents()
    let said = [0, 1].map { _ in shown.admits(.didStartMonitoring(identifier: "home")) }
    #expect(said == [true, false])
    let other = shown.admits(.didStartMonitoring(identifier: "office"))
    #expect(other)
  }
}

@Suite("Why no location comes yet") struct ObstacleWatchTests {
  @Test("is asked when a receiver that has just been opened has had time for a fix")
  func patience() {
    let obstacle = ObstacleWatch(at: 100)
    #expect(!obstacle.isDue(at: 101))
    #expect(obstacle.isDue(at: 102))
  }

  @Test("a pause is told again when it has got longer or shorter, and what follows it")
  func pause() {
    var obstacle = ObstacleWatch(at: 0)
    var status = Status(
      version: "1", services: [],
      client: ClientStatus(
        app: "user:ann", uid: 1000, pid: 7, name: nil, authorization: .denied, accuracy: .full))
    status.obstacle = "Location is paused."
    let hour = 3_600_000_000 as Int64
    // The third one is the second, reckoned a moment later.
    var told = [hour, hour, hour + 20_000, 3 * hour, 2 * hour].map { end in
      status.pause = PauseStatus(until: Timestamp(microseconds: end), seconds: 1)
      return obstacle.news(in: status) != nil && obstacle.isPaused
    }
    #expect(told == [true, false, false, true, true])
    (status.pause, status.obstacle) = (nil, "no receiver")
    told = [0, 1].map { _ in obstacle.news(in: status)?.hasPrefix("no receiver") == true }
    #expect(told == [true, false] && !obstacle.isPaused)
  }
}
