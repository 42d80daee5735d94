import LocationModel
import Testing

@testable import LocationCore

@Suite("The launcher of apps") struct AppLauncherTests {
  private static let app = App(uid: 1000, name: "userunit:map")
  private static let launch = Launch(.unit("map.service"), at: .user)
  private static let other = Launch(.unit("other.service"), at: .user)

  private static func at(_ days: Int64) -> Instant {
    let seconds = days * 86_400
    return Instant(
      boottime: .start + .seconds(seconds), utc: .epoch + .seconds(seconds), utcTrusted: true)
  }

  private func conclude(
    _ launcher: inout AppLauncher, _ launch: Launch, _ trouble: String? = nil
  ) {
    var outputs: [Output] = []
    launcher.conclude(
      launch, of: Self.app, trouble, connections: 0, at: Self.at(0), into: &outputs)
  }

  @Test("what starts an app holds once it is written, and not if that fails")
  func proposed() {
    var launcher = AppLauncher(at: Self.at(0))
    _ = launcher.propose(Self.launch, of: Self.app)
    #expect(launcher.schedule[Self.app] == nil)
    #expect(!launcher.isKept(Self.launch, of: Self.app))
    conclude(&launcher, Self.launch)
    #expect(launcher.schedule[Self.app] == Self.launch)
    #expect(launcher.isKept(Self.launch, of: Self.app))
    _ = launcher.propose(Self.other, of: Self.app)
    conclude(&launcher, Self.other, "the disk is full")
    #expect(launcher.schedule[Self.app] == Self.launch)
  }

  @Test("what the app has taken back meanwhile does not hold, though it is written")
  func takenBack() {
    var launcher = AppLauncher(at: Self.at(0))
    _ = launcher.propose(Self.launch, of: Self.app)
    launcher.forgetLaunch(of: Self.app)
    conclude(&launcher, Self.launch)
    #expect(launcher.schedule[Self.app] == nil)
  }

  @Test("an app that comes is written once a day, and nothing of one that has registered nothing")
  func seen() {
    var launcher = AppLauncher(at: Self.at(0))
    var monitoring = Monitoring(limits: .init())
    let idle = launcher.didConnect(Self.app, in: monitoring, at: Self.at(1)).count
    _ = monitoring.follow(.visits, of: Self.app)
    var counts: [Int] = []
    for day: Int64 in [1, 1, 2] {
      counts.append(launcher.didConnect(Self.app, in: monitoring, at: Self.at(day)).count)
    }
    #expect([idle] + counts == [0, 1, 0, 1])
  }
}
