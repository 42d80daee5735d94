import Console
import LocationClient
import LocationModel

extension Command {
  static let placesVerbs = ["status", "import", "update", "remove", "serve"]

  static let places = Command(
    name: "places", summary: "the data about places: look, import, update, remove",
    help: """
      Usage: locationctl places status [--json] [--places PATH]
             locationctl places import|update FILE.osm.pbf
             locationctl places remove NAME
             locationctl places serve [--places PATH]

        places status   the data sets, their licences, and the servers
        places import   streets, addresses and shops of an OpenStreetMap extract, and
                        its roads; root
        places update   the same with a newer file of the same name, and what has
                        changed; root
        places remove   take an import away again; root
        places serve    how other programs ask over HTTP, as they ask Nominatim,
                        Photon and OSRM, and whether they may

        --json          the service's own answer to status, as one line of JSON
        --places PATH   where the service listens; else $LOCATIOND_PLACES_SOCKET, or
                        /run/locationd/places.sock

      \(PlacesReport.origin)
      Ctrl-C ends an import, and nothing of it stays.

      """
  ) { (arguments) throws(Failure) in
    let asJSON = arguments.flag("--json")
    let path = try arguments.value("--places") ?? Peer.places.defaultPath
    // Every command takes it.
    _ = try arguments.socket()
    guard let verb = arguments.operand() else {
      throw Failure(.usage, "what of the places? status, import, update, remove or serve")
    }
    let name = arguments.operand()
    try arguments.nothingElse()
    switch (verb, name) {
    case ("status", nil):
      let service = try PlacesService(at: path)
      if asJSON { return try Output.write(try service.json(.status)) }
      guard case .status(let status) = try service.ask(.status) else { return }
      try Output.report(PlacesReport.lines(status) + ServerReach().lines)
    case ("serve", nil):
      var served: [String]?
      if let service = try? PlacesService(at: path),
        case .status(let status)? = try? service.ask(.status)
      {
        served = status.web
      }
      try Output.report(ServeReport.lines(served))
    case ("serve", let name?): throw Failure(.usage, "'\(name)' is too much")
    case ("status", let name?): throw Failure(.usage, "'\(name)' is too much")
    case ("update", nil): throw Failure(.usage, "update wants a file, as monaco.osm.pbf")
    case ("import", nil): throw Failure(.usage, "import wants a file, as monaco.osm.pbf")
    case ("remove", nil): throw Failure(.usage, "remove wants a name, as places status has it")
    case ("import", let file?): try PlacesProgram.run(["--import", file])
    case ("update", let file?): try PlacesProgram.run(["--update", file])
    case ("remove", let name?): try PlacesProgram.run(["--remove", name])
    default:
      let hint = placesVerbs.nearest(to: verb).map { "; did you mean '\($0)'?" }
      throw Failure(.usage, "there is no 'places \(verb)'\(hint ?? "")")
    }
  }
}

/// What there is about places, as people read it.
enum PlacesReport {
  /// Where extracts come from.
  static let origin = """
    Extracts: download.geofabrik.de (a country or a part of it, daily, with its
    size), or the whole planet from planet.openstreetmap.org and its mirrors.
    Monaco's 1.8 MB take 1.9 MB here.
    """

  static func lines(_ status: PlacesStatus) -> [String] {
    var lines = ["Data"]
    if !status.dataSets.contains(where: { $0.name == "world" }) {
      lines.append("  no names of the world: the package locationd-places-data has them")
    }
    for set in status.dataSets {
      let parts = [
        set.name, set.date, set.licence, Count(set.places, "place").description,
        coverage(set.coverage),
      ]
      lines.append("  " + parts.filter { !$0.isEmpty }.joined(separator: ", "))
      if !set.attribution.isEmpty { lines.append("    " + set.attribution) }
      if let trouble = set.trouble { lines.append("    not used: " + trouble) }
      if !set.lacks.isEmpty {
        lines.append("    without \(set.lacks.joined(separator: ", ")): import it again")
      }
    }
    if !status.dataSets.contains(where: { $0.coverage != nil }) {
      lines.append("  no streets: 'locationctl places import' adds an extract of OpenStreetMap,")
      lines.append("    from download.geofabrik.de")
    }
    for engine in status.engines { lines += ways(engine) }
    if !status.servers.isEmpty { lines += ["", "Servers"] }
    for server in status.servers {
      let parts = [server.address, server.trouble]
      lines.append("  " + parts.compactMap { $0 }.joined(separator: ": "))
    }
    return lines
  }

  /// The engine that finds ways on this disk; nothing where it has no roads.
  private static func ways(_ engine: PlacesStatus.Engine) -> [String] {
    if engine.roads.isEmpty { return [] }
    let trouble = engine.trouble.map { "; \($0)" } ?? ""
    let roads = engine.roads.joined(separator: ", ")
    return ["", "Ways", "  \(engine.name), on the roads of \(roads)\(trouble)"]
  }

  private static func coverage(_ corners: [Coordinate]?) -> String {
    guard let corners, corners.count == 2 else { return "" }
    return corners.map {
      "\(Describe.fixed($0.latitude, 2)) \(Describe.fixed($0.longitude, 2))"
    }.joined(separator: " to ")
  }
}
