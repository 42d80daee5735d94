import LocationModel
import ReceiverCore
import Testing

@testable import LocationCore

@Suite("In use") struct UseTests {
  /// A When-in-use app of user 1000, in a session of theirs that somebody is in front of.
  private func harness(_ authorization: Authorization = .authorizedWhenInUse) -> ServiceHarness {
    var harness = ServiceHarness(use: .logind)
    harness.handle(.present([1000]))
    harness.connectApp()
    harness.grant(authorization)
    return harness
  }

  @Test("out of use nothing comes by any way, and back in use it goes on")
  func leaves() {
    var harness = harness()
    #expect(harness.fix().tellsPlace(to: ServiceHarness.app))
    let left = harness.handle(.present([]))
    #expect(left.purges == [5])
    // The authorization is the same: it is only not in use.
    #expect(left.news.isEmpty)
    #expect(!harness.fix(north: 10).tellsPlace(to: ServiceHarness.app))
    for request in [Request.location, .requestLocation(.init())] {
      #expect(harness.call(request, from: ServiceHarness.app).refusals.map(\.code) == [.denied])
    }
    #expect(
      harness.call(.startUpdatingLocation(.init()), manager: 1, from: ServiceHarness.app).refusals
        .isEmpty)
    #expect(!harness.fix(north: 20).tellsPlace(to: ServiceHarness.app))
    #expect(harness.handle(.present([1000, 1001])).tellsPlace(to: ServiceHarness.app))
    #expect(harness.fix(north: 30).told == [0, 1])
  }

  @Test("a request that waits is refused when use ends")
  func waiting() {
    var harness = harness()
    #expect(
      harness.call(.requestLocation(.init()), id: .integer(9), from: ServiceHarness.app).replies
        .isEmpty)
    #expect(harness.handle(.present([])).refusals.map(\.code) == [.denied])
    harness.handle(.present([1000]))
    #expect(harness.fix().replies.isEmpty)
  }

  @Test("with nobody in use no source is open")
  func sources() {
    var harness = harness()
    harness.handle(.present([]))
    harness.now = 106
    #expect(harness.handle(.timer).closes == 1)
    #expect(harness.handle(.present([1000])).opens == 1)
  }

  @Test("Always goes on whoever looks")
  func always() {
    var harness = harness(.authorizedAlways)
    harness.handle(.present([]))
    #expect(harness.fix().tellsPlace(to: ServiceHarness.app))
  }

  @Test("a system's service is never in use by itself, a board's is while it is connected")
  func services() {
    var harness = ServiceHarness(use: .logind)
    harness.handle(.present([0, 1000]))
    harness.handle(.connected(ClientID(6), Caller(uid: 1000, pid: 8, app: "unit:x.service")))
    #expect(!harness.service.clientStatus(ClientID(6)).isInUse)
    #expect(harness.call(.beginUse, from: ClientID(6)).refusals.map(\.code) == [.denied])
    var board = ServiceHarness(use: .connected)
    board.handle(.connected(ClientID(6), Caller(uid: 1000, pid: 8, app: "unit:x.service")))
    #expect(board.service.clientStatus(ClientID(6)).isInUse)
    #expect(board.call(.beginUse, from: ClientID(6)).refusals.map(\.code) == [.denied])
  }

  @Test("an app that says so in time stays in use, until it ends that, goes, or for some hours")
  func holds() {
    var harness = harness()
    #expect(harness.call(.beginUse, from: ServiceHarness.app).replies == [.done])
    harness.handle(.present([]))
    #expect(harness.fix(north: 10).tellsPlace(to: ServiceHarness.app))
    #expect(harness.service.clientStatus(ServiceHarness.app).holdsUse)
    #expect(harness.call(.endUse, from: ServiceHarness.app).purges == [5])
    #expect(!harness.fix(north: 20).tellsPlace(to: ServiceHarness.app))
    // Too late to say it.
    #expect(harness.call(.beginUse, from: ServiceHarness.app).refusals.map(\.code) == [.denied])

    harness.handle(.present([1000]))
    harness.call(.beginUse, from: ServiceHarness.app)
    #expect(harness.handle(.present([])).purges.isEmpty)
    harness.now = 100 + 4 * 3600 - 1
    #expect(harness.fix(north: 30).tellsPlace(to: ServiceHarness.app))
    harness.now += 2
    #expect(harness.handle(.timer).purges == [5])
    #expect(!harness.fix(north: 40).tellsPlace(to: ServiceHarness.app))
  }

  @Test("saying it again while nobody looks prolongs nothing, and while somebody does, it does")
  func holdsNoLonger() {
    var harness = harness()
    harness.call(.beginUse, from: ServiceHarness.app)
    harness.now = 100 + 3600
    harness.call(.beginUse, from: ServiceHarness.app)
    harness.handle(.present([]))
    harness.now = 100 + 4 * 3600 + 1
    #expect(harness.fix(north: 10).tellsPlace(to: ServiceHarness.app))
    #expect(harness.call(.beginUse, from: ServiceHarness.app).replies == [.done])
    harness.now = 100 + 5 * 3600 + 1
    #expect(harness.handle(.timer).purges == [5])
    #expect(harness.call(.beginUse, from: ServiceHarness.app).refusals.map(\.code) == [.denied])
  }

  @Test("who may what is decided when something changes, and never for a fix")
  func perFix() {
    /// The quickest of some rounds of fixes, told to one app among many that are remembered and ruled.
    func time(apps: Int) -> Duration {
      var remembered = StoreSnapshot()
      var rules: [Policy.Entry] = []
      for i in 0..<apps {
        remembered.permissions[App(uid: 1000, name: "flatpak:\(i)")] = Permission(.denied)
        rules.append(.init(app: "flatpak:\(i)", uids: [1000], rule: .deny))
      }
      var settings = LocationService.Settings(
        version: "1", uid: 990,
        sources: [SourceDescription(SourceID(0), name: "gps", simulated: false)])
      settings.policy = Policy(rules)
      var service = LocationService(settings, remembered, at: ServiceHarness.instant(100))
      var outputs: [Output] = []
      service.handle(
        .connected(ServiceHarness.root, Caller(uid: 0, pid: 7, app: "unit:x.service")),
        at: ServiceHarness.instant(100), into: &outputs)
      service.handle(
        .called(ServiceHarness.root, Call(id: .null, .startUpdatingLocation(.init()))),
        at: ServiceHarness.instant(100), into: &outputs)
      var count = 0.0
      return (0..<10).map { _ in
        ContinuousClock().measure {
          for _ in 0..<200 {
            count += 1
            let fix = Fix(ServiceHarness.location(north: count, at: 100 + count))
            outputs.removeAll(keepingCapacity: true)
            service.handle(
              .reading(SourceID(0), .fix(fix)), at: ServiceHarness.instant(100 + count),
              into: &outputs)
          }
        }
      }.min() ?? .zero
    }
    // A single look at 30,000 rules would take many times a whole fix.
    let isSame = (0..<5).contains { _ in time(apps: 30_000) < time(apps: 0) * 2 }
    #expect(isSame)
  }

  @Test("one that holds use does so for itself alone")
  func holdsAlone() {
    var harness = harness()
    harness.connectApp(ClientID(6))
    harness.call(.beginUse, from: ServiceHarness.app)
    harness.handle(.present([]))
    let outputs = harness.fix(north: 10)
    #expect(outputs.tellsPlace(to: ServiceHarness.app))
    #expect(!outputs.tellsPlace(to: ClientID(6)))
  }

  @Test("what is allowed once ends with use")
  func onceEndsWithUse() {
    var harness = ServiceHarness(use: .logind)
    harness.handle(.present([1000]))
    harness.connectApp()
    #expect(harness.write(harness.set(nil, once: true)).news == [5: .authorizedWhenInUse])
    #expect(harness.fix().tellsPlace(to: ServiceHarness.app))
    let left = harness.handle(.present([]))
    #expect(left.purges == [5])
    #expect(left.news == [5: .notDetermined])
    #expect(left.commits.isEmpty)
    harness.handle(.present([1000]))
    #expect(!harness.fix(north: 10).tellsPlace(to: ServiceHarness.app))
  }

  @Test("what is allowed once ends with the app's last connection, not with its first")
  func onceEndsWithConnection() {
    var harness = ServiceHarness()
    harness.connectApp()
    harness.connectApp(ClientID(6))
    harness.write(harness.set(nil, once: true))
    harness.handle(.gone(ServiceHarness.app))
    #expect(harness.fix().tellsPlace(to: ClientID(6)))
    harness.handle(.gone(ClientID(6)))
    harness.connectApp(ClientID(7))
    #expect(!harness.fix(north: 10).tellsPlace(to: ClientID(7)))
    #expect(harness.service.clientStatus(ClientID(7)).authorization == .notDetermined)
  }

  @Test("what is allowed once and then made less exact is still allowed once")
  func onceReduced() {
    var harness = ServiceHarness()
    harness.connectApp()
    harness.write(harness.set(nil, once: true))
    harness.write(harness.set(nil, accuracy: .reduced))
    #expect(harness.service.clientStatus(ServiceHarness.app).authorization == .authorizedWhenInUse)
    harness.handle(.gone(ServiceHarness.app))
    harness.connectApp()
    #expect(harness.service.clientStatus(ServiceHarness.app).authorization == .notDetermined)
  }

  @Test("what is allowed once before the app is there waits for it")
  func onceBefore() {
    var harness = ServiceHarness()
    harness.write(harness.set(nil, once: true))
    harness.handle(.timer)
    harness.connectApp()
    #expect(harness.fix().tellsPlace(to: ServiceHarness.app))
    harness.handle(.gone(ServiceHarness.app))
    harness.connectApp()
    #expect(!harness.fix(north: 10).tellsPlace(to: ServiceHarness.app))
  }
}
