import Console
import LocationClient
import LocationModel

extension Command {
  static let placesVerbs = ["status", "import", "remove"]

  static let places = Command(
    name: "places", summary: "the data about places: look, import, remove",
    help: """
      Usage: locationctl places status [--json] [--places PATH]
             locationctl places import FILE.osm.pbf
             locationctl places remove NAME

        places status   the data sets, their licences, and the servers
        places import   streets, addresses and shops of an OpenStreetMap extract, and
                        its roads, if routino is installed; root
        places remove   take an import away again; root

        --json          the service's own answer to status, as one line of JSON
        --places PATH   where the service listens; else $LOCATIOND_PLACES_SOCKET, or
                        /run/locationd/places.sock

      Ctrl-C ends an import, and nothing of it stays.

      """
  ) { (arguments) throws(Failure) in
    let asJSON = arguments.flag("--json")
    let path = try arguments.value("--places") ?? PlacesClient.defaultPath
    // Every command takes it.
    _ = try arguments.socket()
    guard let verb = arguments.operand() else {
      throw Failure(.usage, "what of the places? status, import or remove")
    }
    let name = arguments.operand()
    try arguments.nothingElse()
    switch (verb, name) {
    case ("status", nil):
      let json = try PlacesService(at: path).ask(.status)
      if asJSON { try Output.write(json) } else { try Output.report(PlacesReport.lines(json)) }
    case ("status", let name?): throw Failure(.usage, "'\(name)' is too much")
    case ("import", nil): throw Failure(.usage, "import wants a file, as monaco.osm.pbf")
    case ("remove", nil): throw Failure(.usage, "remove wants a name, as places status has it")
    case ("import", let file?): try PlacesProgram.run(["--import", file])
    case ("remove", let name?): try PlacesProgram.run(["--remove", name])
    default:
      let hint = placesVerbs.nearest(to: verb).map { "; did you mean '\($0)'?" }
      throw Failure(.usage, "there is no 'places \(verb)'\(hint ?? "")")
    }
  }
}

/// What there is about places, as people read it.
enum PlacesReport {
  static func lines(_ json: JSON) -> [String] {
    let sets = json["dataSets"]?.array ?? []
    var lines = ["Data"]
    if !sets.contains(where: { $0["name"]?.string == "world" }) {
      lines.append("  no names of the world: the package locationd-places-data has them")
    }
    for set in sets {
      let parts = [
        set["name"]?.string, set["date"]?.string, set["licence"]?.string,
        set["places"]?.integer.map { "\(Count($0, "place"))" }, coverage(set["coverage"]),
      ]
      lines.append("  " + parts.compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: ", "))
      if let attribution = set["attribution"]?.string, !attribution.isEmpty {
        lines.append("    " + attribution)
      }
      if let trouble = set["trouble"]?.string { lines.append("    not used: " + trouble) }
    }
    for engine in json["engines"]?.array ?? [] { lines += ways(engine) }
    let servers = json["servers"]?.array ?? []
    if !servers.isEmpty { lines += ["", "Servers"] }
    for server in servers {
      let parts = [server["url"]?.string ?? server["name"]?.string, server["trouble"]?.string]
      lines.append("  " + parts.compactMap { $0 }.joined(separator: ": "))
    }
    return lines
  }

  /// The program that finds ways on this disk; nothing where it has nothing to do.
  private static func ways(_ engine: JSON) -> [String] {
    let roads = (engine["roads"]?.array ?? []).compactMap(\.string)
    guard let name = engine["name"]?.string, !roads.isEmpty else { return [] }
    guard engine["installed"]?.bool == true else {
      return ["", "Ways", "  none: \(name) is not installed (apt install \(name))"]
    }
    let trouble = engine["trouble"]?.string.map { "; \($0)" } ?? ""
    return ["", "Ways", "  \(name), on the roads of \(roads.joined(separator: ", "))\(trouble)"]
  }

  /// Two corners.
  private static func coverage(_ json: JSON?) -> String? {
    let corners = (json?.array ?? []).compactMap { corner -> String? in
      guard let numbers = corner.array?.compactMap(\.double), numbers.count == 2 else { return nil }
      return "\(Describe.fixed(numbers[0], 2)) \(Describe.fixed(numbers[1], 2))"
    }
    return corners.count == 2 ? corners.joined(separator: " to ") : nil
  }
}
