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
      var told: Result<BusCredentials, BusError>?
      let lookup = try asking.process(of: name) { credentials, process in
        told = credentials
        let isNone = process == nil
        #expect(isNone)
      }
      try rig.wait("the answer") { told != nil }
      #expect(throws: BusError.self) { try told?.get() }
      _ = lookup
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
