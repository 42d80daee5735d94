internal import Geodesy
package import LocationModel
package import PlaceCore
package import Platform

/// One extract of OpenStreetMap that was imported: streets, addresses and named places. Countries, provinces
/// and time zones are the world's to say.
package final class Extract: PlaceFile {
  package let dataSet: DataSet
  /// The countries whose borders it has whole.
  package let countries: Set<String>
  private let database: SealedDatabase
  /// The columns of its things: an older file lacks the last ones.
  private let columns: String
  private let roadPart: MappedFile?
  /// Nil where the file has none that this release knows: it has to be imported again.
  package let roads: RoadNetwork?
  private let groundPart: MappedFile?
  /// Nil where the file has none: its streets are drawn alone.
  private let ground: NumberedPieces?

  package init(path: String, limit: WorkLimit? = nil) throws(DatabaseError) {
    database = try SealedDatabase(
      path: path, application: ExtractTables.schema.application,
      version: Int64(ExtractTables.schema.steps.count), oldest: ExtractTables.oldest, limit: limit)
    let count = ExtractTables.columns(database.version)
    columns = Column.columns(of: "thing") { $0.rawValue < count }
    let about = try database.about()
    countries = Set((about["countries"] ?? "").split(separator: " ").map(String.init))
    let corners = (about["coverage"] ?? "").split(separator: " ").compactMap { Double($0) }
    roadPart = ExtractPart.roads.map(of: path)
    roads = (roadPart?.bytes).flatMap { RoadNetwork($0) }
    groundPart = ExtractPart.ground.map(of: path)
    ground = (groundPart?.bytes).flatMap { NumberedPieces($0) }
    var dataSet = DataSet(
      about: about, name: about["name"] ?? "",
      coverage: corners.count == 4
        ? [
          Coordinate(latitude: corners[0], longitude: corners[1]),
          Coordinate(latitude: corners[2], longitude: corners[3]),
        ] : nil)
    dataSet.lacks =
      ExtractTables.lacks(database.version) + (roads == nil ? ["roads"] : [])
      + (ground == nil ? ["ground"] : [])
    self.dataSet = dataSet
  }

  /// Whether it may know something there.
  package func covers(_ place: Coordinate) -> Bool {
    guard let corners = dataSet.coverage else { return false }
    return (corners[0].latitude - 0.01...corners[1].latitude + 0.01).contains(place.latitude)
      && (corners[0].longitude - 0.01...corners[1].longitude + 0.01).contains(place.longitude)
  }
}

// MARK: - Rows

extension Extract {
  private enum Column: Int, Columns {
    case id, kind, latitude, longitude, name, names, category, street, number, postcode, city, shape
    // Newer columns.
    case osm, tag, further

    static let list = columns(of: "thing")
  }

  private func things(
    _ rest: String, _ values: [DatabaseValue]
  ) throws(DatabaseError) -> [ThingRow] {
    try database.rows(
      Column.self, rest, values, list: columns
    ).compactMap { row in
      guard let number = row[.id].integer, let kind = row[.kind].integer.flatMap(ThingKind.init),
        let coordinate = row.coordinate(.latitude, .longitude, 1e7), coordinate.isValid
      else { return nil }
      var thing = ThingRow(number, kind, coordinate)
      thing.name = row[.name].text
      thing.names = row[.names].text
      thing.category = row[.category].text
      thing.street = row[.street].text
      thing.houseNumber = row[.number].text
      thing.postcode = row[.postcode].text
      thing.city = row[.city].text
      thing.shape = row[.shape].blob
      thing.osm = row[.osm].integer.flatMap(OSMNumber.init(column:))
      thing.tag = row[.tag].text
      thing.further = row[.further].text
      return thing
    }
  }

  /// Things whose boxes reach into another, of degrees times ten million.
  private func things(
    in box: (south: Int64, north: Int64, west: Int64, east: Int64), _ kind: ThingKind? = nil,
    most: Int
  ) throws(DatabaseError) -> [ThingRow] {
    let sides = [box.south, box.north, box.west, box.east].map { DatabaseValue.integer($0) }
    return try things(
      """
      FROM box JOIN thing ON thing.id = box.id
      WHERE north >= ?1/1e7 AND south <= ?2/1e7 AND east >= ?3/1e7 AND west <= ?4/1e7
      AND (?5 IS NULL OR kind = ?5) LIMIT ?6
      """, sides + [kind.map { .integer($0.rawValue) } ?? .null, .integer(Int64(most))])
  }

  private static let mostAround = 5000
}

// MARK: - A place

extension Extract {
  /// The country that holds a place, of those whose borders it has whole.
  package func country(at place: Coordinate) throws(DatabaseError) -> String? {
    guard database.version >= ExtractTables.countries else { return nil }
    let point = GridPoint(place)
    let rows = try database.rows(
      """
      SELECT code, shape FROM country
      WHERE west <= ?1 AND east >= ?1 AND south <= ?2 AND north >= ?2
      """, [point.x, point.y].map { .integer(Int64($0)) })
    return rows.first { $0[1].blob.flatMap(Shape.init)?.contains(point) == true }?[0].text
  }

  /// Street, number and names at a place; nil where nothing is near. The rest is left to the world's answer.
  package func reverse(_ place: Coordinate, locale: String?) throws(DatabaseError) -> Placemark? {
    guard covers(place) else { return nil }
    let box = LocalPlane(around: place).box(StreetReverse.farthestStreet)
    let mark = StreetReverse.placemark(
      of: try things(in: box, most: Self.mostAround), at: place, locale: locale,
      source: dataSet.name)
    guard let mark else { return nil }
    return try withDistrict(mark, in: locale)
  }

  /// A place of this extract by its id or by OpenStreetMap's number; nil where it has none.
  func place(named id: String, locale: String?) throws(DatabaseError) -> Placemark? {
    if let number = OSMNumber(id: id) { return try place(number, locale: locale) }
    return try place(id: id, locale: locale)
  }

  /// A place of this extract by its id; nil where it has none.
  func place(id: String, locale: String?) throws(DatabaseError) -> Placemark? {
    guard let number = number(id: id) else { return nil }
    return try things("FROM thing WHERE id = ?", [.integer(number)]).first?
      .placemark(locale, source: dataSet.name)
  }

  private func number(id: String) -> Int64? {
    guard id.hasPrefix(dataSet.name + ":") else { return nil }
    return Int64(id.dropFirst(dataSet.name.utf8.count + 1))
  }

  /// The place with the part of its town that it lies in, where the extract knows that.
  private func withDistrict(
    _ mark: Placemark, in locale: String?
  ) throws(DatabaseError) -> Placemark {
    guard database.version >= ExtractTables.districts,
      let number = mark.id.flatMap(number(id:)),
      let district = try database.rows(
        """
        SELECT district.name, district.names FROM thing JOIN district ON district.id = thing.district
        WHERE thing.id = ?
        """, [.integer(number)]
      ).first, let name = district[0].text
    else { return mark }
    var mark = mark
    mark.subLocality = ThingRow.name(name, district[1].text, in: locale)
    return mark
  }

  /// The place of this extract that OpenStreetMap numbers so; what is in a house before the house.
  func place(_ osm: OSMNumber, locale: String?) throws(DatabaseError) -> Placemark? {
    guard hasNumbers else { return nil }
    return try things("FROM thing WHERE osm = ? ORDER BY kind DESC LIMIT 1", [.integer(osm.column)])
      .first?.placemark(locale, source: dataSet.name)
  }

  /// True where things are found by OpenStreetMap's numbers.
  package var hasNumbers: Bool {
    ExtractTables.columns(database.version) > Column.tag.rawValue
  }

  /// The next of the column's numbers, in their order.
  package static let numbersAfter =
    "SELECT DISTINCT osm FROM thing WHERE osm > ? ORDER BY osm LIMIT 5000"

  package func numbers(after last: Int64) throws(DatabaseError) -> [Int64] {
    try database.rows(Self.numbersAfter, [.integer(last)]).compactMap { $0[0].integer }
  }

  /// The features of a tile, as they are drawn; empty where there are none. They are valid as long as this object.
  package func features(of tile: GroundTile) -> UnsafeRawBufferPointer {
    ground?[tile.number] ?? UnsafeRawBufferPointer(start: nil, count: 0)
  }

  /// The streets that reach into a box, so many at most.
  func streets(in box: StreetsRequest, limit: Int) throws(DatabaseError) -> [StreetLine] {
    func scaled(_ degrees: Double) -> Int64 { Int64(degrees * 1e7) }
    let sides = (scaled(box.south), scaled(box.north), scaled(box.west), scaled(box.east))
    return try things(in: sides, .street, most: limit).compactMap { street in
      guard let name = street.name(box.locale), street.shape != nil else { return nil }
      return StreetLine(
        name: name, isPath: street.category == ExtractTables.path, polyline: street.line)
    }
  }
}

// MARK: - A text

extension Extract {
  /// So many rows answer one question; where there are more, the nearest are asked for first, in circles of so many
  /// metres, until there are enough to choose from.
  private static let most = 600
  private static let enough = 200
  private static let circles = [250.0, 1000, 4000, 16_000, 64_000]
  private static let closeCircles = [60.0, 200]
  private static let categoryCircles = [500.0, 2500, 12_000, 60_000]

  package func hits(for search: StreetSearch) throws(DatabaseError) -> [StreetSearch.Hit] {
    guard !search.words.isEmpty else { return try nearest(search, of: search.category) }
    var nearest: [StreetSearch.Hit] = []
    if let kind = search.kind { nearest = try self.nearest(search, of: kind) }
    if nearest.count >= search.limit { return nearest }
    return search.joined(nearest, try named(search))
  }

  /// Metres from a house to the middle of its street.
  private static let ofStreet = 2000.0

  /// The place with its district, and with its street in the reader's language, where the extract has that.
  func named(_ mark: Placemark, in language: String?) throws(DatabaseError) -> Placemark {
    var mark = try withDistrict(mark, in: language)
    guard let language, let street = mark.thoroughfare, mark.osmNames["name"] != street else {
      return mark
    }
    let words = Folding.tokens(street).map { "\"\($0)\"" }
    guard !words.isEmpty else { return mark }
    var rows: [ThingRow] = []
    for range in Cells.ranges(around: mark.coordinate, metres: Self.ofStreet) {
      rows += try things(
        """
        FROM words JOIN thing ON thing.id = words.rowid
        WHERE words MATCH ?1 AND words.rowid BETWEEN ?2 AND ?3 AND kind = 1 LIMIT 50
        """,
        [
          .text(words.joined(separator: " AND ")), .integer(range.lowerBound),
          .integer(range.upperBound),
        ])
    }
    mark.nameStreet(by: rows, language)
    return mark
  }

  /// As it is written; else with one letter changed.
  private func named(_ search: StreetSearch) throws(DatabaseError) -> [StreetSearch.Hit] {
    for isCorrected in [false, true] {
      for var attempt in search.attempts {
        if isCorrected {
          var words = attempt.words
          for i in words.indices { words[i] = try nearWord(words[i]) ?? words[i] }
          if words == attempt.words { continue }
          attempt = attempt.corrected(words)
        }
        let rows = try rows(answering: search.question(for: attempt), search)
        let hits = search.hits(in: rows, for: attempt, source: dataSet.name)
        if !hits.isEmpty { return hits }
      }
    }
    return []
  }

  /// The nearest of a kind, or of all.
  private func nearest(
    _ search: StreetSearch, of kind: String?
  ) throws(DatabaseError) -> [StreetSearch.Hit] {
    guard let near = search.near else { return [] }
    var hits: [StreetSearch.Hit] = []
    for circle in Self.circles(within: search.radius) where hits.count < search.limit {
      var rows: [ThingRow] = []
      for range in Cells.ranges(around: near, metres: circle) {
        rows += try things(
          """
          FROM thing WHERE \(kind == nil ? "?1 IS NULL" : "category = ?1")
          AND id BETWEEN ?2 AND ?3 AND kind = 2 LIMIT \(Self.most)
          """,
          [
            kind.map(DatabaseValue.text) ?? .null, .integer(range.lowerBound),
            .integer(range.upperBound),
          ])
      }
      hits = search.nearest(of: rows, within: circle, source: dataSet.name)
    }
    return hits
  }

  private static func circles(within radius: Double?) -> [Double] {
    guard let radius else { return categoryCircles }
    return closeCircles.filter { $0 < radius } + categoryCircles.filter { $0 < radius } + [radius]
  }

  private func rows(
    answering question: String, _ search: StreetSearch
  ) throws(DatabaseError) -> [ThingRow] {
    var found: [Int64: ThingRow] = [:]
    func add(_ range: ClosedRange<Int64>) throws(DatabaseError) {
      let rows = try things(
        """
        FROM words JOIN thing ON thing.id = words.rowid
        WHERE words MATCH ?1 AND words.rowid BETWEEN ?2 AND ?3 AND (?4 IS NULL OR category = ?4)
        LIMIT \(Self.most)
        """,
        [
          .text(question), .integer(range.lowerBound), .integer(range.upperBound),
          search.category.map(DatabaseValue.text) ?? .null,
        ])
      for thing in rows { found[thing.number] = thing }
    }
    // Where there are few, all are asked for at once: in a country each question takes milliseconds.
    if let near = search.near, try isCommon(question) {
      for circle in Self.circles where found.count < Self.enough {
        for range in Cells.ranges(around: near, metres: circle) { try add(range) }
      }
    }
    if found.count < Self.enough { try add(0...Int64.max) }
    return Array(found.values)
  }

  private func isCommon(_ question: String) throws(DatabaseError) -> Bool {
    try !database.rows(
      "SELECT rowid FROM words WHERE words MATCH ? LIMIT 1 OFFSET \(Self.most)", [.text(question)]
    ).isEmpty
  }

  /// Most frequent indexed word at distance 1; nil if `word` is indexed.
  private func nearWord(_ word: String) throws(DatabaseError) -> String? {
    let others = OneLetter.variants(of: word)
    guard !others.isEmpty,
      try database.rows("SELECT 1 FROM vocabulary WHERE term = ?", [.text(word)]).isEmpty
    else { return nil }
    // All at once: each question about the vocabulary begins with a tenth of a millisecond.
    return try database.rows(
      """
      SELECT term FROM json_each(?) CROSS JOIN vocabulary ON term = value ORDER BY doc DESC LIMIT 1
      """, [.list(others.map(JSON.string))]
    ).first?[0].text
  }
}
