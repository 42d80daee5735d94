/// The 16 bytes that all beacons of one owner have in common.
package struct BeaconUUID: Hashable, Comparable, Sendable {
  package let high: UInt64
  package let low: UInt64

  package init(_ high: UInt64, _ low: UInt64) { (self.high, self.low) = (high, low) }

  package static func < (a: Self, b: Self) -> Bool { (a.high, a.low) < (b.high, b.low) }
}

extension BeaconUUID: CustomStringConvertible {
  /// Digits in groups of 8, 4, 4, 4 and 12, as `uuidgen` prints them; nil for anything else.
  package init?(_ text: some StringProtocol) {
    guard text.utf8.count == 36 else { return nil }
    var (high, low): (UInt64, UInt64) = (0, 0)
    for (i, byte) in text.utf8.enumerated() {
      if Self.hyphens.contains(i) {
        guard byte == UInt8(ascii: "-") else { return nil }
      } else {
        guard let digit = Character(UnicodeScalar(byte)).hexDigitValue else { return nil }
        high = high << 4 | low >> 60
        low = low << 4 | UInt64(digit)
      }
    }
    self.init(high, low)
  }

  package var description: String {
    var text = ""
    for i in 0..<32 {
      let word = i < 16 ? high : low
      text += String(word >> UInt64((15 - i % 16) * 4) & 0xF, radix: 16, uppercase: true)
      if [8, 12, 16, 20].contains(i + 1) { text += "-" }
    }
    return text
  }

  private static let hyphens: Set<Int> = [8, 13, 18, 23]
}

/// The name that one beacon sends.
package struct BeaconIdentity: Hashable, Comparable, Sendable {
  package var uuid: BeaconUUID
  package var major: UInt16
  package var minor: UInt16

  package init(_ uuid: BeaconUUID, major: UInt16, minor: UInt16) {
    (self.uuid, self.major, self.minor) = (uuid, major, minor)
  }

  package static func < (a: Self, b: Self) -> Bool {
    (a.uuid, a.major, a.minor) < (b.uuid, b.major, b.minor)
  }
}

/// A choice of beacons: all of a UUID, those with a major, or one.
package struct BeaconConstraint: Hashable, Comparable, Sendable {
  package let uuid: BeaconUUID
  package let major: UInt16?
  /// Nil without a major.
  package let minor: UInt16?

  package init(_ uuid: BeaconUUID, major: UInt16? = nil, minor: UInt16? = nil) {
    (self.uuid, self.major, self.minor) = (uuid, major, major == nil ? nil : minor)
  }

  package func matches(_ identity: BeaconIdentity) -> Bool {
    uuid == identity.uuid && (major == nil || major == identity.major)
      && (minor == nil || minor == identity.minor)
  }

  package static func < (a: Self, b: Self) -> Bool { a.order < b.order }

  private var order: (BeaconUUID, Int, Int) {
    (uuid, major.map(Int.init) ?? -1, minor.map(Int.init) ?? -1)
  }
}

extension BeaconIdentity {
  /// All constraints that it satisfies.
  package var constraints: [BeaconConstraint] {
    [
      BeaconConstraint(uuid), BeaconConstraint(uuid, major: major),
      BeaconConstraint(uuid, major: major, minor: minor),
    ]
  }
}

package enum Proximity: String, Sendable {
  case immediate, near, far, unknown
}

/// A beacon as a client is told of it.
package struct Beacon: Equatable, Sendable {
  package var identity: BeaconIdentity
  package var proximity: Proximity
  /// Metres, to tell beacons of the same proximity apart; nil where they are unknown.
  package var accuracy: Double?
  /// dBm; nil where it is unknown.
  package var rssi: Int?
  /// When it was heard last.
  package var timestamp: Timestamp

  package init(
    _ identity: BeaconIdentity, _ proximity: Proximity = .unknown, accuracy: Double? = nil,
    rssi: Int? = nil, timestamp: Timestamp
  ) {
    self.identity = identity
    self.proximity = proximity
    self.accuracy = accuracy
    self.rssi = rssi
    self.timestamp = timestamp
  }
}

/// The frame that a beacon sends.
package struct BeaconFrame: Hashable, Comparable, Sendable {
  package var identity: BeaconIdentity
  /// dBm at a metre, as the beacon says.
  package var measuredPower: Int8

  package static func < (a: Self, b: Self) -> Bool {
    (a.identity, a.measuredPower) < (b.identity, b.measuredPower)
  }

  /// As most beacons say.
  package static let usualPower: Int8 = -59

  package init(_ identity: BeaconIdentity, measuredPower: Int8 = usualPower) {
    self.identity = identity
    self.measuredPower = measuredPower
  }

  /// Apple's number among makers of Bluetooth devices, under which the frame is sent.
  package static let company: UInt16 = 0x004C
  private static let kind: [UInt8] = [0x02, 0x15]
  private static let length = 23

  /// How the maker's data of each beacon begin, with the maker's number.
  package static var start: [UInt8] {
    [UInt8(company & 0xFF), UInt8(company >> 8)] + kind
  }

  /// The data under that maker's number.
  package var bytes: [UInt8] {
    var bytes = Self.kind
    withUnsafeBytes(of: identity.uuid.high.bigEndian) { bytes += $0 }
    withUnsafeBytes(of: identity.uuid.low.bigEndian) { bytes += $0 }
    withUnsafeBytes(of: identity.major.bigEndian) { bytes += $0 }
    withUnsafeBytes(of: identity.minor.bigEndian) { bytes += $0 }
    return bytes + [UInt8(bitPattern: measuredPower)]
  }

  /// Reads the data of that maker; nil where they are no beacon's.
  package init?(_ data: UnsafeRawBufferPointer) {
    guard data.count == Self.length, data.starts(with: Self.kind) else { return nil }
    func word<Word: FixedWidthInteger>(_ place: Int, as _: Word.Type) -> Word {
      Word(bigEndian: data.loadUnaligned(fromByteOffset: place, as: Word.self))
    }
    identity = BeaconIdentity(
      BeaconUUID(word(2, as: UInt64.self), word(10, as: UInt64.self)),
      major: word(18, as: UInt16.self), minor: word(20, as: UInt16.self))
    measuredPower = Int8(bitPattern: data[22])
  }
}

/// A report of a beacon.
package struct BeaconReport: Equatable, Sendable {
  package var frame: BeaconFrame
  /// dBm; nil where the radio does not know it.
  package var rssi: Int?

  /// `rssi`: 127 and 0 are the words of radios that do not know.
  package init(_ frame: BeaconFrame, rssi: Int?) {
    self.frame = frame
    self.rssi = rssi.flatMap { Self.possible.contains($0) && $0 != 0 ? $0 : nil }
  }

  private static let possible = -127...20
}

/// The beacons that were reported lately, in order.
package struct BeaconScan: Equatable, Sendable {
  package var reports: [BeaconReport]
  package var timestamp: Timestamp

  package init(_ reports: [BeaconReport], timestamp: Timestamp) {
    self.reports = reports
    self.timestamp = timestamp
  }
}
