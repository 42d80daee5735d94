import LocationModel
import Testing

@testable import LocationCore

@Suite("In use") struct UseTests {
  /// A When-in-use app of user 1000, in a session of theirs that somebody is in front of.
  private func desk(_ authorization: Authorization = .authorizedWhenInUse) -> Desk {
    var desk = Desk(use: .logind)
    desk.handle(.present([1000]))
    desk.connectApp()
    desk.grant(authorization)
    return desk
  }

  @Test("out of use nothing comes by any way, and back in use it goes on")
  func leaves() {
    var desk = desk()
    #expect(desk.fix().tellsPlace(to: Desk.app))
    let left = desk.handle(.present([]))
    #expect(left.purges == [5])
    // The authorization is the same: it is only not in use.
    #expect(left.news.isEmpty)
    #expect(!desk.fix(north: 10).tellsPlace(to: Desk.app))
    for request in [Request.location, .requestLocation(.init())] {
      #expect(desk.call(request, from: Desk.app).refusals.map(\.code) == [.denied])
    }
    #expect(desk.call(.startUpdatingLocation(.init()), manager: 1, from: Desk.app).refusals.isEmpty)
    #expect(!desk.fix(north: 20).tellsPlace(to: Desk.app))
    #expect(desk.handle(.present([1000, 1001])).tellsPlace(to: Desk.app))
    #expect(desk.fix(north: 30).told == [0, 1])
  }

  @Test("a request that waits is refused when use ends")
  func waiting() {
    var desk = desk()
    #expect(desk.call(.requestLocation(.init()), id: .integer(9), from: Desk.app).replies.isEmpty)
    #expect(desk.handle(.present([])).refusals.map(\.code) == [.denied])
    desk.handle(.present([1000]))
    #expect(desk.fix().replies.isEmpty)
  }

  @Test("with nobody in use no source is open")
  func sources() {
    var desk = desk()
    desk.handle(.present([]))
    desk.now = 106
    #expect(desk.handle(.timer).closes == 1)
    #expect(desk.handle(.present([1000])).opens == 1)
  }

  @Test("Always goes on whoever looks")
  func always() {
    var desk = desk(.authorizedAlways)
    desk.handle(.present([]))
    #expect(desk.fix().tellsPlace(to: Desk.app))
  }

  @Test("a system's service is never in use by itself, a board's is while it is connected")
  func services() {
    var desk = Desk(use: .logind)
    desk.handle(.present([0, 1000]))
    desk.handle(.connected(ClientID(6), Caller(uid: 1000, pid: 8, app: "unit:x.service")))
    #expect(!desk.service.clientStatus(ClientID(6)).isInUse)
    #expect(desk.call(.beginUse, from: ClientID(6)).refusals.map(\.code) == [.denied])
    var board = Desk(use: .connected)
    board.handle(.connected(ClientID(6), Caller(uid: 1000, pid: 8, app: "unit:x.service")))
    #expect(board.service.clientStatus(ClientID(6)).isInUse)
    #expect(board.call(.beginUse, from: ClientID(6)).refusals.map(\.code) == [.denied])
  }

  @Test("an app that says so in time stays in use, until it ends that, goes, or for some hours")
  func holds() {
    var desk = desk()
    #expect(desk.call(.beginUse, from: Desk.app).replies == [.done])
    desk.handle(.present([]))
    #expect(desk.fix(north: 10).tellsPlace(to: Desk.app))
    #expect(desk.service.clientStatus(Desk.app).holdsUse)
    #expect(desk.call(.endUse, from: Desk.app).purges == [5])
    #expect(!desk.fix(north: 20).tellsPlace(to: Desk.app))
    // Too late to say it.
    #expect(desk.call(.beginUse, from: Desk.app).refusals.map(\.code) == [.denied])

    desk.handle(.present([1000]))
    desk.call(.beginUse, from: Desk.app)
    #expect(desk.handle(.present([])).purges.isEmpty)
    desk.now = 100 + 4 * 3600 - 1
    #expect(desk.fix(north: 30).tellsPlace(to: Desk.app))
    desk.now += 2
    #expect(desk.handle(.timer).purges == [5])
    #expect(!desk.fix(north: 40).tellsPlace(to: Desk.app))
  }

  @Test("saying it again while nobody looks prolongs nothing, and while somebody does, it does")
  func holdsNoLonger() {
    var desk = desk()
    desk.call(.beginUse, from: Desk.app)
    desk.now = 100 + 3600
    desk.call(.beginUse, from: Desk.app)
    desk.handle(.present([]))
    desk.now = 100 + 4 * 3600 + 1
    #expect(desk.fix(north: 10).tellsPlace(to: Desk.app))
    #expect(desk.call(.beginUse, from: Desk.app).replies == [.done])
    desk.now = 100 + 5 * 3600 + 1
    #expect(desk.handle(.timer).purges == [5])
    #expect(desk.call(.beginUse, from: Desk.app).refusals.map(\.code) == [.denied])
  }

  @Test("who may what is decided when something changes, and never for a fix")
  func perFix() {
    /// The quickest of some rounds of fixes, told to one app among many that are remembered and ruled.
    func time(apps: Int) -> Duration {
      var remembered = Remembered()
      var rules: [Policy.Entry] = []
      for i in 0..<apps {
        remembered.permissions[App(uid: 1000, name: "flatpak:\(i)")] = Permission(.denied)
        rules.append(.init(app: "flatpak:\(i)", uids: [1000], rule: .deny))
      }
      var settings = LocationService.Settings(
        version: "1", uid: 990,
        sources: [SourceDescription(SourceID(0), name: "gps", simulated: false)])
      settings.policy = Policy(rules)
      var service = LocationService(settings, remembered, at: Desk.instant(100))
      var outputs: [Output] = []
      service.handle(
        .connected(Desk.root, Caller(uid: 0, pid: 7, app: "unit:x.service")),
        at: Desk.instant(100), into: &outputs)
      service.handle(
        .called(Desk.root, Call(id: .null, .startUpdatingLocation(.init()))),
        at: Desk.instant(100), into: &outputs)
      var count = 0.0
      return (0..<10).map { _ in
        ContinuousClock().measure {
          for _ in 0..<200 {
            count += 1
            let fix = Fix(Desk.location(north: count, at: 100 + count))
            outputs.removeAll(keepingCapacity: true)
            service.handle(
              .reading(SourceID(0), .fix(fix)), at: Desk.instant(100 + count), into: &outputs)
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
    var desk = desk()
    desk.connectApp(ClientID(6))
    desk.call(.beginUse, from: Desk.app)
    desk.handle(.present([]))
    let outputs = desk.fix(north: 10)
    #expect(outputs.tellsPlace(to: Desk.app))
    #expect(!outputs.tellsPlace(to: ClientID(6)))
  }

  @Test("what is allowed once ends with use")
  func onceEndsWithUse() {
    var desk = Desk(use: .logind)
    desk.handle(.present([1000]))
    desk.connectApp()
    #expect(desk.write(desk.set(nil, once: true)).news == [5: .authorizedWhenInUse])
    #expect(desk.fix().tellsPlace(to: Desk.app))
    let left = desk.handle(.present([]))
    #expect(left.purges == [5])
    #expect(left.news == [5: .notDetermined])
    #expect(left.commits.isEmpty)
    desk.handle(.present([1000]))
    #expect(!desk.fix(north: 10).tellsPlace(to: Desk.app))
  }

  @Test("what is allowed once ends with the app's last connection, not with its first")
  func onceEndsWithConnection() {
    var desk = Desk()
    desk.connectApp()
    desk.connectApp(ClientID(6))
    desk.write(desk.set(nil, once: true))
    desk.handle(.gone(Desk.app))
    #expect(desk.fix().tellsPlace(to: ClientID(6)))
    desk.handle(.gone(ClientID(6)))
    desk.connectApp(ClientID(7))
    #expect(!desk.fix(north: 10).tellsPlace(to: ClientID(7)))
    #expect(desk.service.clientStatus(ClientID(7)).authorization == .notDetermined)
  }

  @Test("what is allowed once and then made less exact is still allowed once")
  func onceReduced() {
    var desk = Desk()
    desk.connectApp()
    desk.write(desk.set(nil, once: true))
    desk.write(desk.set(nil, accuracy: .reduced))
    #expect(desk.service.clientStatus(Desk.app).authorization == .authorizedWhenInUse)
    desk.handle(.gone(Desk.app))
    desk.connectApp()
    #expect(desk.service.clientStatus(Desk.app).authorization == .notDetermined)
  }

  @Test("what is allowed once before the app is there waits for it")
  func onceBefore() {
    var desk = Desk()
    desk.write(desk.set(nil, once: true))
    desk.handle(.timer)
    desk.connectApp()
    #expect(desk.fix().tellsPlace(to: Desk.app))
    desk.handle(.gone(Desk.app))
    desk.connectApp()
    #expect(!desk.fix(north: 10).tellsPlace(to: Desk.app))
  }
}
