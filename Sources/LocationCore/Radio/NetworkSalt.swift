import LocationModel

/// The secret of a machine by which networks are remembered: without it no address is found again.
package struct NetworkSalt: Equatable, Sendable {
  private let key: (UInt64, UInt64)

  package init(_ first: UInt64, _ second: UInt64) { key = (first, second) }

  package static func == (a: Self, b: Self) -> Bool { a.key == b.key }

  /// Derives another secret, which does not tell this one.
  func derived(_ number: UInt64) -> NetworkSalt {
    NetworkSalt(hash(2 * number), hash(2 * number + 1))
  }

  var json: JSON { .array([key.0, key.1].map { .integer(Int64(bitPattern: $0)) }) }

  /// SipHash-2-4 of the address, as one block of eight bytes.
  func hash(_ address: UInt64) -> UInt64 {
    var v0 = key.0 ^ 0x736f_6d65_7073_6575
    var v1 = key.1 ^ 0x646f_7261_6e64_6f6d
    var v2 = key.0 ^ 0x6c79_6765_6e65_7261
    var v3 = key.1 ^ 0x7465_6462_7974_6573
    func turned(_ value: UInt64, _ bits: UInt64) -> UInt64 { value << bits | value >> (64 - bits) }
    func mix(_ rounds: Int) {
      for _ in 0..<rounds {
        v0 &+= v1
        v1 = turned(v1, 13) ^ v0
        v0 = turned(v0, 32)
        v2 &+= v3
        v3 = turned(v3, 16) ^ v2
        v0 &+= v3
        v3 = turned(v3, 21) ^ v0
        v2 &+= v1
        v1 = turned(v1, 17) ^ v2
        v2 = turned(v2, 32)
      }
    }
    for block in [address, 8 << 56] {
      v3 ^= block
      mix(2)
      v0 ^= block
    }
    v2 ^= 0xFF
    mix(4)
    return v0 ^ v1 ^ v2 ^ v3
  }
}
