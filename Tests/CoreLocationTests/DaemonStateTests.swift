import LocationClient
import LocationModel
import Testing

@testable import CoreLocation

private func crossing(_ name: String) -> Event {
  .didEnterRegion(identifier: name, Timestamp(microseconds: 0))
}

private func region(_ name: String) -> Region {
  Region(identifier: name, .circle(Coordinate(latitude: 45, longitude: 7), radius: 100))
}

@Suite("State of the daemon's connection") struct DaemonStateTests {
  /// The names of what subscriptions are told, in order.
  private final class Told: Sendable {
    let words = Guarded<[String]>([])
    func add(_ word: String) { words.withLock { $0.append(word) } }
    var all: [String] { words.withLock { $0 } }
  }

  private func subscription(
    _ kind: Subscription.Kind, _ change: (inout Subscription) -> Void = { _ in }
  ) -> Subscription {
    var subscription = Subscription(kind) { _ in }
    change(&subscription)
    return subscription
  }

  @Test("an event goes to listening managers, and to the monitor that its region is of")
  func recipients() {
    var state = DaemonState()
    state.subscriptions = [
      1: subscription(.manager(hasDelegate: true)) { $0.wantsVisits = true },
      2: subscription(.manager(hasDelegate: false)) { $0.wantsChanges = true },
      3: subscription(.manager(hasDelegate: true)) { $0.wantsChanges = true },
      4: subscription(.monitor("work")), 5: subscription(.monitor("home")),
      6: subscription(.stream) { $0.wantsChanges = true },
    ]
    let location = Location(
      coordinate: Coordinate(latitude: 45, longitude: 7), horizontalAccuracy: 5,
      timestamp: Timestamp(microseconds: 0))
    let visit = Visit(
      coordinate: location.coordinate, horizontalAccuracy: 5, arrivalDate: nil, departureDate: nil)
    let events: [(Event, [Int])] = [
      (.didUpdateLocations(location, .significant), [3, 6]), (.didVisit(visit), [1, 3]),
      (crossing("office"), [1, 3]),
      (crossing(MonitorName.region("office", of: "work")), [4]),
      (crossing(MonitorName.region("office", of: "nobody's")), []),
      (.didPauseLocationUpdates, []),
    ]
    for (event, recipients) in events { #expect(state.recipients(of: event) == recipients) }
    state.subscriptions[1]?.wantsVisits = false
    #expect(state.recipients(of: .didVisit(visit)) == [])
  }

  @Test("a crossing of a region that is not the app's any more is delivered to nobody")
  func strangers() {
    var state = DaemonState()
    state.regions = ["home": region("home")]
    let delivered = ["home", "gone"].map { name -> Region? in
      if case .entered(let region)? = state.delivery(of: crossing(name)) { region } else { nil }
    }
    #expect(delivered == [region("home"), nil])
  }

  @Test("what comes before the app's rights are known waits for them; what comes after goes on")
  func deferred() {
    let told = Told()
    let state = Guarded(DaemonState())
    state.withLock { state in
      state.subscriptions[1] = Subscription(.stream) { _ in told.add("told") }
      state.deliver(.paused, to: 1)
      state.deliver(.resumed, to: nil)
    }
    #expect(told.all.isEmpty)
    #expect(state.withLock { $0.subscriptions[1]?.deferred.count } == 1)
    state.withLock { state in
      state.standing = Standing()
      state.deliver(.resumed, to: 1)
      state.deliver(.resumed, to: 2)
    }
    #expect(told.all == ["told"])
  }

  @Test("one caller makes the connection; where none could be made, the next one tries")
  func connecting() {
    var state = DaemonState()
    let first = [state.beginConnecting(), state.beginConnecting()]
    #expect(first == [true, false] && state.link == .opening)
    state.use(nil)
    let next = state.beginConnecting()
    #expect(next)
  }

  @Test("a person is asked as long as the daemon is there that asks them")
  func asking() {
    var state = DaemonState()
    #expect(state.situation == nil)
    state.standing = Standing()
    state.asked = .authorizedAlways
    #expect(state.situation?.isAsking == false)
    state.link = .open
    #expect(state.situation?.isAsking == true)
    state.asked = nil
    #expect(state.situation == Situation())
  }
}
