import DBus
import Foundation
import Glibc
import LocationModel
import Platform
import TestSupport
import Testing

/// A bus of the test's own: the system bus's policy and what locationd installs, for whoever runs the
/// tests instead of locationd's user.
final class PrivateBus {
  let folder: URL
  var address: String { "unix:path=\(folder.path)/bus" }
  private(set) var program: Program?

  static let house = URL(filePath: Checkout.path)

  /// `guests`: names that others may have on it, and be called by.
  init(
    policies: [String] = ["org.locationd.conf"], guests: [String] = [], own: String? = nil
  ) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "bus-\(UUID())")
    let place = Self.policies(in: folder)
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    let configuration = try String(
      contentsOf: Self.house.appending(path: "Tests/BusPrograms/private-bus.conf"), encoding: .utf8)
    try configuration.replacingOccurrences(of: "@FOLDER@", with: folder.path)
      .write(to: folder.appending(path: "bus.conf"), atomically: true, encoding: .utf8)
    for name in policies { try add(policy: name) }
    for name in guests {
      try """
      <busconfig><policy context="default">
        <allow own="\(name)"/><allow send_destination="\(name)"/>
      </policy></busconfig>
      """.write(to: place.appending(path: "\(name).conf"), atomically: true, encoding: .utf8)
    }
    try own?.write(to: place.appending(path: "own.conf"), atomically: true, encoding: .utf8)
    // For other users' programs.
    chmod(folder.path, 0o755)
    try start()
  }

  deinit {
    program?.signal(SIGCONT)
    program = nil
    try? FileManager.default.removeItem(at: folder)
  }

  func start() throws {
    unlink(folder.appending(path: "bus").path)
    // It complains of each call that the policy refuses, and would wait for a reader.
    program = try Program([
      "sh", "-c", "exec \"$@\" >/dev/null 2>&1", "sh", "dbus-daemon", "--nofork", "--nopidfile",
      "--config-file=\(folder.appending(path: "bus.conf").path)",
    ])
    // Not everybody looks for it again.
    _ = try BusClient(address)
  }

  func add(policy name: String) throws {
    let place =
      name.contains("GeoClue") ? "geoclue" : name.contains("Timezone") ? "timezone" : "dbus"
    let policy = try String(
      contentsOf: Self.house.appending(path: "config/\(place)/\(name)"), encoding: .utf8)
    try policy.replacing(#/user="locationd(-places|-timezone)?"/#, with: "user=\"\(getuid())\"")
      .write(
        to: Self.policies(in: folder).appending(path: name), atomically: true, encoding: .utf8)
  }

  private static func policies(in folder: URL) -> URL { folder.appending(path: "policies") }

  func stop() { program = nil }

  /// Kilobytes of its own.
  var heldMemory: Int { get throws { try #require(program).heldMemory } }

  func freeze() { program?.signal(SIGSTOP) }
  func thaw() { program?.signal(SIGCONT) }
}

/// A program on the bus, as libraries see it, with a loop of its own.
final class BusClient {
  let loop: EventLoop
  private(set) var connection: BusConnection
  /// Signals that came and were not taken.
  private var heard: [BusMessage] = []
  var hears = true

  init(_ address: String) throws {
    loop = try EventLoop()
    connection = try BusConnection(to: .address(address), on: loop) { _ in }
    connection.signals = { [unowned self] in if hears { heard.append($0) } }
    try wait("the bus") { connection.uniqueName != nil }
  }

  func wait(_ what: String, until isSo: () throws -> Bool) throws {
    let deadline = Clock.boottime + .seconds(patience)
    while try !isSo() {
      try #require(Clock.boottime < deadline, "waited for \(what)")
      try loop.turn(within: .milliseconds(10))
    }
  }

  func ask(
    _ path: String, _ interface: String, _ member: String, _ arguments: [BusValue] = [],
    of service: String = "org.locationd"
  ) throws -> [BusValue] {
    var answer: BusCall.Answer?
    let message = try BusMessage(to: service, path, interface, member, arguments)
    let call = connection.call(message, patience: Int32(patience * 1000)) { answer = $0 }
    try wait("an answer to \(member)") { answer != nil }
    return try withExtendedLifetime(call) { try #require(answer).get().arguments() }
  }

  /// Whether somebody has that name.
  func isThere(_ name: String) throws -> Bool {
    let bus = "org.freedesktop.DBus"
    return try ask("/", bus, "NameHasOwner", [.string(name)], of: bus).first == .bool(true)
  }

  func waitForDaemon(_ name: String = "org.locationd") throws {
    try wait(name) { try isThere(name) }
  }

  /// The last part of the name of the error that a call is answered with.
  func refusal(
    _ path: String, _ interface: String, _ member: String, _ arguments: [BusValue] = [],
    of service: String = "org.locationd"
  ) throws -> String? {
    do {
      _ = try ask(path, interface, member, arguments, of: service)
      return nil
    } catch let error as BusError {
      return error.name
    }
  }

  func property(_ path: String, _ interface: String, _ name: String) throws -> BusValue? {
    let values = try ask(
      path, "org.freedesktop.DBus.Properties", "Get", [.string(interface), .string(name)])
    guard case .variant(let value) = values.first else { return nil }
    return value
  }

  /// The next signal of that name.
  func signal(_ member: String) throws -> BusMessage {
    try wait("the signal \(member)") { heard.contains { $0.member == member } }
    let place = try #require(heard.firstIndex { $0.member == member })
    return heard.remove(at: place)
  }

  func signals(_ member: String) -> [BusMessage] { heard.filter { $0.member == member } }

  /// Forgets the signals until now.
  func forget() { heard = [] }
}
