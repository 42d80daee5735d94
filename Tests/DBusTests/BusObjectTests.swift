import Foundation
import Platform
import TestSupport
import Testing

@testable import DBus

@Suite("Bus objects", .serialized) struct BusObjectTests {
  let rig: BusRig
  let server: ThingServer
  let client: BusConnection

  init() throws {
    rig = try BusRig()
    server = try ThingServer(rig)
    client = try rig.connect()
  }

  private func properties(
    _ member: String, _ arguments: [BusValue], at path: String = "/thing"
  ) throws -> Result<[BusValue], BusError> {
    try rig.ask(client, member, arguments, of: BusStandard.properties, at: path)
  }

  private func error(_ member: String, _ arguments: [BusValue]) throws -> String? {
    guard case .failure(let error) = try properties(member, arguments) else { return nil }
    return error.name.split(separator: ".").last.map(String.init)
  }

  private func count(_ value: BusValue) -> [BusValue] {
    [.string(Thing.interface), .string("Count"), .variant(value)]
  }

  @Test("properties are read, one or all, and set where they may be")
  func properties() throws {
    let one = try properties("Get", [.string(Thing.interface), .string("Count")]).get()
    #expect(one == [.variant(.uint32(7))])
    #expect(try properties("Set", count(.uint32(8))).get() == [])
    #expect(server.thing.count == 8)
    let all = try properties("GetAll", [.string(Thing.interface)]).get().first?.asDictionary
    #expect(
      all == [
        "Version": .string("1"), "Count": .uint32(8), "Regions": Thing.regions,
        "Location": .dictionary(["x": .double(1)]),
      ])
    #expect(try properties("GetAll", [.string(BusStandard.peer)]).get() == [.dictionary([:])])
  }

  @Test("a property of each caller's own is told later, alone or with all, or refused")
  func own() throws {
    let interface = "org.locationd.Own1"
    final class Teller {
      var questions: [(call: BusInvocation, tell: (BusValue) -> Void)] = []
    }
    let teller = Teller()
    let table = BusInterface(
      interface,
      properties: [
        BusProperty("Caller", "s") { (teller: Teller, call, tell) in
          teller.questions.append((call, tell))
        }, BusProperty("Version", "s", .constant) { (_: Teller) in .string("1") },
      ])
    let object = BusObject("/own", target: teller, [table])
    try server.connection.export(object)
    func ask(_ member: String, _ names: String..., isRefused: Bool = false) throws -> BusValue? {
      var answer: BusCall.Answer?
      let message = try BusMessage(
        to: PrivateBus.name, "/own", BusStandard.properties, member,
        ([interface] + names).map(BusValue.string))
      let call = client.call(message) { answer = $0 }
      try rig.wait("the question") { !teller.questions.isEmpty }
      #expect(answer == nil)
      let (question, tell) = teller.questions.removeFirst()
      if isRefused { question.refuse(.failed("no")) } else { tell(.string(question.sender)) }
      try rig.wait("the answer") { answer != nil }
      return try withExtendedLifetime(call) { try #require(answer).get().arguments().first }
    }
    let name = BusValue.string(try #require(client.uniqueName))
    #expect(try ask("Get", "Caller") == .variant(name))
    #expect(try ask("GetAll")?.asDictionary == ["Caller": name, "Version": .string("1")])
    #expect(throws: BusError.self) { try ask("GetAll", isRefused: true) }
    #expect(try document("/own", for: client).contains("EmitsChangedSignal\" value=\"false\"/>"))
    withExtendedLifetime(object) {}
  }

  @Test("a watch has an object's properties as they are and become, and none without an owner")
  func watch() throws {
    var counts: [UInt32?] = []
    let watch = BusPropertyWatch(
      of: Thing.interface, at: "/thing", by: PrivateBus.name, on: client
    ) { counts.append($0["Count"]?.asUInt32) }
    try rig.wait("all of them") { counts == [7] }
    server.thing.count = 8
    try server.connection.propertiesChanged(["Count"], of: Thing.interface, on: server.object)
    try rig.wait("the change") { counts == [7, 8] }
    server.giveUpName()
    try rig.wait("the end") { counts == [7, 8, nil] }
    _ = watch
  }

  @Test("what cannot be read or set is told by the standard errors")
  func wrongProperties() throws {
    let name = BusValue.string(Thing.interface)
    #expect(try error("Set", count(.int32(8))) == "InvalidArgs")
    #expect(try error("Set", count(.uint32(100))) == "InvalidArgs")
    #expect(
      try error("Set", [name, .string("Version"), .variant(.string("2"))]) == "PropertyReadOnly")
    #expect(try error("Get", [name, .string("Nothing")]) == "UnknownProperty")
    #expect(try error("Get", [.string("a.b"), .string("Count")]) == "UnknownInterface")
    #expect(try error("GetAll", [.string("")]) == "UnknownInterface")
    #expect(try error("Get", [name]) == "InvalidArgs")
    #expect(try error("Take", [name]) == "UnknownMethod")
    #expect(server.thing.count == 7)
  }

  @Test("changed properties are told as their table says, to the owner alone")
  func changes() throws {
    let other = try rig.connect()
    let owned = BusObject(
      "/thing/1", owner: client.uniqueName, target: server.thing, [Thing.table])
    try server.connection.export(owned)
    var heard: [BusMessage] = []
    var overheard = 0
    client.signals = { heard.append($0) }
    other.signals = { _ in overheard += 1 }
    try server.connection.propertiesChanged(
      ["Count", "Regions", "Location"], of: Thing.interface, on: owned)
    try rig.wait("the signal") { heard.count == 1 }
    #expect(heard[0].member == "PropertiesChanged")
    #expect(heard[0].path == "/thing/1")
    #expect(
      try heard[0].arguments() == [
        .string(Thing.interface), .dictionary(["Count": .uint32(7)]), .strings(["Regions"]),
      ])
    try server.connection.propertiesChanged(["Location"], of: Thing.interface, on: owned)
    // An answer after it came after it.
    _ = try rig.ask(client, "Add", [.int32(1), .int32(1)])
    _ = try rig.ask(other, "Add", [.int32(1), .int32(1)])
    #expect(heard.count == 1)
    #expect(overheard == 0)
  }

  @Test("an object does not keep who answers for it, and is not there without them")
  func kept() throws {
    final class Keeper {
      let thing = Thing()
    }
    var keeper: Keeper? = Keeper()
    weak let thing = keeper?.thing
    let object = BusObject("/thing/kept", target: try #require(thing), [Thing.table])
    try server.connection.export(object)
    let call: [BusValue] = [.int32(1), .int32(1)]
    #expect(try rig.ask(client, "Add", call, at: "/thing/kept").get() == [.int32(2)])
    withExtendedLifetime(keeper) { keeper = nil }
    #expect(thing == nil)
    guard case .failure(let error) = try rig.ask(client, "Add", call, at: "/thing/kept") else {
      Issue.record("nobody answered")
      return
    }
    #expect(error.message == "no object /thing/kept")
  }

  @Test("an object is there for its owner, and for nobody else")
  func owners() throws {
    let other = try rig.connect()
    let name = try #require(client.uniqueName)
    let object = BusObject("/thing/a/b", owner: name, target: server.thing, [Thing.table])
    try server.connection.export(object)
    let call: [BusValue] = [.int32(1), .int32(1)]
    #expect(try rig.ask(client, "Add", call, at: "/thing/a/b").get() == [.int32(2)])
    let hidden = try rig.ask(other, "Add", call, at: "/thing/a/b")
    let absent = try rig.ask(other, "Add", call, at: "/thing/a/c")
    guard case .failure(let no) = hidden, case .failure(let nothing) = absent else {
      Issue.record("a stranger was answered")
      return
    }
    #expect(no.name == nothing.name)
    #expect(no.message == "no object /thing/a/b")
    #expect(try document("/thing", for: client).contains("<node name=\"a\"/>"))
    #expect(try document("/thing/a", for: client).contains("<node name=\"b\"/>"))
    #expect(try !document("/thing", for: other).contains("<node name"))
    #expect(throws: BusError.self) { try document("/thing/a", for: other) }
    #expect(throws: BusError.self) { try document("/thing/a/b", for: other) }
    #expect(throws: BusError.self) {
      let all: [BusValue] = [.string(Thing.interface)]
      return try rig.ask(other, "GetAll", all, of: BusStandard.properties, at: "/thing/a/b").get()
    }

    server.connection.remove(object)
    #expect(throws: BusError.self) {
      try rig.ask(client, "Add", call, at: "/thing/a/b").get()
    }
  }

  private func document(_ path: String, for client: BusConnection) throws -> String {
    let answer = try rig.ask(client, "Introspect", of: BusStandard.introspectable, at: path)
    return try answer.get().first?.asString ?? ""
  }

  @Test("the whole tree can be walked from the root, with each annotation")
  func introspection() throws {
    #expect(try document("/", for: client).contains("<node name=\"thing\"/>"))
    let text = try document("/thing", for: client)
    for part in [
      "<method name=\"Add\">", "<arg name=\"sum\" type=\"i\" direction=\"out\"/>",
      "<property name=\"Count\" type=\"u\" access=\"readwrite\"/>",
      "<signal name=\"Moved\">", "EmitsChangedSignal\" value=\"const\"/>",
      "EmitsChangedSignal\" value=\"invalidates\"/>", "EmitsChangedSignal\" value=\"false\"/>",
      "<interface name=\"org.freedesktop.DBus.Peer\">",
    ] {
      #expect(text.contains(part), "\(part)")
    }
    #expect(try rig.ask(client, "Ping", of: BusStandard.peer).get() == [])
  }

  @Test("busctl understands what an object says of itself")
  func busctl() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    let reader = Descriptor(owning: ends[0])
    _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    let pid = try spawn(
      ["busctl", "--address=\(rig.bus.address)", "introspect", PrivateBus.name, "/thing"],
      streams: [1: ends[1], 2: nil])
    close(ends[1])
    defer { Glibc.kill(pid, SIGKILL) }
    var status: Int32 = -1
    try rig.wait("busctl") { waitpid(pid, &status, WNOHANG) == pid }
    #expect(status == 0)
    var buffer = [UInt8](repeating: 0, count: 65536)
    guard case .bytes(let count) = buffer.withUnsafeMutableBytes({ reader.read(into: $0) }) else {
      Issue.record("busctl says nothing")
      return
    }
    let lines = String(decoding: buffer[..<count], as: UTF8.self).split(separator: "\n")
      .map { $0.split(separator: " ").joined(separator: " ") }
    for line in [
      ".Add method ii i -", ".Echo method v v -", ".Count property u 7 emits-change writable",
      ".Version property s \"1\" const", ".Location property a{sv} 1 \"x\" d 1 -",
      ".Regions property aa{sv} 1 1 \"radius\" d 100 emits-invalidation",
      ".Moved signal a{sv}t - -",
    ] {
      #expect(lines.contains(line), "\(line)")
    }
  }
}
