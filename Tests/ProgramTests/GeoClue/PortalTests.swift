import Foundation
import Glibc
import LocationModel
import Platform
import TestSupport
import Testing

/// A session of somebody's: its bus, the permissions that were given in it, a desktop, and the real
/// xdg-desktop-portal in the unit that systemd would start it in.
private final class Session {
  let folder: URL
  private let cgroup: Cgroup
  private var programs: [Program] = []
  private(set) var desktop: Program?
  private let system: PrivateBus

  static let user = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
  static let app = "org.locationd.Test"

  init(
    _ system: PrivateBus,
    unit: String = "\(IdentityTests.users)/session.slice/xdg-desktop-portal.service"
  ) throws {
    self.system = system
    folder = FileManager.default.temporaryDirectory.appending(path: "session-\(UUID())")
    cgroup = try Cgroup(unit)
    for name in ["", "home", "portals"] {
      let path = folder.appending(path: name).path
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      chown(path, 65534, 65534)
    }
    let here = PrivateBus.house.appending(path: "Tests/BusPrograms")
    for name in ["portal-desktop.py", "portal-app.py", "session-bus.conf"] {
      try String(contentsOf: here.appending(path: name), encoding: .utf8)
        .replacingOccurrences(of: "@FOLDER@", with: folder.path)
        .write(to: folder.appending(path: name), atomically: true, encoding: .utf8)
    }
    try write(
      """
      [portal]
      DBusName=org.freedesktop.impl.portal.desktop.test
      Interfaces=org.freedesktop.impl.portal.Lockdown;org.freedesktop.impl.portal.Access
      UseIn=test

      """, to: "portals/test.portal")
    try write("[Application]\nname=\(Self.app)\n[Instance]\ninstance-id=1\n", to: "flatpak-info")
    answer(0)
    try run([
      "dbus-daemon", "--nofork", "--nopidfile", "--config-file=\(folder.path)/session-bus.conf",
    ])
    let isThere = eventually(within: patience) { access("\(self.folder.path)/bus", F_OK) == 0 }
    try #require(isThere, "the session's bus did not come")
    let watcher = try BusClient(address)
    try run(["/usr/libexec/xdg-permission-store"])
    try watcher.waitForDaemon("org.freedesktop.impl.portal.PermissionStore")
    desktop = try run(
      ["/usr/bin/python3", "\(folder.path)/portal-desktop.py", "\(folder.path)/answer"])
    try watcher.waitForDaemon("org.freedesktop.impl.portal.desktop.test")
    try run(cgroup.command(Self.user + ["/usr/libexec/xdg-desktop-portal"]), become: [])
    try watcher.waitForDaemon("org.freedesktop.portal.Desktop")
  }

  deinit {
    programs = []
    desktop = nil
    try? FileManager.default.removeItem(at: folder)
  }

  private var address: String { "unix:path=\(folder.path)/bus" }

  private func write(_ text: String, to name: String) throws {
    try text.write(to: folder.appending(path: name), atomically: true, encoding: .utf8)
  }

  /// The answer to the portal's dialogs: 0 is yes.
  func answer(_ code: Int) { try? write("\(code)", to: "answer") }

  @discardableResult
  private func run(_ command: [String], become: [String] = user) throws -> Program {
    let program = try Program(
      ["env", "--chdir=/"] + become + command,
      environment: [
        "DBUS_SESSION_BUS_ADDRESS": address, "DBUS_SYSTEM_BUS_ADDRESS": system.address,
        "XDG_DESKTOP_PORTAL_DIR": "\(folder.path)/portals", "XDG_CURRENT_DESKTOP": "test",
        "HOME": "\(folder.path)/home", "XDG_RUNTIME_DIR": "\(folder.path)/home",
        "XDG_DATA_HOME": "\(folder.path)/home",
      ])
    programs.append(program)
    return program
  }

  /// The portal's answer to a program in a sandbox, or outside of any.
  func ask(isSandboxed: Bool = true) throws -> String {
    let sandbox =
      [
        "bwrap", "--ro-bind", "/usr", "/usr", "--ro-bind", "/etc", "/etc", "--proc", "/proc",
        "--dev",
        "/dev", "--bind", folder.path, folder.path, "--ro-bind", folder.path + "/flatpak-info",
        "/.flatpak-info",
      ] + ["lib", "lib64", "bin"].flatMap { ["--symlink", "usr/\($0)", "/\($0)"] }
    let app = ["/usr/bin/python3", "\(folder.path)/portal-app.py"]
    let program = try run((isSandboxed ? sandbox : []) + app)
    defer { programs.removeLast() }
    return try program.line()
  }

  static let isPossible: Bool = {
    let tools = ["/usr/libexec/xdg-desktop-portal", "/usr/libexec/xdg-permission-store"]
    guard AsRoot.isPossible, tools.allSatisfy({ access($0, X_OK) == 0 }) else { return false }
    let sandbox = user + ["bwrap", "--ro-bind", "/", "/", "true"]
    return (try? Program(AsRoot.makesCgroups ? sandbox : AsRoot.enter(sandbox)).exit()) == 0
  }()
}

@Suite(
  "Through xdg-desktop-portal", .serialized,
  .enabled(
    if: Session.isPossible, "the portal, control groups of one's own or sandboxes are missing"),
  .asRootWithCgroups)
struct PortalTests {
  let bus: PrivateBus

  init() throws {
    bus = try PrivateBus(policies: ["org.locationd.conf", "org.locationd.GeoClue2.conf"])
  }

  private func start(hasRule: Bool = true) throws -> RunningDaemon {
    var files = ["locationd.conf": "[DBus]\nGeoClue=yes\n"]
    let rule = PrivateBus.house.appending(path: "config/geoclue/10-xdg-desktop-portal.conf")
    if hasRule {
      files["policy.d/10-xdg-desktop-portal.conf"] = try String(contentsOf: rule, encoding: .utf8)
    }
    let daemon = try RunningDaemon(["static:45,7,100,5"], files: files, bus: bus)
    try BusClient(bus.address).waitForDaemon("org.freedesktop.GeoClue2")
    return daemon
  }

  private func uses(_ daemon: RunningDaemon) throws -> [String: Int64] {
    let list = try daemon.connect().ask("permissions.list")["result"]?["permissions"]?.array ?? []
    return Dictionary(
      list.map { ($0["app"]?.string ?? "", $0["uses"]?.integer ?? 0) }, uniquingKeysWith: max)
  }

  @Test("the portal asks the person once, and nobody asks again; it is told as its user's service")
  func askedOnce() throws {
    let daemon = try start()
    let session = try Session(bus)
    #expect(try session.ask() == "45.000 7.000 5")
    #expect(try session.desktop?.line() == "asked about \(Session.app)")
    #expect(try session.ask() == "45.000 7.000 5")
    #expect(try uses(daemon).keys.sorted() == ["userunit:xdg-desktop-portal"])
    // As it would be remembered by an agent's answer, what a person decides about the portal holds.
    #expect(
      try daemon.control("revoke", "userunit:xdg-desktop-portal", "--uid", "65534").text().exit == 0
    )
    #expect(try session.ask() == "refused")
  }

  @Test("what the portal refuses never comes to us")
  func refused() throws {
    let daemon = try start()
    let session = try Session(bus)
    session.answer(1)
    #expect(try session.ask() == "refused")
    #expect(try session.desktop?.line() == "asked about \(Session.app)")
    // It has remembered that.
    session.answer(0)
    #expect(try session.ask() == "refused")
    #expect(try uses(daemon).isEmpty)
  }

  @Test("outside of sandboxes the portal asks nobody, which the documentation says")
  func outside() throws {
    let daemon = try start()
    let session = try Session(bus)
    session.answer(1)
    #expect(try session.ask(isSandboxed: false) == "45.000 7.000 5")
    withExtendedLifetime(daemon) {}
  }

  @Test("without the rule the portal is one program of many")
  func withoutRule() throws {
    let without = try start(hasRule: false)
    #expect(try Session(bus).ask() == "refused")
    withExtendedLifetime(without) {}
  }

  @Test(
    "only the unit of the user's own manager is let in by the rule",
    arguments: [
      ("/system.slice/xdg-desktop-portal.service", false),
      ("/user.slice/user-0.slice/user@0.service/session.slice/xdg-desktop-portal.service", false),
      ("\(IdentityTests.users)/app.slice/app-gnome-x-1.scope/xdg-desktop-portal.service", false),
      ("\(IdentityTests.users)/app.slice/app-flatpak-xdg-desktop-portal-1.scope", false),
      ("\(IdentityTests.users)/app.slice/run-u1.service/xdg-desktop-portal.service", false),
      ("\(IdentityTests.users)/session.slice/xdg-desktop-portal.service", true),
    ])
  func forged(unit: String, isLetIn: Bool) throws {
    let daemon = try start()
    let cgroup = try Cgroup(unit)
    let get =
      Session.user + [try daemon.copyForAll(), "get", "--timeout", "5", "--socket", daemon.socket]
    #expect(try Program(cgroup.command(get)).text().exit == (isLetIn ? 0 : 3))
  }
}
