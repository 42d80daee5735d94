import Console
import Geodesy
import Glibc
import LocationClient
import LocationModel
import PlaceCore

extension Command {
  private static let options = """
      --locale L      the language, as ko or en-GB (default: yours)
      --limit N       at most so many
      --json          the service's own answer, as one line of JSON
      --places PATH   where the service listens; else $LOCATIOND_PLACES_SOCKET, or
                      /run/locationd/places.sock
      --socket PATH   where the daemon listens, for 'here'

    """

  private static func batch(_ columns: String) -> String {
    """
    --batch asks for each line of a table, whose first line names its columns:
    \(columns).
    The lines come back in their order with the answers behind them, and errors in
    the last column; only this disk is asked.
    """
  }

  static let geocode = Command(
    name: "geocode", summary: "where is that: a place's coordinates",
    help: """
      Usage: locationctl geocode TEXT [--near LAT,LON|here] [OPTION]...
             locationctl geocode --batch FILE.csv|- [--column NAME]... [OPTION]...

      Says where an address, a city or a country is. Nothing of it is kept.
      TEXT may be -, which is a line of standard input.

      \(batch("its columns 'text' or 'address', or those that are named"))

        --near PLACE    places near it come first: LAT,LON, or here
      \(options)
      """, isPrivate: true
  ) { (arguments) throws(Failure) in
    var options = try GeocodeOptions(&arguments)
    if try arguments.batch(.geocode, options) { return }
    let text = try arguments.text("geocode wants a text, as 'geocode \"Paris, Texas\"'")
    var request = GeocodeRequest(text)
    request.near = try options.nearPlace()
    request.locale = options.locale
    request.limit = options.limit ?? request.limit
    try options.show(.geocode(request))
  }

  static let reverse = Command(
    name: "reverse", summary: "what is there: a place's address",
    help: """
      Usage: locationctl reverse LAT,LON|here [OPTION]...
             locationctl reverse --batch FILE.csv|- [--column NAME]... [OPTION]...

      Says what is at a place. 'here' asks the daemon for the machine's, which wants a
      permission; '-' is a line of standard input.

      \(batch("its columns 'latitude' and 'longitude', or those that are named"))

      \(options)
      """, isPrivate: true
  ) { (arguments) throws(Failure) in
    let options = try GeocodeOptions(&arguments, hasNear: false)
    if try arguments.batch(.reverse, options) { return }
    let text = try arguments.text("reverse wants LAT,LON, or here")
    var request = ReverseRequest(
      try Arguments.place(text, "reverse", daemon: options.daemon))
    request.locale = options.locale
    try options.show(.reverseGeocode(request))
  }

  static let search = Command(
    name: "search", summary: "places of a name or a kind",
    help: """
      Usage: locationctl search TEXT [--near LAT,LON|here] [OPTION]...

      Finds places. Shops, streets and stops are found where an extract of
      OpenStreetMap is imported. TEXT may be -, which is a line of standard input.

        --near PLACE    places near it come first: LAT,LON, or here
      \(options)
      """, isPrivate: true
  ) { (arguments) throws(Failure) in
    var options = try GeocodeOptions(&arguments)
    let text = try arguments.text("search wants a text, as 'search cafe'")
    var request = SearchRequest(.text(text))
    request.near = try options.nearPlace()
    request.locale = options.locale
    request.limit = options.limit ?? request.limit
    try options.show(.search(request))
  }
}

struct GeocodeOptions {
  var locale: String?
  var limit: Int?
  var daemon: String
  private var near: String?
  private(set) var service: String
  private(set) var asJSON: Bool

  init(_ arguments: inout Arguments, hasNear: Bool = true) throws(Failure) {
    asJSON = arguments.flag("--json")
    locale = try arguments.value("--locale") ?? UserLocale.tag
    near = hasNear ? try arguments.value("--near") : nil
    limit = try arguments.number("--limit", "1 to \(PlaceRequest.mostResults)") {
      (1...Double(PlaceRequest.mostResults)).contains($0) && $0 == $0.rounded()
    }.map { Int($0) }
    service = try arguments.value("--places") ?? Peer.places.defaultPath
    daemon = try arguments.socket()
  }

  mutating func nearPlace() throws(Failure) -> Coordinate? {
    guard let near else { return nil }
    return try Arguments.place(Arguments.typed(near), "--near", daemon: daemon)
  }

  func show(_ request: PlaceRequest) throws(Failure) {
    let service = try PlacesService(at: service)
    if asJSON { return try Output.write(try service.json(request)) }
    let places = try service.ask(request).found
    guard !places.isEmpty else { throw Failure(.failed, "no place of that name is known") }
    var near: Coordinate?
    if case .search(let search) = request { near = search.near }
    try Output.report(places.flatMap { PlaceReport.lines($0, from: near) })
    if places.first?.isPartial == true {
      Output.complain("not all of it is known: this is what is around it")
    }
  }
}

/// A place as a person reads it.
enum PlaceReport {
  /// `near`: its distance is told.
  static func lines(_ place: Placemark, from near: Coordinate? = nil) -> [String] {
    let away = near.map { "\(Describe.metres($0.distance(to: place.coordinate))) away" }
    var details = [away, Describe.place(place.coordinate)].compactMap { $0 }
    if let category = place.category { details.append(category) }
    if let precision = place.precision, precision.rawValue != place.category {
      details.append(precision.rawValue)
    }
    if let radius = place.radius { details.append("±" + Describe.metres(radius)) }
    if let zone = place.timeZone { details.append(zone) }
    if let source = place.source { details.append(source) }
    return [line(place), "    " + details.joined(separator: "  ")]
  }

  /// The name, then the address where that says more.
  static func line(_ place: Placemark) -> String {
    let parts = [place.locality, place.administrativeArea, place.country].compactMap { $0 }
    let address = place.formattedAddress ?? parts.joined(separator: ", ")
    let name = place.name ?? place.inlandWater ?? place.ocean
    guard let name else { return address }
    // Mumbai (Munbai), where that was asked for.
    if let matched = place.matchedName {
      let rest = address.hasPrefix(name) ? String(address.dropFirst(name.count)) : ", " + address
      return "\(name) (\(matched))" + (rest == ", " ? "" : rest)
    }
    if address.contains(name) { return address }
    return address.isEmpty ? name : "\(name), \(address)"
  }
}

extension Arguments {
  /// False where no table is given.
  fileprivate mutating func batch(
    _ kind: BatchTable.Kind, _ options: GeocodeOptions
  ) throws(Failure) -> Bool {
    let (table, columns) = (try value("--batch"), try values("--column"))
    guard let file = table else {
      guard columns.isEmpty else { throw Failure(.usage, "--column goes with --batch") }
      return false
    }
    try nothingElse()
    guard !options.asJSON, options.limit == nil else {
      throw Failure(.usage, "a table has an answer a line: neither --json nor --limit goes with it")
    }
    var options = options
    var asked = GeocodeRequest("").options
    (asked.locale, asked.limit, asked.offline) = (options.locale, 1, true)
    asked.near = try options.nearPlace()
    try BatchRun(kind, columns: columns, asked, places: options.service).run(file)
    return true
  }

  /// The only operand.
  fileprivate mutating func text(_ usage: String) throws(Failure) -> String {
    guard let text = operand(), !text.isEmpty else { throw Failure(.usage, usage) }
    try nothingElse()
    return try Self.typed(text)
  }

  /// A place or a text as it was typed; `-` is the next line of standard input.
  static func typed(_ word: String) throws(Failure) -> String {
    guard word == "-" else { return word }
    guard let line = Terminal.readLine(from: STDIN_FILENO), !line.isEmpty else {
      throw Failure(.usage, "'-' wants a line of standard input, and there is none")
    }
    return line
  }
}
