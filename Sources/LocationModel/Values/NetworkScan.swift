/// The Wi-Fi networks around, as a radio heard them.
package struct NetworkScan: Equatable, Sendable {
  package var networks: [HeardNetwork]
  package var timestamp: Timestamp

  package init(_ networks: [HeardNetwork], timestamp: Timestamp) {
    self.networks = networks
    self.timestamp = timestamp
  }
}

/// A Wi-Fi network that a radio heard, if it may stand for a place: others are never made. Its name is
/// not kept.
package struct HeardNetwork: Equatable, Sendable {
  /// The 48 bits of its BSSID.
  package let address: UInt64
  /// dBm.
  package var signal: Double
  /// MHz.
  package var frequency: Int?
  /// The time since the radio heard it.
  package var age: Duration

  /// Nil for a network that is hidden, whose owner wants it on no map (`_nomap`), whose address is a
  /// group's or locally administered, or one that NetworkManager invents on iwd (00:01:02:…).
  package init?(
    address: UInt64, name: some Collection<UInt8>, signal: Double, frequency: Int? = nil,
    age: Duration = .zero
  ) {
    let isHidden = name.allSatisfy { $0 == 0 }
    guard !isHidden, !name.suffix(6).elementsEqual("_nomap".utf8), Self.mayStand(address),
      (-120 ... -1).contains(signal), age >= .zero
    else { return nil }
    self.address = address
    self.signal = signal
    self.frequency = frequency
    self.age = age
  }
}

extension HeardNetwork {
  /// The address is a box's own: no group's, not locally administered, and none that NetworkManager invents.
  static func mayStand(_ address: UInt64) -> Bool {
    address != 0 && address >> 48 == 0 && address >> 40 & 0b11 == 0 && address >> 24 != 0x00_0102
  }

  static func text(of address: UInt64) -> String {
    (0..<6).reversed().map { byte in
      let digits = String(address >> (byte * 8) & 0xFF, radix: 16)
      return digits.count < 2 ? "0" + digits : digits
    }.joined(separator: ":")
  }

  /// Six bytes in hexadecimal, with colons between them.
  package static func address(_ text: String) -> UInt64? {
    guard text.utf8.count == 17 else { return nil }
    var address: UInt64 = 0
    for (i, byte) in text.utf8.enumerated() {
      if i % 3 == 2 {
        guard byte == UInt8(ascii: ":") else { return nil }
      } else {
        guard let digit = Character(UnicodeScalar(byte)).hexDigitValue else { return nil }
        address = address << 4 | UInt64(digit)
      }
    }
    return address
  }
}
