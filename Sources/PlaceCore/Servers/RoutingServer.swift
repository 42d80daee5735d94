package import LocationModel

/// A server that finds ways, as the administrator names it.
package struct RoutingServer: Equatable, Sendable {
  package enum Words: String, Sendable {
    case osrm, valhalla
  }

  package let words: Words
  /// How those travel whose ways it finds; nil is all.
  package let transport: Transport?
  package let address: ServerAddress

  /// As it is written: `osrm-walking:https://host/path`.
  package init(_ text: String) throws(Unusable) {
    let kind = text.prefix { $0 != ":" }
    switch kind.lowercased() {
    case "osrm": (words, transport) = (.osrm, .automobile)
    case "osrm-walking": (words, transport) = (.osrm, .walking)
    case "osrm-cycling": (words, transport) = (.osrm, .cycling)
    case "valhalla": (words, transport) = (.valhalla, nil)
    default:
      throw Unusable(
        what: "Router= is osrm:URL, osrm-walking:URL, osrm-cycling:URL or valhalla:URL")
    }
    address = try ServerAddress(text.dropFirst(kind.count + 1))
  }

  package func takes(_ request: DirectionsRequest) -> Bool {
    transport == nil || transport == request.transport
  }

  /// The place where the server answers it, and what is posted there; without a body it is read.
  package func question(_ request: DirectionsRequest) -> (url: String, body: JSON?) {
    switch words {
    case .osrm: (address.url + OSRM.path(request), nil)
    case .valhalla: (address.url + "/route", Valhalla.body(request))
    }
  }

  /// Of what it answers with status 200 or 400: that it finds no way is told with the latter.
  package func answer(_ bytes: [UInt8], to request: DirectionsRequest) -> EngineAnswer {
    guard let json = bytes.withUnsafeBytes({ (raw) -> JSON? in try? JSON(parsing: raw) }) else {
      return .failed(reason: "its answer is not understood")
    }
    return (words == .osrm ? OSRM.answer(json) : Valhalla.answer(json)).checked(request)
  }
}

extension EngineAnswer {
  /// The refusal where no engine finds a way; nil for what is no answer.
  package func refusal(_ request: DirectionsRequest) -> Refusal? {
    switch self {
    case .ways, .failed: return nil
    case .noWay: return Refusal(.directionsNotFound, "No way leads there.")
    case .noRoad(let place, let distance):
      let names =
        ["the start"] + request.via.indices.map { "stop \($0 + 1)" } + ["the destination"]
      let name =
        place.flatMap { names.indices.contains($0) ? names[$0] : nil } ?? "one of the places"
      // There is one, but for others.
      if let distance, distance <= Self.farthestRoad {
        let who =
          switch request.transport {
          case .automobile: "cars"
          case .walking: "walkers"
          case .cycling: "bicycles"
          }
        return Refusal(
          .directionsNotFound, "The roads near \(name) are not for \(who), or lead nowhere.")
      }
      guard let distance else {
        return Refusal(.placemarkNotFound, "No road is near \(name).")
      }
      let text = DistanceText.text(distance, language: "en", units: .metric)
      return Refusal(.placemarkNotFound, "No road is near \(name): the nearest is \(text) away.")
    }
  }
}
