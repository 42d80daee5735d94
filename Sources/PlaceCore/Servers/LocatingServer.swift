package import LocationModel

/// A server that knows where networks and cells are, as the administrator names it: in the words of
/// Mozilla's ichnaea, which beaconDB speaks, too.
package struct LocatingServer: Equatable, Sendable {
  package let address: ServerAddress

  /// Reads the text as it is written: `ichnaea:https://host/v1/geolocate`.
  package init(_ text: String) throws(Unusable) {
    let kind = text.prefix { $0 != ":" }
    guard kind.lowercased() == Self.kind else {
      throw Unusable(what: "Locator= is ichnaea:URL")
    }
    address = try ServerAddress(text.dropFirst(kind.count + 1))
  }

  private static let kind = "ichnaea"

  /// beaconDB tells the half diagonal of the boxes in which networks were heard, which is no percentile.
  private var saysPercentile: Bool {
    address.host != "beacondb.net" && !address.host.hasSuffix(".beacondb.net")
  }

  /// Metres of 68 %: ichnaea's radius holds 95 %, which is so much more for errors to all sides.
  private func radius(of accuracy: Double, _ question: GeolocateRequest) -> Double {
    let least = question.isOfNetworks ? Self.leastOfNetworks : Self.leastOfCells
    return max(saysPercentile ? accuracy / Self.perDeviation : accuracy, least)
  }

  private static let perDeviation = 1.62
  private static let leastOfNetworks = 50.0
  private static let leastOfCells = 1000.0
  /// A server that says more knows nothing.
  private static let farthest = 500_000.0
}

extension LocatingServer: AskedServer {
  package static let patience: Duration? = nil
  package static let mostWaiting = (user: 4, all: 8)
  package static let longestAnswer = 64 << 10
  package static let instead: String? = nil

  package var name: String { "the locator" }
  package var about: JSON { ["role": "locator", "kind": .string(Self.kind)] }

  /// A network alone stands for no place: it may be the machine's own, or travel with it.
  package func call(for question: GeolocateRequest) -> ServerCall? {
    let isOfNetworks = question.isOfNetworks
    guard isOfNetworks || !question.cells.isEmpty else { return nil }
    let networks = isOfNetworks ? question.networks : []
    let body: JSON = [
      // A server that knows nothing answers by this machine's address, unless it is told not to.
      "considerIp": .bool(false),
      "wifiAccessPoints": networks.isEmpty ? nil : .array(networks.map(\.json)),
      "cellTowers": question.cells.isEmpty ? nil : .array(question.cells.map(\.json)),
      "fallbacks": ["lacf": .bool(!question.cells.isEmpty), "ipf": .bool(false)],
    ]
    return ServerCall(url: address.url, body: body)
  }

  package func meaning(
    of body: [UInt8], status: Int, to question: GeolocateRequest
  ) -> ServerAnswer<RadioPlace>? {
    switch status {
    case 200: break
    case 404: return .nothing(Self.notFound)
    default: return nil
    }
    guard let json = body.withUnsafeBytes({ (raw) -> JSON? in try? JSON(parsing: raw) }),
      let latitude = json["location"]?["lat"]?.double,
      let longitude = json["location"]?["lng"]?.double,
      let accuracy = json["accuracy"]?.double, accuracy >= 0
    else { return .failed(reason: "its answer is not understood") }
    let place = Coordinate(latitude: latitude, longitude: longitude)
    guard place.isValid else { return .failed(reason: "its answer lies nowhere on the Earth") }
    let radius = radius(of: accuracy, question)
    // A server knows something by the area of a cell, nothing by an address.
    let isOwn = json["fallback"].map {
      $0 == .null || $0.string == "lacf" && !question.cells.isEmpty
    }
    guard isOwn != false, radius <= Self.farthest, place != Self.nowhere else {
      return .nothing(Self.notFound)
    }
    let isOfArea = json["fallback"]?.string == "lacf"
    return .answer(
      RadioPlace(
        place, horizontalAccuracy: isOfArea ? max(radius, Self.leastOfCells) : radius))
  }

  private static let nowhere = Coordinate(latitude: 0, longitude: 0)
  package static let notFound = Refusal(
    .geocodeFoundNoResult, "The server does not know where these networks or cells are.")

  package static func holds(
    _ question: GeolocateRequest, for other: GeolocateRequest, after age: Duration
  ) -> Bool { question.hearsSame(as: other) }

  package static func json(of answer: RadioPlace, to question: GeolocateRequest) -> JSON? {
    ["params": question.parameters, "answer": answer.coordinate.pair]
  }
}

extension GeolocateRequest {
  fileprivate var isOfNetworks: Bool { networks.count >= Self.leastNetworks }

  fileprivate var parameters: JSON { PlaceRequest.geolocate(self).parameters }
}
