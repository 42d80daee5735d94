import Console
import Glibc
import LocationClient
import LocationModel

extension Command {
  static let places = Command(
    name: "places", summary: "the data about places: look, import, remove",
    help: """
      Usage: locationctl places status [--json] [--places PATH]
             locationctl places import FILE.osm.pbf
             locationctl places remove NAME

        places status   the data sets, their licences, and the servers
        places import   streets, addresses and shops of an OpenStreetMap extract; root
        places remove   take an import away again; root

        --json          the service's own answer to status, as one line of JSON
        --places PATH   where the service listens; else $LOCATIOND_PLACES_SOCKET, or
                        /run/locationd/places.sock

      Ctrl-C ends an import, and nothing of it stays.

      """
  ) { (arguments) throws(Failure) in
    let asJSON = arguments.flag("--json")
    let path = try arguments.value("--places") ?? PlacesClient.defaultPath
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
      let hint = ["status", "import", "remove"].nearest(to: verb).map { "; did you mean '\($0)'?" }
      throw Failure(.usage, "there is no 'places \(verb)'\(hint ?? "")")
    }
  }
}

/// `locationd-places` in its place of this program: its lines of progress, its answer to Ctrl-C and its exit
/// status are then ours.
enum PlacesProgram {
  static func run(_ arguments: [String]) throws(Failure) {
    guard geteuid() == 0 else {
      throw Failure(.denied, "imports are root's: 'sudo locationctl places …'")
    }
    // A folder of this program's, else where programs are installed.
    var own = [CChar](repeating: 0, count: 4097)
    let count = readlink("/proc/self/exe", &own, 4096)
    let path = String(
      decoding: own.prefix(max(count, 0)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "/usr/bin"
    for folder in [folder, "/usr/libexec", "/usr/sbin", "/usr/bin"] {
      let program = "\(folder)/locationd-places"
      guard access(program, X_OK) == 0 else { continue }
      var words = ([program] + arguments).map { strdup($0) } + [nil]
      defer { for word in words { free(word) } }
      signal(SIGPIPE, SIG_DFL)
      execv(program, &words)
      throw Failure(.failed, "\(program) cannot be started: \(String(cString: strerror(errno)))")
    }
    throw Failure(.failed, "locationd-places is not installed")
  }
}

enum PlacesReport {
  static func lines(_ json: JSON) -> [String] {
    let sets = json["datasets"]?.array ?? json["dataSets"]?.array ?? []
    var lines = [sets.isEmpty ? "no data about places" : "Data"]
    for set in sets {
      let parts = [
        set["name"]?.string, set["date"]?.string, set["licence"]?.string,
        set["rows"]?.integer.map { "\(Count($0, "row"))" }, set["coverage"]?.string,
      ]
      lines.append("  " + parts.compactMap { $0 }.joined(separator: ", "))
      if let attribution = set["attribution"]?.string { lines.append("    " + attribution) }
    }
    let servers = json["servers"]?.array ?? []
    if !servers.isEmpty { lines += ["", "Servers"] }
    for server in servers {
      let parts = [server["url"]?.string ?? server["name"]?.string, server["trouble"]?.string]
      lines.append("  " + parts.compactMap { $0 }.joined(separator: ": "))
    }
    return lines
  }
}
