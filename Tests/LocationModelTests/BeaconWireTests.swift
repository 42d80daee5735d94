import Testing

@testable import LocationModel

@Suite("Beacons on the wire") struct BeaconWireTests {
  private static let text = "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0"

  @Test("a UUID reads as it is written, in either case, and as nothing else")
  func uuids() throws {
    let uuid = try #require(BeaconUUID(Self.text))
    #expect(uuid.description == Self.text)
    #expect(BeaconUUID(Self.text.lowercased()) == uuid)
    for wrong in [
      "", Self.text.dropLast() + "", Self.text + "0", "E2C56DB5DFFB48D2B060D0F5A71096E0",
      "G2C56DB5-DFFB-48D2-B060-D0F5A71096E0", "E2C56DB-5DFFB-48D2-B060-D0F5A71096E0",
    ] {
      #expect(BeaconUUID(wrong) == nil, "\(wrong)")
    }
  }

  private func frame(_ data: [UInt8]) -> BeaconFrame? { data.withUnsafeBytes { BeaconFrame($0) } }

  @Test("a beacon's frame says who it is and how strong it is at a metre; others are none")
  func frames() throws {
    let uuid: [UInt8] = [
      0xE2, 0xC5, 0x6D, 0xB5, 0xDF, 0xFB, 0x48, 0xD2, 0xB0, 0x60, 0xD0, 0xF5, 0xA7, 0x10, 0x96,
      0xE0,
    ]
    let data = [0x02, 0x15] + uuid + [0x01, 0x02, 0xFF, 0x03, 0xC5]
    let read = try #require(frame(data))
    #expect(read.identity.uuid.description == Self.text)
    #expect(read.identity.major == 258 && read.identity.minor == 65283)
    #expect(read.measuredPower == -59)
    for end in 0..<data.count { #expect(frame(Array(data[..<end])) == nil) }
    #expect(frame(data + [0]) == nil)
    #expect(frame([0x10] + data.dropFirst()) == nil && frame([0x02, 0x16] + data[2...]) == nil)
  }

  @Test("127 and 0 are no strength, nor is what no radio can hear")
  func strengths() throws {
    let uuid = try #require(BeaconUUID(Self.text))
    let frame = BeaconFrame(BeaconIdentity(uuid, major: 1, minor: 2), measuredPower: -59)
    for unknown in [127, 0, -128, 21, 32767] {
      #expect(BeaconReport(frame, rssi: unknown).rssi == nil)
    }
    #expect(BeaconReport(frame, rssi: -60).rssi == -60)
  }

  private func request(_ parameters: JSON) -> Result<Request, Refusal> {
    Result { () throws(Refusal) in
      try Request(method: "startRangingBeacons", parameters: Parameters(parameters))
    }
  }

  @Test("a request names a UUID, and a minor only with its major")
  func requests() throws {
    let uuid = try #require(BeaconUUID(Self.text))
    let good = try request([
      "uuid": .string(Self.text), "major": .integer(7), "minor": .integer(65535),
    ]).get()
    #expect(good == .startRangingBeacons(BeaconConstraint(uuid, major: 7, minor: 65535)))
    #expect(
      good.parameters["minor"]?.integer == 65535 && good.parameters["uuid"] == .string(Self.text))
    let wrong: [JSON] = [
      [:], ["uuid": "home"], ["uuid": .integer(5)],
      ["uuid": .string(Self.text), "minor": .integer(1)],
      ["uuid": .string(Self.text), "major": .integer(65536)],
      ["uuid": .string(Self.text), "major": .integer(-1)],
      ["uuid": .string(Self.text), "major": "7"],
      ["uuid": .string(Self.text), "mayor": .integer(7)],
    ]
    for parameters in wrong {
      #expect(throws: Refusal.self, "\(parameters)") { try request(parameters).get() }
    }
  }

  @Test("a list reads as it is written, what is unknown left out")
  func lists() throws {
    let uuid = try #require(BeaconUUID(Self.text))
    let moment = Timestamp(microseconds: 1_790_000_000_250_000)
    let beacons = [
      Beacon(
        BeaconIdentity(uuid, major: 1, minor: 2), .near, accuracy: 1.25, rssi: -61,
        timestamp: moment),
      Beacon(BeaconIdentity(uuid, major: 1, minor: 3), timestamp: moment),
    ]
    let event = Event.didRangeBeacons(BeaconConstraint(uuid, major: 1), beacons)
    #expect(event.hasPlace)
    var text = TextBuffer()
    text.append("{")
    text.appendMembers(of: event)
    text.append("}")
    let json = try JSON(parsing: String(decoding: text.bytes, as: UTF8.self))
    #expect(Event(name: "didRangeBeacons", json) == event)
    #expect(json["beacons"]?.array?.last?.members?.map(\.key).contains("accuracy") == false)
    #expect(json["beacons"]?.array?.last?["proximity"] == "unknown")
  }

  @Test("a region of beacons reads as it is written")
  func regions() throws {
    let uuid = try #require(BeaconUUID(Self.text))
    let region = Region(
      identifier: "cow", .beacon(BeaconConstraint(uuid, major: 3)), notifyOnExit: false)
    #expect(region.json["type"] == "beacon" && region.json["major"]?.integer == 3)
    #expect(try Region(region.json) == region)
    #expect(throws: Refusal.self) {
      try Region(["identifier": "a", "type": "beacon", "uuid": "nothing"])
    }
  }
}
