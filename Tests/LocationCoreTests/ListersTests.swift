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
    var desk = Desk()
    desk.connectApp()
    #expect(desk.grant(.authorizedAlways).changed == [])
    desk.call(.permissionsList)
    let asked = desk.set(.denied)
    #expect(asked.changed == [])
    #expect(desk.write(asked).changed == ["[1] user:1000 1000"])
    let restricted = desk.call(
      .permissionsSet(PermissionChange(app: "snap:x", authorization: .restricted)))
    #expect(desk.write(restricted).changed == ["[1] snap:x all"])
    let reset = desk.call(.permissionsReset(AppSelection()))
    #expect(desk.write(reset).changed == ["[1] user:1000 1000"])
    desk.handle(.gone(Desk.root))
    desk.connect(ClientID(9))
    #expect(desk.grant(.authorizedAlways).changed == [])
  }

  @Test("the switch for all changes what every app may do, and so does a rule")
  func all() {
    var desk = Desk()
    desk.connectApp()
    desk.grant(.authorizedAlways)
    desk.call(.permissionsList)
    #expect(
      desk.write(desk.call(.servicesSet(enabled: false))).changed == ["[1] user:1000 1000"])
    var settings = desk.service.settings
    #expect(desk.handle(.configured(settings)).changed == [])
    settings.policy = Policy([.init(app: nil, uids: nil, rule: .deny)])
    #expect(desk.handle(.configured(settings)).changed == ["[1] user:1000 1000"])
  }

  @Test("what was allowed once is over, which is told")
  func once() {
    var desk = Desk(use: .logind)
    desk.handle(.present([1000]))
    desk.connectApp()
    desk.grant(.authorizedWhenInUse, once: true)
    desk.call(.permissionsList)
    #expect(desk.handle(.present([])).changed == ["[1] user:1000 1000"])
  }

  @Test("who administers their own apps is told of these alone, who may list nothing of none")
  func own() {
    var desk = Desk()
    desk.connectApp()
    desk.connect(Self.person, uid: 1000)
    desk.connect(ClientID(8), uid: 1001)
    let asked = desk.call(.permissionsList, from: Self.person)
    desk.handle(.consented(asked.consulted ?? 0, .own))
    let refused = desk.call(.permissionsList, from: ClientID(8))
    desk.handle(.consented(refused.consulted ?? 0, .none))
    #expect(desk.grant(.authorizedAlways).changed == ["[7] user:1000 1000"])
    let others = desk.call(
      .permissionsSet(PermissionChange(app: "snap:x", uid: 1001, authorization: .denied)))
    #expect(desk.write(others).changed == [])
  }
}
