package import LocationModel

/// A row of the postcodes' file: a code, or what longer ones begin with.
package struct PostcodeRow: Equatable, Sendable {
  package var start: String
  package var country: String
  /// The letters of a whole code; 0 where any may follow.
  package var size: Int64
  /// GeoNames' number of the town, or 0.
  package var city: Int64 = 0
  package var coordinate: Coordinate
  /// The town, where GeoNames has it not.
  package var name: String?
  /// Metres around the place within which the code lies; nil where the data does not say.
  package var metres: Double?

  package init(_ start: String, country: String, size: Int64, _ coordinate: Coordinate) {
    (self.start, self.country, self.size) = (start, country, size)
    self.coordinate = coordinate
  }
}

extension PostcodeRow {
  /// Codes of countries where letters stand behind digits: `a` is a letter, `9` a digit.
  private static let forms = [
    "GB": ["a99aa", "a999aa", "aa99aa", "aa999aa", "a9a9aa", "aa9a9aa"], "CA": ["a9a9a9"],
    "NL": ["9999aa"],
  ]

  /// The code is its country's, or the beginning of one: a house's number and its street, 123 Main, are no code.
  fileprivate func isContinued(by code: String) -> Bool {
    let letters = Array(code.utf8)
    guard letters.count > start.utf8.count else { return true }
    if let forms = Self.forms[country] {
      return forms.contains { form in
        form.utf8.count >= letters.count
          && zip(form.utf8, letters).allSatisfy {
            PostcodeText.isDigit($0) == PostcodeText.isDigit($1)
          }
      }
    }
    let isBehindDigit = start.utf8.last.map(PostcodeText.isDigit) == true
    return !isBehindDigit || letters[start.utf8.count...].allSatisfy(PostcodeText.isDigit)
  }
}

/// A postcode, and the row that knows it.
package struct PostcodeMatch: Equatable, Sendable {
  private let code: String
  package let row: PostcodeRow

  // Metres: the data says towns, or the middle of what begins alike.
  private static let leastOfTown = 3000.0
  private static let ofArea = 15_000.0
  private static let betweenOthers = 10_000.0
  private static let ofProvince = 60_000.0

  private static let shortestStart = 2

  /// What a code may be stored as, the longest first.
  package static func starts(of code: String) -> [String] {
    stride(from: code.utf8.count, through: shortestStart, by: -1).map {
      String(code.unicodeScalars.prefix($0))
    }
  }

  /// One for each country that has such a code. `rows`: those of its starts, the longest first.
  package static func all(of code: String, in rows: [PostcodeRow]) -> [PostcodeMatch] {
    var found: [String: PostcodeMatch] = [:]
    for row in rows where found[row.country] == nil {
      guard row.size == 0 || row.size == Int64(code.utf8.count), row.isContinued(by: code) else {
        continue
      }
      found[row.country] = PostcodeMatch(code: code, row: row)
    }
    return found.sorted { $0.key < $1.key }.map(\.value)
  }

  /// `place`: the town that the row names, else what lies there.
  package func placemark(at place: Placemark) -> Placemark {
    var mark = place
    if mark.id == nil {
      mark.locality = row.name ?? mark.locality
      mark.subLocality = nil
    }
    mark.coordinate = row.coordinate
    mark.postalCode = PostcodeText.written(code, in: row.country)
    mark.name = mark.locality
    mark.formattedAddress = AddressFormat.line(mark)
    mark.name = mark.postalCode
    // The middle of a town, or of all codes that begin alike.
    mark.radius =
      row.metres
      ?? (row.city != 0
        ? max(place.radius ?? 0, Self.leastOfTown)
        : row.size == 0
          ? Self.ofArea : row.start.utf8.count < 3 ? Self.ofProvince : Self.betweenOthers)
    mark.id = "postcodes:\(row.country):\(code)"
    mark.category = "postcode"
    mark.source = "postcodes"
    return mark
  }

  /// Each of the other words is in the names around. `around`: what lies there, in several languages. `names`: those of its
  /// country and its town.
  package static func isMeant(
    _ mark: Placemark, by words: [String], around: [Placemark], _ names: [String]
  ) -> Bool {
    let names =
      ([mark] + around).flatMap { [$0.locality, $0.administrativeArea, $0.country] }
      .compactMap(\.self) + names
    let known = Set(names.flatMap(Folding.tokens))
    return words.allSatisfy { word in known.contains { $0.hasPrefix(word) } }
  }

  private static func isMilitary(_ code: String) -> Bool {
    code.hasPrefix("09") || code.hasPrefix("340")
      || (962...966).contains(Int(code.prefix(3)) ?? 0)
  }

  /// The countries of the languages that answers are written in.
  private static let read: Set = ["US", "DE", "FR", "ES", "KR", "JP", "GB"]
  private static let ofRead = 1e10

  /// The likely country comes first: where the person is, or what they read; then the larger one.
  package static func ranked(
    _ found: [(match: PostcodeMatch, mark: Placemark)], here: String?, people: [String: Double]
  ) -> [Placemark] {
    let code = found.first?.match.code ?? ""
    func weight(_ country: String) -> Double {
      // Military mail goes to no place that the code says.
      if country == "US", Self.isMilitary(code) { return -1 }
      if country == here { return .infinity }
      let isRead = Self.read.contains(country)
      return (people[country] ?? 0) + (isRead ? Self.ofRead : 0)
    }
    return found.sorted { weight($0.match.row.country) > weight($1.match.row.country) }.map(\.mark)
  }
}
