extension Sequence<UInt8> {
  /// FNV-1a: a number that is the same in every run and on every machine. No secret.
  package var stableHash: UInt64 {
    reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}
