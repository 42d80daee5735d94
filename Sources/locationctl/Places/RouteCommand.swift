import Console
import LocationClient
import LocationModel
import PlaceCore

extension Command {
  static let route = Command(
    name: "route", summary: "the way from one place to another",
    help: """
      Usage: locationctl route FROM TO [--via PLACE]... [--walking|--cycling]
                               [--alternates] [--avoid ROADS] [--first]
                               [--geojson|--gpx|--json] [OPTION]...

      Says how to get there, step by step; by car, unless you walk or cycle. Each
      place is LAT,LON, or here, or a text that is looked up. Where a text may be
      several places, you are asked which; in a pipe the command says which there
      are, and exits with 2. A place that is - is the next line of standard input.

        --via PLACE     pass this place, too; may be given up to \(DirectionsRequest.mostVia) times, in order
        --walking       on foot
        --cycling       by bicycle
        --alternates    other ways, too
        --avoid ROADS   one or more of tolls,ferries,motorways,unpaved: only where no
                        other way leads there
        --first         of several places of a text, take the first
        --geojson       a GeoJSON feature: the line, with the steps
        --gpx           a GPX file: a route with the steps, and a track with the line
        --json          the service's own answer, as one line of JSON
        --offline       only by the roads on this disk: no server is asked
        --locale L      the language, as ko or en-GB (default: yours)
        --places PATH   where the service listens; else $LOCATIOND_PLACES_SOCKET, or
                        /run/locationd/places.sock
        --socket PATH   where the daemon listens, for 'here'

      """, isPrivate: true
  ) { (arguments) throws(Failure) in
    let format = try arguments.routeFormat()
    let transport = try arguments.transport()
    let alternates = arguments.flag("--alternates")
    let avoid = try arguments.avoidances()
    let offline = arguments.flag("--offline")
    let takesFirst = arguments.flag("--first")
    let locale = try arguments.value("--locale") ?? UserLocale.tag
    let via = try arguments.values("--via")
    let path = try arguments.value("--places") ?? Peer.places.defaultPath
    let daemon = try arguments.socket()
    guard let from = arguments.operand(), let to = arguments.operand() else {
      throw Failure(.usage, "route wants two places, as 'route here \"Monaco\"'")
    }
    try arguments.nothingElse()
    var words: [String] = []
    for word in [from] + via + [to] { words.append(try Arguments.typed(word)) }
    guard !words.contains(where: { $0.isEmpty || $0.utf8.count > PlaceRequest.longestText }) else {
      throw Failure(.usage, "a place has 1 to \(PlaceRequest.longestText) bytes of text")
    }
    guard via.count <= DirectionsRequest.mostVia else {
      throw Failure(.usage, "--via may be given up to \(DirectionsRequest.mostVia) times")
    }
    let service = try PlacesService(at: path)
    let finder = PlaceFinder(
      service: service, locale: locale, daemon: daemon, offline: offline, takesFirst: takesFirst)
    let places = try finder.find(all: words)
    var request = DirectionsRequest(from: places[0], to: places[places.count - 1])
    request.via = Array(places.dropFirst().dropLast())
    (request.transport, request.alternates, request.avoid) = (transport, alternates, avoid)
    (request.locale, request.offline) = (locale, offline)
    if format == .json {
      return try Output.write(try service.json(.directions(request)))
    }
    guard case .routes(let routes) = try service.ask(.directions(request)), !routes.isEmpty else {
      throw Failure(.unreadableReply)
    }
    let found = Routes(routes)
    switch format {
    case .table: try Output.write(RouteReport(found, locale).lines)
    case .gpx: try Output.write(found.gpx)
    case .geojson, .json: try Output.write(found.geojson)
    }
  }
}

extension PlaceFinder {
  /// The coordinates first: towns are told apart by what is near them.
  fileprivate func find(all words: [String]) throws(Failure) -> [Coordinate] {
    var places: [Coordinate?] = []
    for word in words { places.append(try coordinate(word)) }
    for (i, word) in words.enumerated() where places[i] == nil {
      places[i] = try find(word, near: places.compactMap { $0 }.first)
    }
    return places.compactMap { $0 }
  }
}

/// How a way is written.
private enum RouteFormat { case table, geojson, gpx, json }

extension Arguments {
  fileprivate mutating func routeFormat() throws(Failure) -> RouteFormat {
    var formats: [RouteFormat] = []
    if flag("--geojson") { formats.append(.geojson) }
    if flag("--gpx") { formats.append(.gpx) }
    if flag("--json") { formats.append(.json) }
    guard formats.count <= 1 else {
      throw Failure(.usage, "one of --geojson, --gpx and --json, please")
    }
    return formats.first ?? .table
  }

  fileprivate mutating func avoidances() throws(Failure) -> Set<Avoidance> {
    var avoid: Set<Avoidance> = []
    for list in try values("--avoid") {
      for word in list.split(separator: ",", omittingEmptySubsequences: false) {
        guard let avoidance = Avoidance(rawValue: String(word)) else {
          throw Failure(.usage, "--avoid wants \(Avoidance.words), not '\(word)'")
        }
        avoid.insert(avoidance)
      }
    }
    return avoid
  }

  fileprivate mutating func transport() throws(Failure) -> Transport {
    let (walks, cycles) = (flag("--walking"), flag("--cycling"))
    guard !(walks && cycles) else { throw Failure(.usage, "--walking or --cycling, please") }
    return walks ? .walking : cycles ? .cycling : .automobile
  }
}
