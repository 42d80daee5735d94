package import LocationModel

/// A server that finds ways, as the administrator names it.
package struct RoutingServer: Equatable, Sendable {
  private enum Kind: String, Sendable {
    case osrm, valhalla
  }

  private let kind: Kind
  /// How those travel whose ways it finds; nil is all.
  private let transport: Transport?
  package let address: ServerAddress

  /// As it is written: `osrm-walking:https://host/path`.
  package init(_ text: String) throws(Unusable) {
    let kind = text.prefix { $0 != ":" }
    switch kind.lowercased() {
    case "osrm": (self.kind, transport) = (.osrm, .automobile)
    case "osrm-walking": (self.kind, transport) = (.osrm, .walking)
    case "osrm-cycling": (self.kind, transport) = (.osrm, .cycling)
    case "valhalla": (self.kind, transport) = (.valhalla, nil)
    default:
      throw Unusable(
        what: "Router= is osrm:URL, osrm-walking:URL, osrm-cycling:URL or valhalla:URL")
    }
    address = try ServerAddress(text.dropFirst(kind.count + 1))
  }

  package func answer(_ bytes: [UInt8], to request: DirectionsRequest) -> EngineAnswer {
    guard let json = Self.json(of: bytes) else {
      return .failed(reason: "its answer is not understood")
    }
    return (kind == .osrm ? OSRM.answer(json) : Valhalla.answer(json)).checked(request)
  }

  private static func json(of bytes: [UInt8]) -> JSON? {
    bytes.withUnsafeBytes { (raw) -> JSON? in try? JSON(parsing: raw) }
  }
}

extension RoutingServer: AskedServer {
  package static let patience: Duration? = .milliseconds(4500)
  package static let mostWaiting = (user: 16, all: 64)
  package static let longestAnswer = 8 << 20
  package static let instead: String? = nil

  package var name: String { "the \(kind.rawValue) server for directions" }
  package var about: JSON {
    [
      "role": "router", "kind": .string(kind.rawValue),
      "transport": transport.map { .string($0.rawValue) },
    ]
  }

  package func call(for question: DirectionsRequest) -> ServerCall? {
    guard !question.offline, transport == nil || transport == question.transport,
      kind != .osrm || question.avoid.allSatisfy({ OSRM.classes[$0] != nil })
    else { return nil }
    return switch kind {
    case .osrm: ServerCall(url: address.url + OSRM.path(question))
    case .valhalla: ServerCall(url: address.url + "/route", body: Valhalla.body(question))
    }
  }

  /// That it finds no way is told with status 400.
  package func meaning(
    of body: [UInt8], status: Int, to question: DirectionsRequest
  ) -> ServerAnswer<[Way]>? {
    guard [200, 400].contains(status) else { return nil }
    if kind == .osrm, status == 400, !question.avoid.isEmpty,
      Self.json(of: body).map(OSRM.cannotAvoid) == true
    {
      return .nothing(nil)
    }
    let answer = answer(body, to: question)
    return switch answer {
    case .ways(let ways): .answer(ways)
    case .failed(let reason): .failed(reason: reason)
    case .noWay, .noRoad, .tooFar: .nothing(answer.refusal(question))
    }
  }
}

extension DirectionsRequest {
  /// The name of a place in a sentence, by its number.
  package func name(ofPlace number: Int) -> String {
    let stops = via.indices.map { "stop \($0 + 1) on the way" }
    let names = ["the start"] + stops + ["the destination"]
    return names.indices.contains(number) ? names[number] : "one of the places"
  }
}

extension EngineAnswer {
  /// The refusal where no engine finds a way; nil for what is no answer.
  package func refusal(_ request: DirectionsRequest) -> Refusal? {
    switch self {
    case .ways, .failed: return nil
    case .noWay: return Refusal(.directionsNotFound, "No way leads there.")
    case .tooFar:
      return Refusal(
        .directionsNotFound, "The way is too long to be found here: ask for a part of it.")
    case .noRoad(let place, let distance):
      let name = place.map(request.name) ?? request.name(ofPlace: -1)
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
