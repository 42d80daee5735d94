internal import Geodesy
package import LocationModel

/// A place as surveyors, soldiers and radio amateurs write it: UTM (`32U 691000 5334000`), MGRS (`32UPU9100034000`) and
/// Maidenhead (`JN58td`).
package struct GridText: Equatable, Sendable {
  package let coordinate: Coordinate
  /// Metres from the middle of a square to its sides.
  package let metres: Double

  private static let longest = 40

  package init?(_ text: String) {
    guard text.utf8.count <= Self.longest, text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    let words = text.split { $0 == " " || $0 == "," }.map(String.init)
    guard let found = Self.utm(words) ?? Self.mgrs(words.joined()) ?? Self.maidenhead(text),
      found.0.isValid
    else { return nil }
    (coordinate, metres) = found
  }

  private static let ofUTM = 1.0

  /// A zone and a band or half, metres east, metres north; `E` and `N` may stand behind them.
  private static func utm(_ words: [String]) -> (Coordinate, Double)? {
    var words = words
    if words.count == 4, words[1].count == 1 { words[0] += words.remove(at: 1) }
    guard words.count == 3, let letter = words[0].uppercased().last,
      let zone = Int(words[0].dropLast()),
      "CDEFGHJKLMNPQRSTUVWX".contains(letter), let easting = metres(words[1], "E"),
      let northing = metres(words[2], "N")
    else { return nil }
    // S is Korea's band, too: its metres say which is meant.
    let isNorth = letter == "S" ? bandS.contains(northing) : letter >= "N"
    return Coordinate(utmZone: zone, isNorth: isNorth, easting: easting, northing: northing)
      .map { ($0, ofUTM) }
  }

  private static let bandS = 3_530_000.0...4_440_000.0

  private static func metres(_ word: String, _ axis: Character) -> Double? {
    var digits = word.uppercased()
    if digits.last == "M" { digits.removeLast() }
    if digits.last == axis { digits.removeLast() }
    guard digits.count >= 5, digits.first?.isNumber == true else { return nil }
    return Double(digits)
  }

  private static func mgrs(_ text: String) -> (Coordinate, Double)? {
    // A zone, a band, two letters, then at least two digits for each axis.
    let zone = text.prefix { $0.isNumber }
    let letters = text.dropFirst(zone.count).prefix { $0.isLetter }
    let digits = text.dropFirst(zone.count + letters.count)
    guard (1...2).contains(zone.count), letters.count == 3, (4...10).contains(digits.count),
      digits.count.isMultiple(of: 2), digits.allSatisfy(\.isNumber)
    else { return nil }
    return Coordinate.mgrs(text).map { ($0.place, $0.metres) }
  }

  /// Areas of British postcodes, which compact codes begin with: `SE16AB` is none of Maidenhead's.
  private static let british: Set<String> = Set(
    ("AB AL BA BB BD BH BL BN BR BS BT CA CB CF CH CM CO CR CT DA DD DE DG DH DL DN EC EH EN EX FK GL GU HA HD HG HP HR"
      + " HS HU IG IM IP JE KA KT LA LD LE LL LN LS LU ME MK ML NE NG NN NP NR OL PA PE PH PL PO PR RG RH RM")
      .split(separator: " ").map(String.init))

  /// Six letters and digits, or eight.
  private static func maidenhead(_ text: String) -> (Coordinate, Double)? {
    let letters = Array(text.uppercased().utf8)
    guard letters.count == 6 || letters.count == 8 else { return nil }
    let isMixed = text != text.uppercased() && text != text.lowercased()
    guard isMixed || !british.contains(String(text.prefix(2)).uppercased()) else { return nil }
    var (x, y, width) = (-180.0, -90.0, 360.0)
    // Each pair's first letter, how many there are, and how wide each is.
    for (i, (first, count)) in [(UInt8(65), 18), (48, 10), (65, 24), (48, 10)].enumerated()
    where 2 * i < letters.count {
      guard letters[2 * i] >= first, letters[2 * i + 1] >= first else { return nil }
      let (east, north) = (Int(letters[2 * i] - first), Int(letters[2 * i + 1] - first))
      guard east < count, north < count else { return nil }
      width /= Double(count)
      x += Double(east) * width
      y += Double(north) * width / 2
    }
    let place = Coordinate(latitude: y + width / 4, longitude: x + width / 2)
    return (place, width / 4 * LocalPlane.perDegree)
  }
}
