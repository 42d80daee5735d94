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
