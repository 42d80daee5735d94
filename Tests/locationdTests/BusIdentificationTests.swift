import DBus
import Foundation
import Glibc
import LocationCore
import LocationModel
import TestSupport
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
    limits.firstPause = .milliseconds(5)
    limits.longestPause = .milliseconds(50)
    let connection = try BusConnection(
      to: .address("unix:path=\(path)"), limits: limits, on: loop, handler: { _ in })
    try wait(on: loop) { connection.uniqueName != nil }
    return connection
  }

  private static func wait(on loop: EventLoop, until isSo: () -> Bool) throws {
    let deadline = Clock.boottime + .seconds(patience)
    while !isSo() {
      try #require(Clock.boottime < deadline)
      try loop.turn(within: .milliseconds(10))
    }
  }

  private func identify(_ name: String) throws -> Result<Caller, BusError> {
    var told: Result<Caller, BusError>?
    let identification = try identifier.identify(name, on: daemon) { told = $0 }
    #expect(told == nil)
    try Self.wait(on: loop) { told != nil }
    return try withExtendedLifetime(identification) { try #require(told) }
  }

  private func connectThroughProxy() throws -> BusConnection {
    let path = "\(folder)/proxy-\(programs.count)"
    programs.append(try Self.start(["xdg-dbus-proxy", "unix:path=\(folder)/bus", path]))
    return try Self.connect(to: path, on: loop)
  }

  @Test("a name is whoever connected")
  func direct() throws {
    let client = try Self.connect(to: "\(folder)/bus", on: loop)
    let caller = try identify(#require(client.uniqueName)).get()
    #expect(caller.uid == getuid())
    #expect(caller.pid == getpid())
    #expect(caller.confinement == .none)
    let own = ProcessFacts(
      uid: getuid(), pid: getpid(), label: nil, ProcessHandle.of(getpid(), uid: getuid()))
    #expect(caller == Caller(own, on: .own, userName: UserNames().name(of: getuid())))
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
    #expect(caller.confinement == .sandbox)
    withExtendedLifetime(client) {}
  }
}
