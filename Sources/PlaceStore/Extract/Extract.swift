package import LocationModel
internal import PlaceCore
package import Platform

/// One extract of OpenStreetMap that was imported: streets, addresses and named places. Countries, provinces
/// and time zones are the world's to say.
package final class Extract {
  package let dataSet: DataSet
  private let database: SealedDatabase

  package init(path: String) throws(DatabaseError) {
    database = try SealedDatabase(
      path: path, application: ExtractTables.schema.application,
      version: Int64(ExtractTables.schema.steps.count))
    var about: [String: String] = [:]
    for row in try database.rows("SELECT key, value FROM about") {
      about[row[0].text ?? ""] = row[1].text
    }
    let corners = (about["coverage"] ?? "").split(separator: " ").compactMap { Double($0) }
    dataSet = DataSet(
      name: about["name"] ?? "", date: about["date"] ?? "", licence: about["licence"] ?? "",
      attribution: about["attribution"] ?? "", places: about["places"].flatMap { Int($0) } ?? 0,
      coverage: corners.count == 4
        ? [
          Coordinate(latitude: corners[0], longitude: corners[1]),
          Coordinate(latitude: corners[2], longitude: corners[3]),
        ] : nil)
  }

  /// Whether it may know something there.
  package func covers(_ place: Coordinate) -> Bool {
    guard let corners = dataSet.coverage else { return false }
    return (corners[0].latitude - 0.01...corners[1].latitude + 0.01).contains(place.latitude)
      && (corners[0].longitude - 0.01...corners[1].longitude + 0.01).contains(place.longitude)
  }
}

// MARK: - What is here

extension Extract {
  private static let columns =
    "thing.id, kind, latitude, longitude, name, names, category, street, number, postcode, city"
  private static let nearestAddress = 50.0
  private static let nearestStreet = 100.0
  private static let atTheSpot = 30.0

  /// Street, number and names at a place; nil where nothing is near. The rest is left to the world's answer.
  package func reverse(_ place: Coordinate, locale: String?) throws(DatabaseError) -> Placemark? {
    guard covers(place) else { return nil }
    let plane = Plane(around: place)
    let (south, north, west, east) = plane.box(Self.nearestStreet)
    let rows = try database.rows(
      """
      SELECT \(Self.columns), shape FROM box JOIN thing ON thing.id = box.id
      WHERE north >= ?/1e7 AND south <= ?/1e7 AND east >= ?/1e7 AND west <= ?/1e7 LIMIT 5000
      """, [south, north, west, east].map { .integer($0) })
    var best: [ThingKind: (metres: Double, thing: Thing)] = [:]
    for row in rows {
      guard let thing = Thing(row) else { continue }
      let metres = plane.distance(to: thing.coordinate, shape: row[11].blob)
      if metres < best[thing.kind]?.metres ?? .infinity { best[thing.kind] = (metres, thing) }
    }
    var answer = Placemark(place)
    if let (metres, thing) = best[.address], metres <= Self.nearestAddress {
      answer = thing.placemark(locale, source: dataSet.name)
      answer.radius = metres
    } else if let (metres, thing) = best[.street], metres <= Self.nearestStreet {
      answer = thing.placemark(locale, source: dataSet.name)
      answer.coordinate = place
      answer.radius = metres
    }
    if let (metres, thing) = best[.named], metres <= Self.atTheSpot, let name = thing.name(locale) {
      answer.areasOfInterest = [name]
      answer.name = name
    }
    return answer.name == nil ? nil : answer
  }
}

// MARK: - Where is that

extension Extract {
  /// A place of this extract by its id; nil where it has none.
  func place(id: String, locale: String?) throws(DatabaseError) -> Placemark? {
    guard id.hasPrefix(dataSet.name + ":"),
      let number = Int64(id.dropFirst(dataSet.name.utf8.count + 1))
    else { return nil }
    return try database.rows(
      "SELECT \(Self.columns) FROM thing WHERE id = ?", [.integer(number)]
    ).first.flatMap(Thing.init)?.placemark(locale, source: dataSet.name)
  }
}

extension Extract {
  package struct Hit: Equatable, Sendable {
    package var placemark: Placemark
    /// 1 where each word is the name's or the address's.
    package var score: Double
    /// Words that it does not have: a country's or a town's, which the world can confirm.
    var unmatched: [String]
  }

  /// `isTyped`: the last word may be the beginning of one. `category`: only such.
  package func find(
    _ text: String, locale: String?, near: Coordinate?, category: String? = nil,
    isTyped: Bool = false, limit: Int
  ) throws(DatabaseError) -> [Hit] {
    let words = Array(Folding.tokens(text).prefix(12))
    guard !words.isEmpty else { return [] }
    var hits = try match(words, locale, near, category, isTyped, limit, unmatched: [])
    if hits.isEmpty, let comma = text.firstIndex(where: { $0 == "," || $0 == "、" }) {
      let first = Folding.tokens(String(text[..<comma]))
      let rest = Folding.tokens(String(text[comma...]))
      if !first.isEmpty {
        hits = try match(
          Array(first.prefix(12)), locale, near, category, false, limit, unmatched: rest)
      }
    }
    if hits.isEmpty {
      var corrected = words
      for i in words.indices { corrected[i] = try nearWord(words[i]) ?? words[i] }
      if corrected != words {
        hits = try match(corrected, locale, near, category, isTyped, limit, unmatched: [])
        for i in hits.indices { hits[i].score *= 0.7 }
      }
    }
    return hits
  }

  private func match(
    _ words: [String], _ locale: String?, _ near: Coordinate?, _ category: String?,
    _ isTyped: Bool, _ limit: Int, unmatched: [String]
  ) throws(DatabaseError) -> [Hit] {
    // Folded words hold no quotes.
    var question = words.map { "\"\($0)\"" }.joined(separator: " ")
    if isTyped { question += " *" }
    let rows = try database.rows(
      """
      SELECT \(Self.columns) FROM words JOIN thing ON thing.id = words.rowid
      WHERE words MATCH ? AND (?2 IS NULL OR category = ?2) LIMIT 500
      """, [.text(question), category.map(DatabaseValue.text) ?? .null])
    let plane = near.map { Plane(around: $0) }
    var hits: [(hit: Hit, key: String)] = []
    for row in rows {
      guard let thing = Thing(row) else { continue }
      let placemark = thing.placemark(locale, source: dataSet.name)
      let own = Set(Folding.tokens(placemark.name ?? ""))
      let shared = Double(own.intersection(words).count)
      // Nothing of the name that was not asked for is best: the street itself before what lies in it.
      var score = shared / Double(max(own.count, 1)) * 0.6 + shared / Double(words.count) * 0.4
      if let metres = plane?.distance(to: thing.coordinate, shape: nil) {
        score *= 0.8 + 0.2 / (1 + metres / 2000)
      }
      if !unmatched.isEmpty { score *= 0.9 }
      let key = "\(thing.kind) \(own.sorted().joined(separator: " ")) \(thing.city ?? "")"
      hits.append(
        (Hit(placemark: placemark, score: score, unmatched: unmatched), key))
    }
    hits.sort { $0.hit.score > $1.hit.score }
    // A street is several ways of one name.
    var seen: Set<String> = []
    return hits.filter { $0.hit.placemark.subThoroughfare != nil || seen.insert($0.key).inserted }
      .prefix(limit).map(\.hit)
  }

  /// The word of this extract that is one letter away; nil where the word is one, or none is.
  private func nearWord(_ word: String) throws(DatabaseError) -> String? {
    guard (4...24).contains(word.utf8.count), word.utf8.allSatisfy({ $0 < 0x80 }) else {
      return nil
    }
    let question = "SELECT term FROM vocabulary WHERE term = ?"
    guard try database.rows(question, [.text(word)]).isEmpty else { return nil }
    for other in OneLetter.variants(of: word) {
      if try !database.rows(question, [.text(other)]).isEmpty { return other }
    }
    return nil
  }
}
