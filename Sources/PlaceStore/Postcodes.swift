internal import LocationModel
internal import PlaceCore
internal import Platform

/// Postcodes and their places.
final class Postcodes {
  let dataSet: DataSet
  private let database: SealedDatabase

  init(path: String, limit: WorkLimit? = nil) throws(DatabaseError) {
    database = try SealedDatabase(
      path: path, application: PostcodeTables.schema.application,
      version: Int64(PostcodeTables.schema.steps.count), limit: limit)
    var about: [String: String] = [:]
    for row in try database.rows("SELECT key, value FROM about") {
      about[row[0].text ?? ""] = row[1].text
    }
    dataSet = DataSet(
      name: "postcodes", date: about["date"] ?? "", licence: about["licence"] ?? "",
      attribution: about["attribution"] ?? "", places: about["places"].flatMap { Int($0) } ?? 0)
  }

  struct Found {
    var code: String
    var country: String
    var city: Int64
    var coordinate: Coordinate
    /// The town, where GeoNames has it not.
    var name: String?
  }

  /// One for each country that has such a code.
  func find(_ code: String) throws(DatabaseError) -> [Found] {
    var found: [String: Found] = [:]
    let letters = Array(code.utf8)
    for count in stride(from: letters.count, through: 2, by: -1) {
      let start = String(decoding: letters[..<count], as: UTF8.self)
      let rows = try database.rows(
        "SELECT cc, size, city, y, x, name FROM postcode WHERE code = ?", [.text(start)])
      for row in rows {
        guard let country = row[0].text, found[country] == nil, let size = row[1].integer,
          size == letters.count || size == 0 && Self.goesOn(letters, count),
          let y = row[3].integer, let x = row[4].integer
        else { continue }
        found[country] = Found(
          code: code, country: country, city: row[2].integer ?? 0,
          coordinate: Coordinate(latitude: Double(y) / 1e6, longitude: Double(x) / 1e6),
          name: row[5].text)
      }
    }
    return found.sorted { $0.key < $1.key }.map(\.value)
  }

  /// British and Canadian codes: letters of the area, then a digit.
  private static func goesOn(_ letters: [UInt8], _ count: Int) -> Bool {
    letters.count <= 7
      && (count == letters.count || PostcodeText.isDigit(letters[count])
        || PostcodeText.isDigit(letters[count - 1]))
  }
}

extension World {
  /// Places of a text that is a postcode, alone or beside its town or country. The likely country comes first: where
  /// the person is, what they read, the larger one.
  func placemarks(
    ofCodesIn text: String, in postcodes: Postcodes, near: Coordinate?, country: String?,
    locale: String?, limit: Int
  ) throws(DatabaseError) -> [Placemark] {
    var here = locale.flatMap(Language.init)?.region
    if let near { here = try surroundings(of: near).province?.country ?? here }
    let language = Self.language(locale, for: text)
    for candidate in PostcodeText.candidates(in: text) {
      var marks: [(mark: Placemark, weight: Double)] = []
      for found in try postcodes.find(candidate.code)
      where country == nil || country == found.country {
        let mark = try placemark(of: found, in: language)
        guard try isMeant(mark, by: candidate.rest) else { continue }
        let people = try region(code: found.country)?.population ?? 0
        marks.append((mark, found.country == here ? .infinity : people))
      }
      guard marks.isEmpty else {
        return marks.sorted { $0.weight > $1.weight }.prefix(limit).map(\.mark)
      }
    }
    return []
  }

  func placemark(
    _ id: String, in postcodes: Postcodes, in language: String?
  ) throws(DatabaseError) -> Placemark? {
    let parts = id.split(separator: ":").map(String.init)
    guard parts.count == 3, parts[0] == "postcodes" else { return nil }
    return try postcodes.find(parts[2]).first { $0.country == parts[1] }
      .map { (found) throws(DatabaseError) in try placemark(of: found, in: language) }
  }

  private func placemark(
    of found: Postcodes.Found, in language: String?
  ) throws(DatabaseError) -> Placemark {
    var mark: Placemark
    if found.city != 0, case .place(let place)? = try hit(id: "world:\(found.city)")?.what {
      mark = try placemark(of: .init(what: .place(place), score: 0), in: language)
    } else {
      mark = try reverse(found.coordinate, in: language)
      mark.locality = found.name ?? mark.locality
      mark.subLocality = nil
    }
    mark.coordinate = found.coordinate
    mark.postalCode = PostcodeText.written(found.code, in: found.country)
    mark.name = mark.locality
    mark.formattedAddress = AddressFormat.line(mark)
    mark.name = mark.postalCode
    mark.radius = nil
    mark.id = "postcodes:\(found.country):\(found.code)"
    mark.category = "postcode"
    mark.source = "postcodes"
    return mark
  }

  /// Each of the other words is in the names around.
  private func isMeant(_ mark: Placemark, by words: [String]) throws(DatabaseError) -> Bool {
    guard !words.isEmpty else { return true }
    let around = try reverse(mark.coordinate, in: "en")
    var names = [
      mark.locality, mark.administrativeArea, mark.country, around.locality,
      around.administrativeArea, around.country,
    ].compactMap(\.self)
    if let code = mark.isoCountryCode, let region = try region(code: code) {
      names.append(region.folded)
    }
    let known = Set(names.flatMap(Folding.tokens))
    return words.allSatisfy { word in known.contains { $0.hasPrefix(word) } }
  }
}
