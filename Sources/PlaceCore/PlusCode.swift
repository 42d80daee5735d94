package import LocationModel

/// An Open Location Code: the middle of a cell of the Earth's grid.
package struct PlusCode: Equatable, Sendable {
  /// Values of the letters, those that a short code lacks left out.
  private let digits: [Int]
  /// Letters that the code lacks in front.
  private let missing: Int

  private static let letters = Array("23456789CFGHJMPQRVWX".utf8)
  private static let before = 8
  /// Degrees of a letter of each pair.
  private static let pairs = [20, 1, 0.05, 0.0025, 0.000_125]

  package init?(_ text: String) {
    let halves = text.split(separator: "+", omittingEmptySubsequences: false)
    guard halves.count == 2 else { return nil }
    let front = Array(halves[0].uppercased().utf8)
    let back = Array(halves[1].uppercased().utf8)
    guard (2...Self.before).contains(front.count), front.count.isMultiple(of: 2),
      back.count <= 7, back.count != 1
    else { return nil }
    let zeros = front.reversed().prefix { $0 == UInt8(ascii: "0") }.count
    // A padded code is a large cell: whole, and without letters behind it.
    guard
      zeros == 0
        || front.count == Self.before && back.isEmpty && zeros.isMultiple(of: 2)
          && zeros < Self.before
    else { return nil }
    // A short code needs the letters behind the sign, else it is a word.
    guard front.count == Self.before || !back.isEmpty else { return nil }
    var digits: [Int] = []
    for letter in front.dropLast(zeros) + back {
      guard let value = Self.letters.firstIndex(of: letter) else { return nil }
      digits.append(value)
    }
    self.digits = digits
    missing = Self.before - front.count
    guard missing > 0 || digits[0] < 9 && digits[1] < 18 else { return nil }
  }

  package var isShort: Bool { missing > 0 }

  /// Nil for a short code with no place to count from.
  package func coordinate(near: Coordinate? = nil) -> Coordinate? {
    var (south, west) = (0.0, 0.0)
    var (height, width) = (0.0, 0.0)
    for (i, value) in digits.enumerated() {
      let place = i + missing
      if place < 10 {
        let step = Self.pairs[place / 2]
        if place.isMultiple(of: 2) {
          (south, height) = (south + Double(value) * step, step)
        } else {
          (west, width) = (west + Double(value) * step, step)
        }
      } else {
        (height, width) = (height / 5, width / 4)
        south += Double(value / 4) * height
        west += Double(value % 4) * width
      }
    }
    (south, west) = (south + height / 2, west + width / 2)
    guard isShort else { return Coordinate(latitude: south - 90, longitude: west - 180) }
    guard let near, near.isValid else { return nil }
    let cell = Self.pairs[missing / 2 - 1]
    let latitude = Self.nearest(to: near.latitude + 90, south, cell)
    var longitude = Self.nearest(to: near.longitude + 180, west, cell) - 180
    if longitude < -180 { longitude += 360 }
    if longitude > 180 { longitude -= 360 }
    // Cells do not go on behind the poles.
    let inside = latitude < 0 ? latitude + cell : latitude > 180 ? latitude - cell : latitude
    return Coordinate(latitude: inside - 90, longitude: longitude)
  }

  /// The number that is `offset` after a multiple of `cell`, and nearest.
  private static func nearest(to goal: Double, _ offset: Double, _ cell: Double) -> Double {
    ((goal - offset) / cell).rounded() * cell + offset
  }
}
