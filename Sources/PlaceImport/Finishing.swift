internal import Geodesy
internal import LocationModel
internal import PlaceCore
internal import PlaceStore
internal import Platform

/// Puts the things in the order of their cells, each with its district, gives houses without a street theirs, makes one
/// street of its ways, and writes the words that find them.
struct Finishing {
  private let builder: DatabaseBuilder
  private let count: Int64
  private let districts: DistrictFinder
  private let show: (_ phase: String, _ percent: Int) -> Bool

  /// A house without a street belongs to the nearest that has a name, if that is as near.
  private static let reach = 30.0
  private static let chunk: Int64 = 2000

  init(
    _ builder: DatabaseBuilder, count: Int64, _ districts: DistrictFinder,
    show: @escaping (String, Int) -> Bool
  ) {
    self.builder = builder
    self.count = count
    self.districts = districts
    self.show = show
  }

  func run() throws(DatabaseError) {
    try sort()
    try addStreets()
    try writeWords(of: try gatherStreets())
    try builder.run(
      "CREATE INDEX thing_category ON thing(category, id) WHERE category IS NOT NULL")
    try builder.run("CREATE INDEX thing_osm ON thing(osm)")
  }

  private func tell(_ phase: String, _ done: Int64, of all: Int64) throws(DatabaseError) {
    guard show(phase, Int(all > 0 ? min(done * 100 / all, 100) : 100)) else {
      throw .failed("cancelled")
    }
  }

  private func sort() throws(DatabaseError) {
    var (cell, next, done) = (Int64(-1), Int64(0), Int64(0))
    try tell("sorting", 0, of: count)
    try builder.each("SELECT * FROM draft ORDER BY cell") { (row) throws(DatabaseError) in
      let its = row[0].integer ?? 0
      next = its == cell ? next + 1 : Cells.first(in: its)
      cell = its
      let y = Int32(clamping: row[2].integer ?? 0)
      let x = Int32(clamping: row[3].integer ?? 0)
      let district = try districts.district(of: Spot(latitude: y, longitude: x), in: its)
      try builder.run(
        "INSERT INTO thing VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
        [.integer(next)] + row.dropFirst() + [district.map(DatabaseValue.integer) ?? .null])
      let (south, north, west, east) = row[11].blob.flatMap(Spot.box) ?? (y, y, x, x)
      // The R*Tree's numbers are rounded outwards.
      try builder.run(
        "INSERT INTO box VALUES(?,?/1e7,?/1e7,?/1e7,?/1e7)",
        [.integer(next)] + [south, north, west, east].map { .integer(Int64($0)) })
      done += 1
      try tell("sorting", done, of: count)
    }
    try builder.run("DROP TABLE draft")
    try districts.finish()
  }

  private func addStreets() throws(DatabaseError) {
    var last: Int64 = -1
    while true {
      var houses: [(id: Int64, place: Coordinate)] = []
      try builder.each(
        """
        SELECT id, latitude, longitude FROM thing
        WHERE id > ? AND kind = 0 AND street IS NULL ORDER BY id LIMIT \(Self.chunk)
        """, [.integer(last)]
      ) { row in
        let (y, x) = (row[1].integer ?? 0, row[2].integer ?? 0)
        houses.append(
          (
            row[0].integer ?? 0,
            Coordinate(latitude: Double(y) / 1e7, longitude: Double(x) / 1e7)
          ))
      }
      guard let end = houses.last?.id else { return }
      last = end
      for (id, place) in houses {
        guard let street = try nearestStreet(place) else { continue }
        try builder.run("UPDATE thing SET street = ? WHERE id = ?", [.text(street), .integer(id)])
      }
    }
  }

  private func nearestStreet(_ place: Coordinate) throws(DatabaseError) -> String? {
    let plane = LocalPlane(around: place)
    let (south, north, west, east) = plane.box(Self.reach)
    var best: (metres: Double, name: String)?
    try builder.each(
      """
      SELECT name, shape FROM box JOIN thing ON thing.id = box.id
      WHERE north >= ?/1e7 AND south <= ?/1e7 AND east >= ?/1e7 AND west <= ?/1e7
      AND kind = 1 AND category IS NULL LIMIT 1000
      """, [south, north, west, east].map { .integer($0) }
    ) { row in
      guard let name = row[0].text, let shape = row[1].blob else { return }
      let metres = plane.distance(toShape: shape)
      if metres <= Self.reach, metres < best?.metres ?? .infinity { best = (metres, name) }
    }
    return best?.name
  }

  /// One row of each street is found by its words: the ways of one name that lie together are one street.
  /// The result is how many rows have words.
  private func gatherStreets() throws(DatabaseError) -> Int64 {
    var rows = count
    try builder.run("CREATE TEMP TABLE leader(id INTEGER PRIMARY KEY)")
    var (name, ways) = ("", [Int64]())
    try tell("streets", 0, of: 1)
    func finish() throws(DatabaseError) {
      let leaders = StreetGroups.leaders(ways)
      rows -= Int64(ways.count - leaders.count)
      for id in leaders {
        try builder.run("INSERT INTO leader VALUES(?)", [.integer(id)])
      }
      ways.removeAll(keepingCapacity: true)
    }
    try builder.each(
      "SELECT name, id FROM thing WHERE kind = 1 ORDER BY name, id"
    ) { (row) throws(DatabaseError) in
      if row[0].text != name {
        try finish()
        name = row[0].text ?? ""
      }
      if let id = row[1].integer { ways.append(id) }
    }
    try finish()
    return rows
  }

  private func writeWords(of all: Int64) throws(DatabaseError) {
    var done: Int64 = 0
    try builder.each(
      """
      SELECT id, name, names, number, street, postcode, city, kind FROM thing
      WHERE kind <> 1 OR id IN leader ORDER BY id
      """
    ) { (row) throws(DatabaseError) in
      let isAddress = row[7].integer == ThingKind.address.rawValue
      let names = isAddress ? [] : Self.names(row[2].text)
      let texts = [row[1].text] + names + row[3...6].map(\.text)
      try builder.run(
        "INSERT INTO words(rowid, text) VALUES(?,?)",
        [row[0], .text(Self.words(texts.compactMap(\.self)))])
      done += 1
      try tell("words", done, of: all)
    }
    try builder.run("DROP TABLE leader")
  }

  private static func names(_ lines: String?) -> [String?] {
    (lines ?? "").split(separator: "\n").map { line in
      line.firstIndex(of: "=").map { String(line[line.index(after: $0)...]) }
    }
  }

  private static func words(_ texts: [String]) -> String {
    var seen: Set<String> = []
    return texts.flatMap(Folding.tokens).filter { seen.insert($0).inserted }.joined(separator: " ")
  }
}
