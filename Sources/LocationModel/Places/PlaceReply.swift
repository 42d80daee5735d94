/// An answer about places.
package enum PlaceReply: Equatable, Sendable {
  case placemarks([Placemark])
  /// The places of a search.
  case places([Placemark])
  case completions([Completion])
  case streets([StreetLine])
  /// The features of a tile, in base64.
  case ground(String)
  case routes([Route])
  case radioPlace(RadioPlace)
  case status(PlacesStatus)
}

extension PlaceReply {
  package var json: JSON {
    switch self {
    case .placemarks(let places): ["placemarks": .array(places.map(\.json))]
    case .places(let places): ["places": .array(places.map(\.json))]
    case .completions(let lines): ["completions": .array(lines.map(\.json))]
    case .streets(let lines): ["streets": .array(lines.map(\.json))]
    case .ground(let features): ["ground": .string(features)]
    case .routes(let routes): ["routes": .array(routes.map(\.json))]
    case .radioPlace(let place): place.json
    case .status(let status): status.json
    }
  }

  /// The places found, whatever was asked.
  package var found: [Placemark] {
    switch self {
    case .placemarks(let places), .places(let places): places
    case .completions, .streets, .ground, .routes, .radioPlace, .status: []
    }
  }
}

/// A street as it is drawn.
package struct StreetLine: Equatable, Sendable {
  package var name: String
  /// For those who walk.
  package var isPath: Bool
  package var polyline: [Coordinate]

  package init(name: String, isPath: Bool, polyline: [Coordinate]) {
    (self.name, self.isPath, self.polyline) = (name, isPath, polyline)
  }

  package var json: JSON {
    [
      "name": .string(name), "path": isPath ? .bool(true) : nil,
      "polyline": .array(polyline.map(\.pair)),
    ]
  }

  init?(_ json: JSON) {
    guard let name = json["name"]?.string else { return nil }
    self.init(
      name: name, isPath: json["path"]?.bool ?? false,
      polyline: json.list("polyline", Coordinate.init(pair:)) ?? [])
  }
}

/// The data and the servers of the service of places. What a newer service says beside stays in `json`.
package struct PlacesStatus: Equatable, Sendable {
  package let json: JSON

  package init(json: JSON) { self.json = json }

  package var dataSets: [DataSet] { json.list("dataSets", DataSet.init) ?? [] }
  /// Addresses at which places are told over HTTP.
  package var web: [String] { json.list("http", \.string) ?? [] }
  package var engines: [Engine] { json.list("engines", Engine.init) ?? [] }
  package var servers: [Server] { json.list("servers", Server.init) ?? [] }

  /// A part that finds ways on this disk.
  package struct Engine: Equatable, Sendable {
    package var name: String
    /// The extracts whose roads it knows.
    package var roads: [String]
    package var trouble: String?

    init?(_ json: JSON) {
      guard let name = json["name"]?.string else { return nil }
      self.name = name
      roads = json.list("roads", \.string) ?? []
      trouble = json["trouble"]?.string
    }
  }

  package struct Server: Equatable, Sendable {
    package var address: String?
    package var trouble: String?

    init(_ json: JSON) {
      address = json["url"]?.string ?? json["name"]?.string
      trouble = json["trouble"]?.string
    }
  }
}
