import DBus
import Foundation
import Glibc
import Platform
import TestSupport
import Testing

/// One of python-dbusmock's services on a private bus.
final class MockService {
  let bus: PrivateBus
  let client: BusClient
  private let program: Program
  private let name: String
  private static let interface = "org.freedesktop.DBus.Mock"

  /// `arguments`: of `python3 -m dbusmock`.
  init(_ arguments: [String], as name: String, on bus: PrivateBus) throws {
    self.bus = bus
    self.name = name
    program = try Program(
      ["/usr/bin/python3", "-m", "dbusmock", "--system"] + arguments,
      environment: ["DBUS_SYSTEM_BUS_ADDRESS": bus.address, "PYTHONUNBUFFERED": "1"])
    client = try BusClient(bus.address)
    let isThere = try eventually(within: patience) { try client.isThere(name) }
    try #require(isThere, "\(name) did not come")
  }

  func freeze() { program.signal(SIGSTOP) }

  @discardableResult
  func mock(_ path: String, _ member: String, _ arguments: [BusValue]) throws -> [BusValue] {
    try client.ask(path, Self.interface, member, arguments, of: name)
  }
}

/// A service manager, as far as it starts units.
extension MockService {
  static let systemd = "org.freedesktop.systemd1"

  static func serviceManager(on bus: PrivateBus) throws -> MockService {
    let (path, interface) = ("/org/freedesktop/systemd1", "\(systemd).Manager")
    let manager = try MockService([systemd, path, interface], as: systemd, on: bus)
    try manager.mock(
      path, "AddMethod",
      [
        .string(interface), .string("StartUnit"), .string("ss"), .string("o"),
        .string("ret = '\(path)/job/1'"),
      ])
    return manager
  }
}

/// logind, as far as sessions go.
final class Logind {
  static let name = "org.freedesktop.login1"
  private let service: MockService

  init(on bus: PrivateBus) throws {
    service = try MockService(["--template", "logind"], as: Self.name, on: bus)
  }

  func open(_ id: String, of uid: UInt32, active: Bool = true) throws {
    let path = try service.mock(
      "/org/freedesktop/login1", "AddSession",
      [.string(id), .string("seat0"), .uint32(uid), .string("somebody"), .bool(active)])
    try tell("SessionNew", id, path.first?.asString ?? "")
  }

  func close(_ id: String) throws {
    let path = "/org/freedesktop/login1/session/\(id)"
    try service.mock("/org/freedesktop/login1", "RemoveObject", [.string(path)])
    try tell("SessionRemoved", id, path)
  }

  func change(_ id: String, _ properties: [String: BusValue]) throws {
    try service.mock(
      "/org/freedesktop/login1/session/\(id)", "UpdateProperties",
      [.string("org.freedesktop.login1.Session"), .dictionary(properties)])
  }

  /// The machine has slept.
  func wakeUp() throws {
    try service.mock(
      "/org/freedesktop/login1", "EmitSignal",
      [
        .string("org.freedesktop.login1.Manager"), .string("PrepareForSleep"), .string("b"),
        .array(of: "v", [.variant(.bool(false))]),
      ])
  }

  private func tell(_ member: String, _ id: String, _ path: String) throws {
    try service.mock(
      "/org/freedesktop/login1", "EmitSignal",
      [
        .string("org.freedesktop.login1.Manager"), .string(member), .string("so"),
        .array(of: "v", [.variant(.string(id)), .variant(.path(path))]),
      ])
  }
}
