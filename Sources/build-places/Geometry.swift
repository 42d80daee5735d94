internal import PlaceCore

/// Polygons in OGC's binary form, and in GeoPackage's wrapping of it.
struct WKBReader {
  private let bytes: [UInt8]
  private var place: Int

  init(_ bytes: [UInt8], at place: Int = 0) {
    self.bytes = bytes
    self.place = place
  }

  /// A GeoPackage's blob: a head, an envelope, then the geometry.
  init(geoPackage bytes: [UInt8]) {
    let envelope = bytes.count > 3 ? [0, 32, 48, 48, 64, 0, 0, 0][Int(bytes[3] >> 1) & 7] : 0
    self.init(bytes, at: 8 + envelope)
  }

  mutating func shape() -> Shape? {
    var rings: [[GridPoint]] = []
    return read(into: &rings, isPart: false) && !rings.isEmpty ? Shape(rings: rings) : nil
  }

  /// A part of many polygons is one polygon.
  private mutating func read(into rings: inout [[GridPoint]], isPart: Bool) -> Bool {
    guard place < bytes.count, bytes[place] == 1 else { return false }
    place += 1
    guard let kind = number(), let count = number() else { return false }
    switch kind {
    case 3:
      for _ in 0..<count {
        guard let points = number() else { return false }
        var ring: [GridPoint] = []
        for _ in 0..<points {
          guard let x = double(), let y = double(), abs(x) <= 181, abs(y) <= 91 else {
            return false
          }
          let point = GridPoint(x: Int((x * 1e6).rounded()), y: Int((y * 1e6).rounded()))
          if ring.last != point { ring.append(point) }
        }
        if ring.count > 1, ring.first == ring.last { ring.removeLast() }
        if ring.count > 2 { rings.append(ring) }
      }
      return true
    case 6 where !isPart:
      for _ in 0..<count { guard read(into: &rings, isPart: true) else { return false } }
      return true
    default: return false
    }
  }

  private mutating func number() -> Int? {
    guard place + 4 <= bytes.count else { return nil }
    defer { place += 4 }
    return (0..<4).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
  }

  private mutating func double() -> Double? {
    guard place + 8 <= bytes.count else { return nil }
    defer { place += 8 }
    return Double(
      bitPattern: (0..<8).reduce(UInt64(0)) { $0 | UInt64(bytes[place + $1]) << (8 * UInt64($1)) })
  }
}

/// gettext's binary catalogues.
enum Catalogue {
  static func entries(_ bytes: [UInt8]) -> [(String, String)] {
    func number(_ at: Int) -> Int {
      guard at >= 0, at + 4 <= bytes.count else { return 0 }
      return (0..<4).reduce(0) { $0 | Int(bytes[at + $1]) << (8 * $1) }
    }
    func text(_ at: Int) -> String? {
      let (length, start) = (number(at), number(at + 4))
      guard start + length <= bytes.count else { return nil }
      return String(decoding: bytes[start..<start + length], as: UTF8.self)
    }
    // Each entry has two places of eight bytes.
    guard number(0) == 0x9504_12DE, number(8) <= bytes.count / 16 else { return [] }
    return (0..<number(8)).compactMap { i in
      guard let key = text(number(12) + 8 * i), let value = text(number(16) + 8 * i),
        !key.isEmpty, !value.isEmpty
      else { return nil }
      return (key, value)
    }
  }
}
