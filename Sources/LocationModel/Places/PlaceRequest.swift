/// A question about a place, checked.
package enum PlaceRequest: ServiceRequest {
  package typealias Reply = PlaceReply

  case geocode(GeocodeRequest)
  case reverseGeocode(ReverseRequest)
  case complete(CompletionRequest)
  case search(SearchRequest)
  case directions(DirectionsRequest)
  case streets(StreetsRequest)
  case tile(TileRequest)
  case geolocate(GeolocateRequest)
  case status
}

extension PlaceRequest {
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
        .truth("alternates", \.alternates),
        Parameter("avoid", \.avoid, Parameters.avoidances) { avoid in
          avoid.isEmpty
            ? nil : .array(Avoidance.allCases.filter(avoid.contains).map { .string($0.rawValue) })
        }, .locale, .offline,
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
    Method(
      "tile", TileRequest(),
      [
        Parameter("level", \.level, Parameters.level) { .integer(Int64($0)) },
        Parameter("x", \.x, Parameters.column) { .integer(Int64($0)) },
        Parameter("y", \.y, Parameters.column) { .integer(Int64($0)) },
      ], reply: ground, make: PlaceRequest.tile
    ) {
      if case .tile(let request) = $0 { request } else { nil }
    } check: { (request) throws(Refusal) in
      try request.check()
    },
    .geolocate,
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

  private static func ground(_ json: JSON) -> PlaceReply? {
    json["ground"]?.string.map(PlaceReply.ground)
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

  fileprivate func avoidances(_ name: String) throws(Refusal) -> Set<Avoidance>? {
    guard let value = json[name] else { return nil }
    guard let words = value.array?.map({ $0.string.flatMap(Avoidance.init) }),
      !words.contains(nil)
    else {
      throw Refusal(.invalidParameters, "\(name) is a list of \(Avoidance.words).")
    }
    return Set(words.compactMap(\.self))
  }

  fileprivate func side(_ name: String) throws(Refusal) -> Double? {
    guard let degrees = json[name]?.double, abs(degrees) <= 180 else {
      throw Refusal(.invalidParameters, "\(name) must be a number of degrees.")
    }
    return degrees
  }

  fileprivate func level(_ name: String) throws(Refusal) -> Int? {
    try number(of: name, below: Int64(TileRequest.highestLevel) + 1)
  }

  fileprivate func column(_ name: String) throws(Refusal) -> Int? {
    try number(of: name, below: 1 << TileRequest.highestLevel)
  }

  private func number(of name: String, below end: Int64) throws(Refusal) -> Int {
    guard let number = try whole(name, 0...end - 1) else {
      throw Refusal(.invalidParameters, "\(name) is missing.")
    }
    return Int(number)
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
