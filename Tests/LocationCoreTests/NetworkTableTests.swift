import LocationModel
import Testing

@testable import LocationCore

@Suite("The table of networks") struct NetworkTableTests {
  private func hearing(
    _ latitude: Double = 45, _ longitude: Double = 7, day: UInt16 = 20_000
  ) -> LearntNetwork.Hearing {
    .init(
      place: PackedPlace(Coordinate(latitude: latitude, longitude: longitude)), accuracy: 10,
      strength: 20, day: day)
  }

  @Test("networks whose hashes end alike are all found")
  func collisions() {
    var table = NetworkTable()
    let ids = (0..<500).map { UInt64($0) << 32 }
    for id in ids { table.hear(id, hearing()) }
    #expect(ids.allSatisfy { table[$0]?.id == $0 } && table[1] == nil)
    #expect(table.networks.count == ids.count)
  }

  @Test("a full table drops those that were heard least recently")
  func full() {
    var table = NetworkTable(most: 32)
    for id in UInt64(0)..<32 { table.hear(id, hearing(day: 20_000 - UInt16(id))) }
    table.hear(99, hearing())
    #expect(table.networks.count == 31 && table[99] != nil)
    #expect(table[31] == nil && table[30] == nil && table[29] != nil)
    let (changed, dropped) = table.drainChanges()
    #expect(changed.count == 31 && Set(dropped) == [30, 31])
    #expect(table.drainChanges() == ([], []))
    table.hear(5, hearing())
    #expect(table.drainChanges().changed.map(\.id) == [5])
  }

  @Test(
    "a row brings a network back to 10 m",
    arguments: [(45.0, 7.0), (-89.99, -179.9999), (0, 180), (90, 0)])
  func row(latitude: Double, longitude: Double) throws {
    var network = LearntNetwork(id: .max - 7, hearing(latitude, longitude))
    network.hear(hearing(latitude, longitude, day: 20_001))
    network.hear(hearing(latitude - 1, longitude, day: 20_002))
    network.wasElsewhere = true
    let row = NetworkRow(network)
    #expect(row.bytes.count == 22)
    var back = try #require(row.network)
    #expect(back.place.distance(to: network.place) < 8 && back.isWritten)
    (back.place, back.second, back.isWritten) = (network.place, network.second, false)
    #expect(back == network)
  }

  @Test("bytes of another length, or of a place beyond the pole, are no network")
  func foreignRow() {
    for count in [0, 21, 23] {
      let row = NetworkRow(id: 1, bytes: [UInt8](repeating: 0xFF, count: count))
      #expect(row.network == nil)
    }
    var row = NetworkRow(id: 1, bytes: [UInt8](repeating: 0xFF, count: 22))
    #expect(row.network != nil)
    row.bytes[2] = 0x1F
    #expect(row.network == nil)
  }

  @Test("a place is packed to a centimetre, and the date line is nowhere")
  func packed() {
    for place in [(45.1234567, 7.7654321), (-33.3, -179.99), (0, 0)] {
      let coordinate = Coordinate(latitude: place.0, longitude: place.1)
      let back = PackedPlace(coordinate).coordinate
      #expect(abs(back.latitude - place.0) < 1e-7 && abs(back.longitude - place.1) < 1e-7)
    }
    let west = PackedPlace(Coordinate(latitude: 0, longitude: -179.999))
    let east = PackedPlace(Coordinate(latitude: 0, longitude: 179.999))
    #expect(abs(west.distance(to: east) - 222.4) < 0.1)
    #expect(abs(west.moved(by: 0.5, towards: east).distance(to: east) - 111.2) < 0.1)
  }

  @Test("addresses are hashed by SipHash-2-4, as its authors' vectors have it")
  func salt() {
    let salt = NetworkSalt(0x0706_0504_0302_0100, 0x0F0E_0D0C_0B0A_0908)
    #expect(salt.hash(0x0706_0504_0302_0100) == 0x93F5_F579_9A93_2462)
  }
}
