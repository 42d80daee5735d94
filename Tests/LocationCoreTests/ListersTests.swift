import LocationModel
import Testing

@testable import LocationCore

extension [Output] {
  /// The clients that are told of apps, and of which.
  fileprivate var changed: [String] {
    compactMap { output in
      guard case .changed(let listers, let app, let uid) = output else { return nil }
      let whose = uid.map { "\($0)" } ?? "all"
      return "\(listers.map(\.number)) \(app) \(whose)"
    }
  }
}

@Suite("Told when permissions change") struct ListersTests {
  private static let person = ClientID(7)

  @Test("whoever has listed permissions is told of each change once it is written")
  func changes() {
    var harness = ServiceHarness()
    harness.connectApp()
    #expect(harness.grant(.authorizedAlways).changed == [])
    harness.call(.permissionsList)
    let asked = harness.set(.denied)
    #expect(asked.changed == [])
    #expect(harness.write(asked).changed == ["[1] user:1000 1000"])
    let restricted = harness.call(
      .permissionsSet(PermissionChange(app: "snap:x", authorization: .restricted)))
    #expect(harness.write(restricted).changed == ["[1] snap:x all"])
    let reset = harness.call(.permissionsReset(AppSelection()))
    #expect(harness.write(reset).changed == ["[1] user:1000 1000"])
    harness.handle(.gone(ServiceHarness.root))
    harness.connect(ClientID(9))
    #expect(harness.grant(.authorizedAlways).changed == [])
  }

  @Test("the switch for all changes what every app may do, and so does a rule")
  func all() {
    var harness = ServiceHarness()
    harness.connectApp()
    harness.grant(.authorizedAlways)
    harness.call(.permissionsList)
    #expect(
      harness.write(harness.call(.servicesSet(enabled: false))).changed == ["[1] user:1000 1000"])
    var settings = harness.service.settings
    #expect(harness.handle(.configured(settings)).changed == [])
    settings.policy = Policy([.init(app: nil, uids: nil, rule: .deny)])
    #expect(harness.handle(.configured(settings)).changed == ["[1] user:1000 1000"])
  }

  @Test("what was allowed once is over, which is told")
  func once() {
    var harness = ServiceHarness(use: .logind)
    harness.handle(.present([1000]))
    harness.connectApp()
    harness.grant(.authorizedWhenInUse, once: true)
    harness.call(.permissionsList)
    #expect(harness.handle(.present([])).changed == ["[1] user:1000 1000"])
  }

  @Test("who sees the own user's apps is told of these alone, a sandbox of itself")
  func own() {
    var harness = ServiceHarness()
    harness.connectApp()
    harness.connect(Self.person, uid: 1000)
    harness.connect(ClientID(8), uid: 1001)
    let asked = harness.call(.permissionsList, from: Self.person)
    harness.handle(.consented(asked.lookedUp ?? 0, .none))
    var sandboxed = Caller(uid: 1000, pid: 8, app: "flatpak:y")
    sandboxed.confinement = .sandbox
    harness.handle(.connected(ClientID(9), sandboxed))
    harness.call(.permissionsList, from: ClientID(9))
    #expect(harness.grant(.authorizedAlways).changed == ["[7] user:1000 1000"])
    let others = harness.call(
      .permissionsSet(PermissionChange(app: "snap:x", uid: 1001, authorization: .denied)))
    #expect(harness.write(others).changed == [])
    let its = harness.call(
      .permissionsSet(PermissionChange(app: "flatpak:y", uid: 1000, authorization: .denied)))
    #expect(harness.write(its).changed == ["[7, 9] flatpak:y 1000"])
  }
}
