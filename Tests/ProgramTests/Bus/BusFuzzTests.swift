import DBus
import Foundation
import Platform
import Testing

@Suite("Nonsense on the bus", .serialized) struct BusFuzzTests {
  @Test("100,000 random calls end nothing, hang nothing, and leave nothing behind")
  func nonsense() throws {
    let bus = try PrivateBus(policies: ["org.locationd.conf", "org.locationd.GeoClue2.conf"])
    let daemon = try RunningDaemon(
      files: ["locationd.conf": "[DBus]\nGeoClue=yes\n"], bus: bus)
    let client = try BusClient(bus.address)
    client.hears = false
    var nonsense = Nonsense(seed: 8)
    var path = ""
    try client.wait("the daemon") {
      path = (try? client.makeClient()) ?? ""
      return !path.isEmpty
    }
    nonsense.paths.append(path)
    let calls = (0..<20_000).map { _ in nonsense.call() }
    func run(_ count: Int) throws {
      var waiting: [Int: BusCall] = [:]
      for number in 0..<count {
        waiting[number] = client.connection.call(try calls[number % calls.count]()) { _ in
          waiting[number] = nil
        }
        // The bus itself refuses more than 128 at a time.
        if waiting.count == 100 { try client.wait("answers") { waiting.count < 50 } }
      }
      try client.wait("all answers") { waiting.isEmpty }
    }
    // The most that those calls hold is held after the first of them.
    try run(40_000)
    #expect(try growth(of: daemon.program) { try run(12_000) } < 100)

    let sane = try BusClient(bus.address)
    try sane.call(try sane.makeClient(), "StartUpdatingLocation")
    #expect(try sane.location()["latitude"] == .double(45))
  }
}

/// Calls that nobody would make, the same each time.
struct Nonsense {
  private var state: UInt64
  var paths =
    ["/", "/org", "/org/locationd", "/org/locationd/client", "/org/locationd/client/1"]
    + ["Manager", "Client/1", "Client/2", "Location/1"].map { "/org/freedesktop/GeoClue2/" + $0 }
  private static let interfaces = [
    "org.locationd.Manager1", "org.locationd.Client1", "org.locationd.Permissions1",
    "org.locationd.Agents1", "org.locationd.Agent1",
    "org.freedesktop.DBus.Properties", "org.freedesktop.DBus.Introspectable",
    "org.freedesktop.DBus.Peer", "org.freedesktop.GeoClue2.Manager",
    "org.freedesktop.GeoClue2.Client", "org.freedesktop.GeoClue2.Location",
  ]
  private static let members = [
    "CreateClient", "DeleteClient", "Status", "StartUpdatingLocation", "StopUpdatingLocation",
    "RequestLocation", "Get", "GetAll", "Set", "Introspect", "Ping", "GetMachineId", "Nothing",
    "List", "Reset", "StartUpdatingHeading", "GetClient", "Start", "Stop", "AddAgent",
    "Register", "Unregister", "BeginUse", "EndUse", "RequestTemporaryFullAccuracy",
    "StartMonitoring",
    "StopMonitoring", "RequestState", "Acknowledge", "StartMonitoringVisits",
  ]
  private static let texts = [
    "", "org.locationd.Client1", "org.locationd.Manager1", "Location", "DesiredAccuracy", "App",
    "DistanceFilter", "org.freedesktop.GeoClue2.Client", "RequestedAccuracyLevel", "é🛰",
    String(repeating: "x", count: 2000),
  ]

  init(seed: UInt64) { state = seed }

  private mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state >> 24
  }

  private mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
  private mutating func pick(_ texts: [String]) -> String { texts[below(texts.count)] }

  /// Makes the same message each time.
  mutating func call() -> () throws -> BusMessage {
    let member = pick(Self.members)
    let path = pick(paths)
    let interface = pick(Self.interfaces)
    // Half of them have the right types, so that they come further.
    let values = below(2) == 0 ? likely(member) : (0..<below(4)).map { _ in value(depth: 0) }
    return { try BusMessage(to: "org.locationd", path, interface, member, values) }
  }

  private mutating func likely(_ member: String) -> [BusValue] {
    switch member {
    case "CreateClient": [.dictionary([pick(["name", "purpose", "x"]): value(depth: 2)])]
    case "DeleteClient", "Register", "Unregister": [.path(pick(paths))]
    case "RequestTemporaryFullAccuracy", "RequestState": [.string(pick(Self.texts))]
    case "StopMonitoring": [.strings([pick(Self.texts), pick(Self.texts)])]
    case "Acknowledge": [.uint64(below(2) == 0 ? .max : next())]
    case "StartMonitoring":
      [.array(of: "a{sv}", [.dictionary([pick(["identifier", "points"]): value(depth: 2)])])]
    case "GetAll": [.string(pick(Self.texts))]
    case "Get": [.string(pick(Self.texts)), .string(pick(Self.texts))]
    case "Set" where below(2) == 0:
      [
        .string("org.locationd.Client1"),
        .string(pick(["DesiredAccuracy", "DistanceFilter", "HeadingFilter"])),
        .variant(.double(number())),
      ]
    case "Set":
      [.string(pick(Self.texts)), .string(pick(Self.texts)), .variant(value(depth: 2))]
    default: []
    }
  }

  private mutating func number() -> Double {
    let edges: [Double] = [0, -1, 100, 1e18, .greatestFiniteMagnitude, .infinity, .nan]
    return below(2) == 0 ? edges[below(edges.count)] : Double(bitPattern: next() << 24 | next())
  }

  private mutating func value(depth: Int) -> BusValue {
    switch below(depth < 4 ? 15 : 11) {
    case 0: return .byte(UInt8(below(256)))
    case 1: return .bool(below(2) == 0)
    case 2: return .int16(Int16(truncatingIfNeeded: Int(next())))
    case 3: return .int32(Int32(truncatingIfNeeded: Int(next())))
    case 4: return .uint32(UInt32(truncatingIfNeeded: next()))
    case 5: return .int64(Int64(truncatingIfNeeded: next()))
    case 6: return .uint64(next())
    case 7, 8: return .double(number())
    case 9: return .string(pick(Self.texts))
    case 10: return .path(pick(paths))
    case 11: return .structure((0...below(3)).map { _ in value(depth: depth + 1) })
    case 12:
      let first = value(depth: depth + 1)
      return .array(of: first.type, [first, first])
    case 13: return .dictionary([pick(Self.texts): value(depth: depth + 1)])
    default: return .variant(value(depth: depth + 1))
    }
  }
}
