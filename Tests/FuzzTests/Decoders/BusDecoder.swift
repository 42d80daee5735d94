import LocationCore
import LocationModel
import ReceiverCore

@testable import DBus
@testable import locationd

extension Decoder {
  /// Messages as they come from the bus, and what is asked with them.
  static var bus: Decoder {
    let region = BusValue.dictionary([
      "identifier": .string("a"), "latitude": .double(50), "longitude": .double(8),
      "radius": .double(100), "notifyOnEntry": .bool(false),
    ])
    let points = BusValue.array(
      of: "ad", [[50, 8], [50, 9], [51, 8]].map { .array(of: "d", $0.map { .double($0) }) })
    let polygon = BusValue.dictionary(["identifier": .string("b"), "points": points])
    let bodies: [[BusValue]] = [
      [.array(of: "a{sv}", [region, polygon])], [.uint64(.max)], [.strings(["a", "b"])],
      [
        .string("exe:/a"), .uint32(1000),
        .dictionary(["authorization": .string("denied"), "once": .bool(true)]),
      ],
      [.dictionary(["desiredAccuracy": .double(100), "timeout": .int32(5), "manager": .byte(1)])],
      [.dictionary(["limit": .int64(.max), "after": .string("a"), "event": .uint64(5)])],
      [
        .structure([.int16(-1), .uint16(1), .path("/a"), .signature("s")]), .variant(.double(.nan)),
      ],
    ]
    return Decoder(
      name: "bus",
      words: [
        "a{sv}", "aa{sv}", "a{sa{sv}}", "(iiibv)", "aaaad", "identifier", "latitude", "longitude",
        "radius", "points", "timeout", "limit", "manager", "event", "uid", "app", "once", "level",
        "desiredAccuracy", "distanceFilter", "headingFilter", "\0\0\0\u{8}", "\u{7F}\0\0\0",
      ],
      seeds: bodies.compactMap { message($0).map { [0x40] + $0 } }
        + bodies.enumerated().compactMap { i, values in
          body(values).map { [0x41 + UInt8(i) << 3] + $0 }
        }
    ) { input in
      let (choice, bytes) = input.choice
      let whole = choice & 1 == 0 ? bytes : framed(bytes)
      guard let message = try? BusMessage(whole) else { return }
      _ = message.error
      _ = (message.kind, message.sender, message.path, message.interface, message.member)
      guard let values = try? message.arguments() else { return }
      check(values.map(\.type).joined() == message.signature, "of other types")
      if let again = Self.message(values).flatMap({ try? BusMessage($0).arguments() }) {
        check(again.map(\.type) == values.map(\.type), "it would be another message")
      }
      ask(values, choice >> 3)
    }
  }

  /// A signature behind its length, and a body of that signature, in a message that has the right
  /// lengths: which no chance would find.
  private static func framed(_ bytes: [UInt8]) -> [UInt8] {
    let signature = bytes.dropFirst().prefix(Int(bytes.first ?? 0) & 63)
    let body = bytes.dropFirst(1 + signature.count)
    var frame = BusFrame()
    frame.add(path: "/a".utf8)
    frame.add(member: "A".utf8)
    frame.add(signature: Array(signature))
    let count = frame.bytes.count
    frame.fill()
    var message: [UInt8] = []
    BusFrame.start(of: .call, serial: 1, fields: count, body: body.count, into: &message)
    return message + frame.bytes + body
  }

  private static func body(_ values: [BusValue]) -> [UInt8]? {
    var writer = BusWriter()
    do throws(BusError) {
      for value in values { try writer.append(value) }
    } catch {
      return nil
    }
    return [UInt8(writer.signature.count)] + writer.signature + writer.bytes
  }

  private static func message(_ values: [BusValue]) -> [UInt8]? {
    body(values).flatMap { $0[0] < 64 ? framed($0) : nil }
  }

  /// As the bus's objects do.
  private static func ask(_ values: [BusValue], _ choice: UInt8) {
    var requests: [Request] = []
    for value in values {
      _ = (value.asBytes, value.asDictionary, value.asString)
      let json = JSON(value)
      check((try? JSON(parsing: json.text)) != nil, "not JSON")
      _ = json.busValue
      let regions = (value.asArray ?? []).compactMap { try? Region(JSON($0)) }
      if !regions.isEmpty { requests.append(.startMonitoring(regions)) }
      if let number = value.asUInt64 { requests.append(.acknowledge(event: number)) }
      let method = methods[Int(choice) % methods.count]
      if let request = try? Request(method, json) { requests.append(request) }
    }
    guard !requests.isEmpty else { return }
    var mind = Mind()
    for request in requests { mind.call(Call(id: .null, request)) }
    mind.fix(at: Coordinate(latitude: 50, longitude: 8))
    for change in mind.changes { _ = LedgerTables.statements(change) }
  }

  private static let methods = [
    "startMonitoring", "acknowledge", "stopMonitoring", "permissions.set", "requestLocation",
    "monitoredRegions", "startUpdatingLocation", "startUpdatingHeading", "hello", "setActivation",
    "requestState", "permissions.reset", "services.set", "here.set", "requestAuthorization",
  ]
}
