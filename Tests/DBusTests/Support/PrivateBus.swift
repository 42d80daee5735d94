import Foundation
import Glibc
import LocationModel
import Platform
import TestSupport
import Testing

@testable import DBus

/// A bus daemon of the test's own, with the system bus's denying policy, what we install, and one more name allowed.
final class PrivateBus {
  static let name = "org.locationd.Test"

  let folder: String
  private(set) var pid: pid_t = 0
  var address: String { "unix:path=\(folder)/bus" }

  init() throws {
    folder = FileManager.default.temporaryDirectory.path + "/bus-\(UUID().uuidString.prefix(8))"
    try FileManager.default.createDirectory(
      atPath: folder + "/policies", withIntermediateDirectories: true)
    let house = URL(filePath: Checkout.path)
    let configuration = try String(
      contentsOf: house.appending(path: "Tests/BusPrograms/private-bus.conf"), encoding: .utf8)
    try configuration.replacingOccurrences(of: "@FOLDER@", with: folder)
      .write(toFile: folder + "/bus.conf", atomically: true, encoding: .utf8)
    try Self.policy.write(
      toFile: folder + "/policies/test.conf", atomically: true, encoding: .utf8)
    try FileManager.default.copyItem(
      at: house.appending(path: "config/dbus/org.locationd.conf"),
      to: URL(filePath: folder + "/policies/org.locationd.conf"))
    try start()
  }

  deinit {
    kill()
    try? FileManager.default.removeItem(atPath: folder)
  }

  func start() throws {
    unlink(folder + "/bus")
    let command = ["dbus-daemon", "--nofork", "--nopidfile", "--config-file=\(folder)/bus.conf"]
    pid = try spawn(command)
  }

  func kill() {
    guard pid != 0 else { return }
    Glibc.kill(pid, SIGKILL)
    waitpid(pid, nil, 0)
    pid = 0
  }

  /// Kilobytes.
  var residentMemory: Int {
    let text = (try? kernelText("/proc/\(pid)/statm")) ?? ""
    return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 4
  }

  func freeze() { Glibc.kill(pid, SIGSTOP) }
  func thaw() { Glibc.kill(pid, SIGCONT) }

  private static let policy = """
    <busconfig>
      <policy context="default">
        <allow own="\(name)"/>
        <allow send_destination="\(name)"/>
        <allow send_destination="org.freedesktop.DBus"
               send_interface="org.freedesktop.DBus.Debug.Stats" send_member="GetConnectionStats"/>
        <allow send_destination="org.freedesktop.DBus"
               send_interface="org.freedesktop.DBus.Monitoring"/>
      </policy>
    </busconfig>
    """
}

/// A private bus and a loop; everyone on the bus is served by this loop.
final class BusRig {
  let bus: PrivateBus
  let loop: EventLoop

  init() throws {
    bus = try PrivateBus()
    loop = try EventLoop()
  }

  /// A connection that is up.
  func connect(
    _ limits: BusConnection.Limits = quick, told: @escaping (BusConnection.Event) -> Void = { _ in }
  ) throws -> BusConnection {
    let connection = try BusConnection(
      to: .address(bus.address), limits: limits, on: loop, handler: told)
    try wait("the bus") { connection.uniqueName != nil }
    return connection
  }

  static var quick: BusConnection.Limits {
    var limits = BusConnection.Limits()
    limits.firstPause = .milliseconds(5)
    limits.longestPause = .milliseconds(50)
    return limits
  }

  /// Runs the loop until it is so.
  func wait(
    _ what: String, until isSo: () -> Bool, at location: SourceLocation = #_sourceLocation
  ) throws {
    let deadline = Clock.boottime + .seconds(patience)
    while !isSo() {
      try #require(Clock.boottime < deadline, "waited for \(what)", sourceLocation: location)
      try loop.turn(within: .milliseconds(10))
    }
  }

  /// Calls and waits for what comes back.
  func ask(_ connection: BusConnection, _ message: BusMessage) throws -> Result<
    [BusValue], BusError
  > {
    var answer: BusCall.Answer?
    let call = connection.call(message, patience: Int32(patience * 1000)) { answer = $0 }
    try wait("an answer") { answer != nil }
    _ = call
    return try #require(answer).flatMap { reply in
      Result { () throws(BusError) in try reply.arguments() }
    }
  }

  /// The same of a method of the thing.
  func ask(
    _ connection: BusConnection, _ member: String, _ arguments: [BusValue] = [],
    of interface: String = Thing.interface, at path: String = "/thing"
  ) throws -> Result<[BusValue], BusError> {
    try ask(connection, BusMessage(to: PrivateBus.name, path, interface, member, arguments))
  }
}

/// Something on the bus to try everything with.
final class Thing {
  static let interface = "org.locationd.Thing1"
  static let regions = BusValue.array(of: "a{sv}", [.dictionary(["radius": .double(100)])])

  var count: UInt32 = 7
  var waiting: [BusInvocation] = []

  static let table = BusInterface(
    interface,
    methods: [
      BusMethod("Add", in: [.init("a", "i"), .init("b", "i")], out: [.init("sum", "i")]) {
        (_: Thing, call) throws(BusError) in
        guard case .int32(let a) = call.arguments[0], case .int32(let b) = call.arguments[1] else {
          throw .invalidArguments("numbers")
        }
        return [.int32(a &+ b)]
      },
      BusMethod("Echo", in: [.init("value", "v")], out: [.init("value", "v")]) {
        (_: Thing, call) throws(BusError) in call.arguments
      },
      BusMethod("Wait", out: [.init("word", "s")]) { (thing: Thing, call) throws(BusError) in
        thing.waiting.append(call)
        return nil
      },
      BusMethod("Forget") { (_: Thing, _) throws(BusError) in nil },
      BusMethod("Fail") { (_: Thing, _) throws(BusError) in
        throw BusError("org.locationd.Error.Denied", "not you")
      },
      BusMethod("Blunder", out: [.init("word", "s")]) { (_: Thing, _) throws(BusError) in [] },
    ],
    properties: [
      BusProperty("Version", "s", .constant) { (_: Thing) in .string("1") },
      BusProperty(
        "Count", "u", get: { (thing: Thing) in .uint32(thing.count) },
        set: { (thing, _, value) throws(BusError) in
          guard let count = value.asUInt32, count < 100 else {
            throw .invalidArguments("below 100")
          }
          thing.count = count
        }),
      BusProperty("Location", "a{sv}", .untold) { (_: Thing) in .dictionary(["x": .double(1)]) },
      BusProperty("Regions", "aa{sv}", .invalidated) { (_: Thing) in regions },
    ],
    signals: [.init("Moved", [.init("location", "a{sv}"), .init("event", "t")])])
}

/// The thing, served under its name.
final class ThingServer {
  let thing = Thing()
  let object: BusObject
  let connection: BusConnection
  private var name: BusName?
  var states: [BusName.State] = []

  init(_ rig: BusRig, limits: BusConnection.Limits = BusRig.quick) throws {
    connection = try BusConnection(to: .address(rig.bus.address), limits: limits, on: rig.loop) {
      _ in
    }
    object = BusObject("/thing", target: thing, [Thing.table])
    try connection.export(object)
    name = try connection.own(PrivateBus.name) { [unowned self] in states.append($0) }
    try rig.wait("the name") { [unowned self] in states.last == .owned }
  }

  func giveUpName() { name = nil }
}

/// A connection with a loop of its own, so that it reads only when it is told to.
final class BusClientElsewhere {
  private let loop: EventLoop
  private var connection: BusConnection?
  private var heard: [[BusValue]] = []
  private(set) var name = ""

  init(_ address: String) throws {
    loop = try EventLoop()
    connection = try BusConnection(to: .address(address), on: loop) { _ in }
    connection?.signals = { [unowned self] in heard.append((try? $0.arguments()) ?? []) }
    let deadline = Clock.boottime + .seconds(patience)
    while connection?.uniqueName == nil {
      try #require(Clock.boottime < deadline)
      try loop.turn(within: .milliseconds(10))
    }
    name = connection?.uniqueName ?? ""
  }

  private var calls: [BusCall] = []

  /// A call that is sent without a turn of the loop.
  func call(_ message: BusMessage, completion: @escaping () -> Void) -> BusCall? {
    connection?.call(message, patience: Int32(patience * 10_000)) {
      if case .success = $0 { completion() }
    }
  }

  func keep(_ call: BusCall?) { if let call { calls.append(call) } }

  /// The arguments of all signals that are there now.
  func read() throws -> [[BusValue]] {
    try loop.turn(within: .zero)
    defer { heard = [] }
    return heard
  }
}
