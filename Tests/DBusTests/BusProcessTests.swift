import CDBus
import Foundation
import Glibc
import Platform
import TestSupport
import Testing

@testable import DBus

@Suite("Processes on the bus", .serialized) struct BusProcessTests {
  let rig: BusRig
  let asking: BusConnection

  init() throws {
    rig = try BusRig()
    asking = try rig.connect()
  }

  @Test("the bus says whose a name is, and the kernel which process")
  func known() throws {
    let client = try rig.connect()
    var told: Result<BusCredentials, BusError>?
    var sight: ProcessSight?
    let lookup = try asking.process(of: #require(client.uniqueName)) { credentials, process in
      told = credentials
      sight = process?.look()
    }
    try rig.wait("the answer") { told != nil }
    #expect(try told?.get().uid == getuid())
    #expect(try told?.get().pid == UInt32(getpid()))
    #expect(sight?.cgroup == (try File.bytes(of: "/proc/self/cgroup", atMost: 65536)))
    withExtendedLifetime((client, lookup)) {}
  }

  @Test("a name that has gone is told to have")
  func gone() throws {
    var client: BusConnection? = try rig.connect()
    let name = try #require(client?.uniqueName)
    client = nil
    for name in [name, ":1.99999"] {
      // The bus may read the question before it sees the end of the other.
      let end = ContinuousClock.now + .seconds(180)
      var isGone = false
      while !isGone, ContinuousClock.now < end {
        var told: Result<BusCredentials, BusError>?
        var hasProcess = false
        let lookup = try asking.process(of: name) { credentials, process in
          told = credentials
          hasProcess = process != nil
        }
        try rig.wait("the answer") { told != nil }
        if case .failure = told { isGone = !hasProcess }
        _ = lookup
      }
      #expect(isGone)
    }
    #expect(throws: BusError.self) { try asking.process(of: "org.a.B") { _, _ in } }
    _ = client
  }

  @Test("let go of, nothing is told")
  func letGo() throws {
    let client = try rig.connect()
    let name = try #require(client.uniqueName)
    var told = 0
    var first: BusProcess? = try asking.process(of: name) { _, _ in told += 1 }
    withExtendedLifetime(first) { first = nil }
    let second = try asking.process(of: name) { _, _ in told += 10 }
    try rig.wait("the second") { told >= 10 }
    #expect(told == 10)
    withExtendedLifetime((client, second)) {}
  }

  @Test("a caller is identified once, and told to have gone")
  func callers() throws {
    var questions = 0
    let callers = BusCallers<UInt32>(on: asking) { [asking] (name, completion) throws(BusError) in
      questions += 1
      return try asking.process(of: name) { credentials, _ in completion(credentials.map(\.uid)) }
    }
    var gone: [UInt32] = []
    callers.gone.append { gone.append($0) }
    var client: BusConnection? = try rig.connect()
    let name = try #require(client?.uniqueName)
    var told: [UInt32] = []
    for number in 1...3 {
      callers.identify(name) { if case .success(let uid) = $0 { told.append(uid) } }
      // The first two wait for the same answer.
      if number == 2 { try rig.wait("the answer") { told.count == 2 } }
    }
    #expect(told == [getuid(), getuid(), getuid()])
    #expect(questions == 1)
    withExtendedLifetime(client) { client = nil }
    try rig.wait("the end") { gone == [getuid()] }
    callers.identify(name) { if case .success = $0 { told.append(0) } }
    #expect(told.count == 3)
  }

  @Test("a descriptor that comes with an answer is taken from under its key alone")
  func descriptor() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    let message = try #require(
      Self.answer(["ProcessID": nil, "ProcessFD": ends[0], "Other": ends[1]]))
    guard let descriptor = message.descriptor(of: "ProcessFD") else {
      Issue.record("no descriptor")
      return
    }
    #expect(write(ends[1], "x", 1) == 1)
    let content = withUnsafeTemporaryAllocation(byteCount: 8, alignment: 1) {
      descriptor.read(into: $0)
    }
    #expect(content == .bytes(1))
    for key in ["", "ProcessID", "Process"] {
      let isNone = message.descriptor(of: key) == nil
      #expect(isNone)
    }
    let plain = try BusMessage(to: "a.b", "/", "a.b", "C", [.string("ProcessFD")])
    let isNone = plain.descriptor(of: "ProcessFD") == nil
    #expect(isNone)
  }

  /// An answer as newer buses give it; nil stands for a number.
  private static func answer(_ entries: KeyValuePairs<String, Int32?>) -> BusMessage? {
    guard let pointer = dbus_message_new(2) else { return nil }
    var argument = DBusMessageIter()
    var array = DBusMessageIter()
    dbus_message_iter_init_append(pointer, &argument)
    dbus_message_iter_open_container(&argument, 97, "{sv}", &array)
    for (key, number) in entries {
      var entry = DBusMessageIter()
      var value = DBusMessageIter()
      dbus_message_iter_open_container(&array, 101, nil, &entry)
      key.withCString { key in
        var key: UnsafePointer<CChar>? = key
        _ = dbus_message_iter_append_basic(&entry, 115, &key)
      }
      dbus_message_iter_open_container(&entry, 118, number == nil ? "u" : "h", &value)
      var content = number ?? 7
      dbus_message_iter_append_basic(&value, number == nil ? 117 : 104, &content)
      dbus_message_iter_close_container(&entry, &value)
      dbus_message_iter_close_container(&array, &entry)
    }
    dbus_message_iter_close_container(&argument, &array)
    return BusMessage(owning: pointer)
  }
}
