import DBus
import Foundation
import Glibc
import LocationCore
import Testing

@testable import Platform
@testable import locationd

/// A bus with somebody on it, straight and through the proxy that sandboxes have.
@Suite("Identification on the bus", .serialized) final class BusIdentificationTests {
  typealias Program = Foundation.Process
  let loop: EventLoop
  let identifier: Identifier
  let folder = FileManager.default.temporaryDirectory.appending(path: "bus-\(UUID())").path
  private var programs: [Program] = []
  private let daemon: BusConnection

  init() throws {
    loop = try EventLoop()
    identifier = try Identifier(on: loop)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let bus = try Self.start(
      ["dbus-daemon", "--session", "--nofork", "--nopidfile", "--address=unix:path=\(folder)/bus"])
    programs = [bus]
    daemon = try Self.connect(to: "\(folder)/bus", on: loop)
  }

  deinit {
    for program in programs {
      kill(program.processIdentifier, SIGKILL)
      program.waitUntilExit()
    }
    try? FileManager.default.removeItem(atPath: folder)
  }

  private static func start(_ command: [String]) throws -> Program {
    let program = Program()
    program.executableURL = URL(filePath: "/usr/bin/env")
    program.arguments = command
    program.standardError = FileHandle.nullDevice
    try program.run()
    return program
  }

  private static func connect(to path: String, on loop: EventLoop) throws -> BusConnection {
    var limits = BusConnection.Limits()
    limits.firstPause = 5_000_000
    limits.longestPause = 50_000_000
    let connection = try BusConnection(
      to: .address("unix:path=\(path)"), limits: limits, on: loop, told: { _ in })
    try wait(on: loop) { connection.uniqueName != nil }
    return connection
  }

  private static func wait(on loop: EventLoop, until isSo: () -> Bool) throws {
    let deadline = Clock.boottime + Int64(patience * 1e9)
    while !isSo() {
      try #require(Clock.boottime < deadline)
      try loop.turn(within: 10_000)
    }
  }

  private func identify(_ name: String) throws -> Result<Caller, BusError> {
    var told: Result<Caller, BusError>?
    let identification = try identifier.identify(name, on: daemon) { told = $0 }
    #expect(told == nil)
    try Self.wait(on: loop) { told != nil }
    return try withExtendedLifetime(identification) { try #require(told) }
  }

  /// A connection through a proxy that was started by a command with this prefix.
  private func connectThroughProxy(_ prefix: [String] = []) throws -> BusConnection {
    let path = "\(folder)/proxy-\(programs.count)"
    programs.append(
      try Self.start(prefix + ["xdg-dbus-proxy", "unix:path=\(folder)/bus", path]))
    return try Self.connect(to: path, on: loop)
  }

  @Test("a name is whoever connected")
  func direct() throws {
    let client = try Self.connect(to: "\(folder)/bus", on: loop)
    let caller = try identify(#require(client.uniqueName)).get()
    #expect(caller.uid == getuid())
    #expect(caller.pid == getpid())
    #expect(caller.walls == .none)
    let own = ProcessFacts(
      uid: getuid(), pid: getpid(), label: nil, ProcessHandle.of(getpid(), uid: getuid()))
    #expect(caller == Caller(own, userName: UserNames().name(of: getuid())))
  }

  @Test("a name that has gone, or is none that a connection has, is nobody's")
  func gone() throws {
    #expect(throws: BusError.self) { try self.identify(":1.99999").get() }
    #expect(throws: BusError.self) { try self.identify("org.freedesktop.DBus") }
    var client: BusConnection? = try Self.connect(to: "\(folder)/bus", on: loop)
    let name = try #require(client?.uniqueName)
    client = nil
    #expect(throws: BusError.self) { try self.identify(name).get() }
    _ = client
  }

  @Test("who leaves while being identified is nobody")
  func leaves() throws {
    let client = try connectThroughProxy()
    let name = try #require(client.uniqueName)
    let proxy = try #require(programs.last)
    var told: Result<Caller, BusError>?
    let identification = try identifier.identify(name, on: daemon) { told = $0 }
    kill(proxy.processIdentifier, SIGKILL)
    proxy.waitUntilExit()
    try Self.wait(on: loop) { told != nil }
    // The bus may have answered before it noticed; then what was said is of the right process.
    if let caller = try? told?.get() { #expect(caller.pid == proxy.processIdentifier) }
    #expect(throws: BusError.self) { try self.identify(name).get() }
    withExtendedLifetime((client, identification)) {}
  }

  @Test("behind a proxy is somebody in a sandbox, though nobody knows who")
  func proxy() throws {
    let client = try connectThroughProxy()
    let caller = try identify(#require(client.uniqueName)).get()
    #expect(caller.pid == programs.last?.processIdentifier)
    #expect(caller.walls == .sandbox)
    withExtendedLifetime(client) {}
  }

  @Test(
    "a proxy in the folder that flatpak puts it in is that app",
    .enabled(if: Cgroup2.isOurs, "folders of control groups are made by root where no manager does")
  )
  func flatpak() throws {
    let slice = "/user.slice/user-\(getuid()).slice/user@\(getuid()).service/app.slice"
    let scope = try Cgroup2(slice + "/app-flatpak-org.gnome.Maps-\(getpid()).scope")
    let enter = ["sh", "-c", #"echo $$ > "$0/cgroup.procs" && exec "$@""#, scope.path]
    let client = try connectThroughProxy(enter)
    let caller = try identify(#require(client.uniqueName)).get()
    #expect(caller.app == "flatpak:org.gnome.Maps")
    #expect(caller.walls == .sandbox)
    withExtendedLifetime(client) {}
  }
}

/// A folder of the unified hierarchy, that goes with the test.
private final class Cgroup2 {
  static let root: String? = {
    guard getuid() == 0, access("/run/systemd/private", F_OK) != 0 else { return nil }
    return ["/sys/fs/cgroup", "/sys/fs/cgroup/unified"].first {
      access($0 + "/cgroup.subtree_control", W_OK) == 0
    }
  }()
  static let isOurs = root != nil

  let path: String

  init(_ folder: String) throws {
    path = try #require(Self.root) + folder
    let deadline = Clock.boottime + Int64(patience * 1e9)
    // Another test may just be taking a common part away.
    while access(path, F_OK) != 0, Clock.boottime < deadline {
      try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }
    try #require(access(path, F_OK) == 0)
  }

  deinit {
    try? "1".write(toFile: path + "/cgroup.kill", atomically: false, encoding: .utf8)
    var folder = URL(filePath: path)
    let deadline = Clock.boottime + Int64(patience * 1e9)
    while rmdir(folder.path) != 0, Clock.boottime < deadline { usleep(2000) }
    repeat { folder.deleteLastPathComponent() } while rmdir(folder.path) == 0
  }
}
