/// A question about a place, checked.
package enum PlaceRequest: Equatable, Sendable {
  case geocode(GeocodeRequest)
  case reverseGeocode(ReverseRequest)
  case complete(CompletionRequest)
  case search(SearchRequest)
  case directions(DirectionsRequest)
  case streets(StreetsRequest)
  case status
}

/// The question for the places of a text.
package struct GeocodeRequest: Equatable, Sendable {
  package var text: String
  /// A BCP 47 tag, or POSIX's words for one; nil for the place's own language.
  package var locale: String?
  /// Places near it come first.
  package var near: Coordinate?
  /// Two letters: only places there.
  package var country: String?
  package var limit = 5
  /// Only from the disk: no server is asked.
  package var offline = false

  package init(_ text: String) { self.text = text }
}

/// The question for the names of a place.
package struct ReverseRequest: Equatable, Sendable {
  package var coordinate: Coordinate
  package var locale: String?
  /// Only from the disk: no server is asked.
  package var offline = false

  package init(_ coordinate: Coordinate) { self.coordinate = coordinate }
}

/// The end of what somebody types.
package struct CompletionRequest: Equatable, Sendable {
  package var text: String
  package var locale: String?
  package var near: Coordinate?
  package var limit = 8
  /// Only from the disk: no server is asked.
  package var offline = false

  package init(_ text: String) { self.text = text }
}

package struct SearchRequest: Equatable, Sendable {
  package enum Query: Equatable, Sendable {
    case text(String)
    /// That of a completion, or of a place found earlier.
    case id(String)
  }

  package var query: Query
  package var locale: String?
  package var near: Coordinate?
  /// Metres around `near`: only places there.
  package var radius: Double?
  package var category: String?
  package var limit = 10
  /// Only from the disk: no server is asked.
  package var offline = false

  package init(_ query: Query) { self.query = query }
}

/// The question for the lines of the streets in a box, to draw them.
package struct StreetsRequest: Equatable, Sendable {
  package var south: Double
  package var west: Double
  package var north: Double
  package var east: Double
  package var locale: String?

  /// Degrees between two sides.
  package static let widest = 0.25
}

extension PlaceRequest {
  package static let longestText = 1024
  package static let mostResults = 50

  package var method: String {
    switch self {
    case .geocode: "geocode"
    case .reverseGeocode: "reverseGeocode"
    case .complete: "complete"
    case .search: "search"
    case .directions: "directions"
    case .streets: "streets"
    case .status: "status"
    }
  }

  private static let names: [String: [String]] = [
    "geocode": ["text", "locale", "near", "country", "limit", "offline"],
    "reverseGeocode": ["latitude", "longitude", "locale", "offline"],
    "complete": ["text", "locale", "near", "limit", "offline"],
    "search": ["text", "id", "locale", "near", "radius", "category", "limit", "offline"],
    "directions": ["from", "to", "via", "transport", "alternates", "locale", "offline"],
    "streets": ["south", "west", "north", "east", "locale"],
  ]

  package init(method: String, parameters: Parameters) throws(Refusal) {
    switch method {
    case "geocode":
      var request = GeocodeRequest(try parameters.question())
      request.locale = try parameters.locale()
      request.near = try parameters.place("near")
      request.country = try parameters.text("country")?.uppercased()
      request.limit = try parameters.limit(request.limit)
      request.offline = try parameters.flag("offline")
      self = .geocode(request)
    case "reverseGeocode":
      var request = ReverseRequest(try parameters.coordinate())
      request.locale = try parameters.locale()
      request.offline = try parameters.flag("offline")
      self = .reverseGeocode(request)
    case "complete":
      var request = CompletionRequest(try parameters.question())
      request.locale = try parameters.locale()
      request.near = try parameters.place("near")
      request.limit = try parameters.limit(request.limit)
      request.offline = try parameters.flag("offline")
      self = .complete(request)
    case "search":
      var request =
        if let id = try parameters.text("id") { SearchRequest(.id(id)) } else {
          SearchRequest(.text(try parameters.question()))
        }
      request.locale = try parameters.locale()
      request.near = try parameters.place("near")
      request.radius = try parameters.distance("radius")
      request.category = try parameters.text("category")
      request.limit = try parameters.limit(request.limit)
      request.offline = try parameters.flag("offline")
      self = .search(request)
    case "directions": self = .directions(try parameters.directions())
    case "streets": self = .streets(try parameters.streets())
    case "status": self = .status
    default: throw Refusal(.unknownMethod, "There is no method '\(method.plain(atMost: 64))'.")
    }
    try parameters.check(Self.names[method] ?? [], of: method)
  }

  package var parameters: JSON {
    switch self {
    case .geocode(let request):
      [
        "text": .string(request.text), "locale": request.locale.map(JSON.string),
        "near": request.near?.pair, "country": request.country.map(JSON.string),
        "limit": .integer(Int64(request.limit)),
        "offline": request.offline ? .bool(true) : nil,
      ]
    case .reverseGeocode(let request):
      [
        "latitude": .number(request.coordinate.latitude),
        "longitude": .number(request.coordinate.longitude),
        "locale": request.locale.map(JSON.string),
        "offline": request.offline ? .bool(true) : nil,
      ]
    case .complete(let request):
      [
        "text": .string(request.text), "locale": request.locale.map(JSON.string),
        "near": request.near?.pair, "limit": .integer(Int64(request.limit)),
        "offline": request.offline ? .bool(true) : nil,
      ]
    case .search(let request):
      [
        "text": request.text.map(JSON.string), "id": request.id.map(JSON.string),
        "locale": request.locale.map(JSON.string), "near": request.near?.pair,
        "radius": request.radius.map(JSON.number), "category": request.category.map(JSON.string),
        "limit": .integer(Int64(request.limit)),
        "offline": request.offline ? .bool(true) : nil,
      ]
    case .directions(let request):
      [
        "from": request.from.pair, "to": request.to.pair,
        "via": request.via.isEmpty ? nil : .array(request.via.map(\.pair)),
        "transport": .string(request.transport.rawValue),
        "alternates": request.alternates ? .bool(true) : nil,
        "locale": request.locale.map(JSON.string),
        "offline": request.offline ? .bool(true) : nil,
      ]
    case .streets(let request):
      [
        "south": .number(request.south), "west": .number(request.west),
        "north": .number(request.north), "east": .number(request.east),
        "locale": request.locale.map(JSON.string),
      ]
    case .status: [:]
    }
  }
}

extension SearchRequest {
  fileprivate var text: String? { if case .text(let text) = query { text } else { nil } }
  fileprivate var id: String? { if case .id(let id) = query { id } else { nil } }
}

extension Coordinate {
  fileprivate var pair: JSON { .array([.number(latitude), .number(longitude)]) }
}

extension Parameters {
  fileprivate func question() throws(Refusal) -> String {
    guard let value = json["text"]?.string else {
      throw Refusal(.invalidParameters, "text is missing.")
    }
    guard value.utf8.count <= PlaceRequest.longestText else {
      throw Refusal(
        .invalidParameters, "text must have at most \(PlaceRequest.longestText) bytes.")
    }
    return value
  }

  fileprivate func locale() throws(Refusal) -> String? {
    guard let locale = try text("locale") else { return nil }
    guard locale.utf8.count <= 64 else {
      throw Refusal(.invalidParameters, "locale must be a language tag such as ko-KR.")
    }
    return locale
  }

  fileprivate func flag(_ name: String) throws(Refusal) -> Bool {
    guard let value = json[name] else { return false }
    guard let flag = value.bool else {
      throw Refusal(.invalidParameters, "\(name) must be true or false.")
    }
    return flag
  }

  fileprivate func limit(_ standard: Int) throws(Refusal) -> Int {
    Int(try whole("limit", 1...Int64(PlaceRequest.mostResults)) ?? Int64(standard))
  }

  fileprivate func distance(_ name: String) throws(Refusal) -> Double? {
    guard let value = json[name] else { return nil }
    guard let number = value.double, number > 0, number.isFinite else {
      throw Refusal(.invalidParameters, "\(name) must be a number of metres.")
    }
    return number
  }

  fileprivate func directions() throws(Refusal) -> DirectionsRequest {
    guard let from = try place("from"), let to = try place("to") else {
      throw Refusal(.invalidParameters, "from and to must be [latitude, longitude].")
    }
    var request = DirectionsRequest(from: from, to: to)
    let stops = json["via"]?.array ?? []
    guard stops.count <= DirectionsRequest.mostVia else {
      throw Refusal(
        .invalidParameters, "via has at most \(DirectionsRequest.mostVia) places.")
    }
    for stop in stops { request.via.append(try Self.place(stop, "a place of via")) }
    if let name = try text("transport") {
      guard let transport = Transport(rawValue: name) else {
        throw Refusal(.invalidParameters, "transport is automobile, walking or cycling.")
      }
      request.transport = transport
    }
    request.alternates = try flag("alternates")
    request.locale = try locale()
    request.offline = try flag("offline")
    return request
  }

  fileprivate func streets() throws(Refusal) -> StreetsRequest {
    func side(_ name: String) throws(Refusal) -> Double {
      guard let degrees = json[name]?.double, abs(degrees) <= 180 else {
        throw Refusal(.invalidParameters, "\(name) must be a number of degrees.")
      }
      return degrees
    }
    let request = StreetsRequest(
      south: try side("south"), west: try side("west"), north: try side("north"),
      east: try side("east"), locale: try locale())
    guard (0...StreetsRequest.widest).contains(request.north - request.south),
      (0...StreetsRequest.widest).contains(request.east - request.west)
    else {
      throw Refusal(
        .invalidParameters, "A box of streets has at most \(StreetsRequest.widest) degrees a side.")
    }
    return request
  }

  fileprivate func place(_ name: String) throws(Refusal) -> Coordinate? {
    guard let value = json[name] else { return nil }
    return try Self.place(value, name)
  }

  /// `[latitude, longitude]`.
  private static func place(_ value: JSON, _ name: String) throws(Refusal) -> Coordinate {
    if let numbers = value.array, numbers.count == 2, let latitude = numbers[0].double,
      let longitude = numbers[1].double
    {
      let place = Coordinate(latitude: latitude, longitude: longitude)
      if place.isValid { return place }
    }
    throw Refusal(.invalidParameters, "\(name) must be [latitude, longitude].")
  }

  fileprivate func coordinate() throws(Refusal) -> Coordinate {
    guard let latitude = json["latitude"]?.double, let longitude = json["longitude"]?.double else {
      throw Refusal(.invalidParameters, "latitude and longitude must be numbers.")
    }
    let place = Coordinate(latitude: latitude, longitude: longitude)
    guard place.isValid else {
      throw Refusal(.invalidParameters, "latitude and longitude lie nowhere on the Earth.")
    }
    return place
  }
}
