import LocationModel

/// A learnt network as the disk has it: places to 10 m, and no time finer than a day.
package struct NetworkRow: Equatable, Sendable {
  /// The row's number: the salted hash of the network's address.
  package var id: Int64
  package var bytes: [UInt8]

  package init(id: Int64, bytes: [UInt8]) {
    self.id = id
    self.bytes = bytes
  }

  private static let length = 22
  /// The row keeps 22 of the 32 bits for a circle, which is 9.5 m.
  private static let droppedBits: Int32 = 10
  private static let perWeight = 8.0

  init(_ network: LearntNetwork) {
    self.init(id: Int64(bitPattern: network.id), bytes: [])
    bytes.reserveCapacity(Self.length)
    append(network.place)
    append(network.second)
    append(UInt16(Double(network.weight) * Self.perWeight))
    append(network.day)
    append(network.secondDay)
    append(network.travelsUntil)
    bytes += [network.secondDays | (network.wasElsewhere ? 0x80 : 0), network.hearings]
  }

  /// Nil for bytes that are none of ours.
  var network: LearntNetwork? {
    guard bytes.count == Self.length else { return nil }
    var network = LearntNetwork(
      id: UInt64(bitPattern: id),
      .init(
        place: place(at: 0), accuracy: 0,
        strength: Double(max(1, number(at: 12))) / Self.perWeight, day: number(at: 14)))
    network.second = place(at: 6)
    network.secondDay = number(at: 16)
    network.travelsUntil = number(at: 18)
    network.secondDays = bytes[20] & 0x7F
    network.wasElsewhere = bytes[20] & 0x80 != 0
    network.hearings = bytes[21]
    network.isWritten = true
    return network.place.coordinate.isValid ? network : nil
  }

  private mutating func append(_ number: UInt16) {
    bytes += [UInt8(truncatingIfNeeded: number), UInt8(number >> 8)]
  }

  private mutating func append(_ place: PackedPlace) {
    for number in [place.latitude, place.longitude] {
      let rounded = (number &+ 1 << (Self.droppedBits - 1)) >> Self.droppedBits
      for shift in [0, 8, 16] { bytes.append(UInt8(truncatingIfNeeded: rounded >> shift)) }
    }
  }

  private func number(at start: Int) -> UInt16 {
    UInt16(bytes[start]) | UInt16(bytes[start + 1]) << 8
  }

  private func place(at start: Int) -> PackedPlace {
    func number(_ at: Int) -> Int32 {
      (Int32(bytes[at]) | Int32(bytes[at + 1]) << 8 | Int32(bytes[at + 2]) << 16)
        << Self.droppedBits
    }
    return PackedPlace(latitude: number(start), longitude: number(start + 3))
  }
}
