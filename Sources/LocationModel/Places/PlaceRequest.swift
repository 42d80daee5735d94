/// A question about a place, checked.
package enum PlaceRequest: ServiceRequest {
  package typealias Reply = PlaceReply

  case geocode(GeocodeRequest)
  case reverseGeocode(ReverseRequest)
  case complete(CompletionRequest)
  case search(SearchRequest)
  case directions(DirectionsRequest)
  case streets(StreetsRequest)
  case status
}

/// Options of questions about places; each method takes some of them.
package struct PlaceOptions: Equatable, Sendable {
  /// A BCP 47 tag, or POSIX's words for one; nil for the place's own language.
  package var locale: String?
  /// Places near it come first.
  package var near: Coordinate?
  package var limit = 0
  /// Only from the disk: no server is asked.
  package var offline = false
}

/// A question with options.
package protocol PlaceQuestion: Equatable, Sendable {
  var options: PlaceOptions { get set }
}

extension PlaceQuestion {
  package var locale: String? {
    get { options.locale }
    set { options.locale = newValue }
  }

  package var near: Coordinate? {
    get { options.near }
    set { options.near = newValue }
  }

  package var limit: Int {
    get { options.limit }
    set { options.limit = newValue }
  }

  package var offline: Bool {
    get { options.offline }
    set { options.offline = newValue }
  }
}

/// The question for the places of a text.
package struct GeocodeRequest: PlaceQuestion {
  package var text: String
  package var options = PlaceOptions(limit: 5)
  /// Two letters: only places there.
  package var country: String?

  package init(_ text: String) { self.text = text }
}

/// The question for the names of a place.
package struct ReverseRequest: PlaceQuestion {
  package var coordinate: Coordinate
  package var options = PlaceOptions()

  package init(_ coordinate: Coordinate) { self.coordinate = coordinate }
}

/// The end of what somebody types.
package struct CompletionRequest: PlaceQuestion {
  package var text: String
  package var options = PlaceOptions(limit: 8)

  package init(_ text: String) { self.text = text }
}

package struct SearchRequest: PlaceQuestion {
  package enum Query: Equatable, Sendable {
    case text(String)
    /// That of a completion, or of a place found earlier.
    case id(String)
  }

  package var query: Query
  package var options = PlaceOptions(limit: 10)
  /// Metres around `near`: only places there.
  package var radius: Double?
  package var category: String?

  package init(_ query: Query) { self.query = query }
}

/// The question for the lines of the streets in a box, to draw them.
package struct StreetsRequest: PlaceQuestion {
  package var south = 0.0
  package var west = 0.0
  package var north = 0.0
  package var east = 0.0
  /// Only the disk has them.
  package var options = PlaceOptions(offline: true)

  /// Degrees between two sides.
  package static let widest = 0.25
}

extension PlaceRequest {
  package static let longestText = 1024
  package static let mostResults = 50

  package var options: PlaceOptions {
    switch self {
    case .geocode(let request): request.options
    case .reverseGeocode(let request): request.options
    case .complete(let request): request.options
    case .search(let request): request.options
    case .directions(let request): request.options
    case .streets(let request): request.options
    case .status: PlaceOptions(offline: true)
    }
  }

  package var locale: String? { options.locale }

  /// The disk alone answers.
  package var isOffline: Bool { options.offline }

  package static let methods: [Method<PlaceRequest>] = [
    Method(
      "geocode", GeocodeRequest(""),
      [
        Parameter("text", \.text, Parameters.question, JSON.string), .locale, .near,
        Parameter(optional: "country", \.country, Parameters.country, JSON.string), .limit,
        .offline,
      ], reply: placemarks, make: PlaceRequest.geocode
    ) { if case .geocode(let request) = $0 { request } else { nil } },
    Method(
      "reverseGeocode", ReverseRequest(Coordinate(latitude: 0, longitude: 0)),
      [
        .number("latitude", \.coordinate.latitude, Parameters.degrees),
        .number("longitude", \.coordinate.longitude, Parameters.degrees), .locale, .offline,
      ], reply: placemarks, make: PlaceRequest.reverseGeocode
    ) {
      if case .reverseGeocode(let request) = $0 { request } else { nil }
    } check: { (request) throws(Refusal) in
      try request.check()
    },
    Method(
      "complete", CompletionRequest(""),
      [
        Parameter("text", \.text, Parameters.question, JSON.string), .locale, .near, .limit,
        .offline,
      ], reply: completions,
      make: PlaceRequest.complete
    ) { if case .complete(let request) = $0 { request } else { nil } },
    Method(
      "search", SearchRequest(.text("")),
      [
        .text, .id, .locale, .near,
        Parameter(optional: "radius", \.radius, Parameters.distance, JSON.number),
        .text("category", \.category), .limit, .offline,
      ], reply: places,
      make: PlaceRequest.search
    ) { if case .search(let request) = $0 { request } else { nil } },
    Method(
      "directions", DirectionsRequest(from: nowhere, to: nowhere),
      [
        Parameter("from", \.from, Parameters.end) { $0.pair },
        Parameter("to", \.to, Parameters.end) { $0.pair },
        Parameter("via", \.via, Parameters.stops) {
          $0.isEmpty ? nil : .array($0.map(\.pair))
        },
        Parameter("transport", \.transport, Parameters.transport) { .string($0.rawValue) },
        .truth("alternates", \.alternates), .locale, .offline,
      ], reply: routes,
      make: PlaceRequest.directions
    ) { if case .directions(let request) = $0 { request } else { nil } },
    Method(
      "streets", StreetsRequest(),
      [
        .number("south", \.south, Parameters.side), .number("west", \.west, Parameters.side),
        .number("north", \.north, Parameters.side), .number("east", \.east, Parameters.side),
        .locale,
      ], reply: streets,
      make: PlaceRequest.streets
    ) {
      if case .streets(let request) = $0 { request } else { nil }
    } check: { (request) throws(Refusal) in
      try request.check()
    },
    Method("status", .status, reply: { .status(PlacesStatus(json: $0)) }),
  ]

  private static let nowhere = Coordinate(latitude: 0, longitude: 0)

  /// Nil where there are ways, and none that can be read.
  private static func routes(_ json: JSON) -> PlaceReply? {
    let routes = json.list("routes", Route.init) ?? []
    return routes.isEmpty && json["routes"]?.array?.isEmpty == false ? nil : .routes(routes)
  }

  private static func completions(_ json: JSON) -> PlaceReply? {
    json.list("completions", Completion.init).map(PlaceReply.completions)
  }

  private static func places(_ json: JSON) -> PlaceReply? {
    json.list("places", Placemark.init).map(PlaceReply.places)
  }

  private static func streets(_ json: JSON) -> PlaceReply? {
    json.list("streets", StreetLine.init).map(PlaceReply.streets)
  }

  private static func placemarks(_ json: JSON) -> PlaceReply? {
    json.list("placemarks", Placemark.init).map(PlaceReply.placemarks)
  }
}

extension Parameter where Value: PlaceQuestion {
  fileprivate static var locale: Self {
    Self(optional: "locale", \.options.locale, Parameters.locale, JSON.string)
  }

  fileprivate static var near: Self {
    Self(optional: "near", \.options.near, Parameters.place) { $0.pair }
  }

  fileprivate static var limit: Self {
    Self("limit", \.options.limit, Parameters.limit) { .integer(Int64($0)) }
  }

  fileprivate static var offline: Self { .truth("offline", \.options.offline) }
}

extension Parameter<SearchRequest> {
  /// A place that is named needs no text.
  fileprivate static var text: Self {
    Self(name: "text") { (given, request) throws(Refusal) in
      guard given.json["id"] == nil, let text = try given.question("text") else { return }
      request.query = .text(text)
    } write: {
      if case .text(let text) = $0.query { .string(text) } else { nil }
    }
  }

  fileprivate static var id: Self {
    Self(name: "id") { (given, request) throws(Refusal) in
      if let id = try given.text("id") { request.query = .id(id) }
    } write: {
      if case .id(let id) = $0.query { .string(id) } else { nil }
    }
  }
}

extension ReverseRequest {
  fileprivate func check() throws(Refusal) {
    guard coordinate.isValid else {
      throw Refusal(.invalidParameters, "latitude and longitude lie nowhere on the Earth.")
    }
  }
}

extension StreetsRequest {
  fileprivate func check() throws(Refusal) {
    guard (0...Self.widest).contains(north - south), (0...Self.widest).contains(east - west)
    else {
      throw Refusal(
        .invalidParameters, "A box of streets has at most \(Self.widest) degrees a side.")
    }
  }
}

extension Coordinate {
  package var pair: JSON { .array([.number(latitude), .number(longitude)]) }

  /// `[latitude, longitude]`; nil for what lies nowhere on the Earth.
  package init?(pair json: JSON) {
    guard let numbers = json.array, numbers.count == 2, let latitude = numbers[0].double,
      let longitude = numbers[1].double
    else { return nil }
    self.init(latitude: latitude, longitude: longitude)
    guard isValid else { return nil }
  }
}

extension Parameters {
  fileprivate func question(_ name: String) throws(Refusal) -> String? {
    guard let value = json[name]?.string else {
      throw Refusal(.invalidParameters, "\(name) is missing.")
    }
    guard value.utf8.count <= PlaceRequest.longestText else {
      throw Refusal(
        .invalidParameters, "\(name) must have at most \(PlaceRequest.longestText) bytes.")
    }
    return value
  }

  fileprivate func locale(_ name: String) throws(Refusal) -> String? {
    guard let locale = try text(name) else { return nil }
    guard locale.utf8.count <= 64 else {
      throw Refusal(.invalidParameters, "\(name) must be a language tag such as ko-KR.")
    }
    return locale
  }

  fileprivate func country(_ name: String) throws(Refusal) -> String? {
    try text(name)?.uppercased()
  }

  fileprivate func limit(_ name: String) throws(Refusal) -> Int? {
    try whole(name, 1...Int64(PlaceRequest.mostResults)).map { Int($0) }
  }

  fileprivate func distance(_ name: String) throws(Refusal) -> Double? {
    guard let value = json[name] else { return nil }
    guard let number = value.double, number > 0, number.isFinite else {
      throw Refusal(.invalidParameters, "\(name) must be a number of metres.")
    }
    return number
  }

  fileprivate func transport(_ name: String) throws(Refusal) -> Transport? {
    guard let text = try text(name) else { return nil }
    guard let transport = Transport(rawValue: text) else {
      throw Refusal(.invalidParameters, "\(name) is automobile, walking or cycling.")
    }
    return transport
  }

  fileprivate func side(_ name: String) throws(Refusal) -> Double? {
    guard let degrees = json[name]?.double, abs(degrees) <= 180 else {
      throw Refusal(.invalidParameters, "\(name) must be a number of degrees.")
    }
    return degrees
  }

  fileprivate func degrees(_ name: String) throws(Refusal) -> Double? {
    guard let degrees = json[name]?.double else {
      throw Refusal(.invalidParameters, "latitude and longitude must be numbers.")
    }
    return degrees
  }

  fileprivate func place(_ name: String) throws(Refusal) -> Coordinate? {
    guard let value = json[name] else { return nil }
    return try place(value, name)
  }

  /// An end of a way, which is not left out.
  fileprivate func end(_ name: String) throws(Refusal) -> Coordinate? {
    guard let value = json[name] else {
      throw Refusal(.invalidParameters, "from and to must be [latitude, longitude].")
    }
    return try place(value, name)
  }

  fileprivate func stops(_ name: String) throws(Refusal) -> [Coordinate]? {
    guard let list = json[name]?.array else { return nil }
    guard list.count <= DirectionsRequest.mostVia else {
      throw Refusal(
        .invalidParameters, "\(name) has at most \(DirectionsRequest.mostVia) places.")
    }
    var stops: [Coordinate] = []
    for stop in list { stops.append(try place(stop, "a place of \(name)")) }
    return stops
  }

  private func place(_ value: JSON, _ name: String) throws(Refusal) -> Coordinate {
    guard let place = Coordinate(pair: value) else {
      throw Refusal(.invalidParameters, "\(name) must be [latitude, longitude].")
    }
    return place
  }
}
