internal import Geodesy
package import LocationModel

/// A server that knows places.
package struct GeocodingServer: Equatable, Sendable {
  private enum Kind: String, Sendable {
    case nominatim, photon
  }

  private let kind: Kind
  package let address: ServerAddress
  /// Languages that the server refused, and is not asked in again.
  private var refusedLanguages: Set<String> = []

  /// As it is written: `nominatim:https://host/path`.
  package init(_ text: String) throws(Unusable) {
    let kind = text.prefix { $0 != ":" }
    guard let known = Kind(rawValue: kind.lowercased()) else {
      throw Unusable(what: "Geocoder= is nominatim:URL or photon:URL")
    }
    self.kind = known
    address = try ServerAddress(text.dropFirst(kind.count + 1))
  }

  /// The place where the server answers it; nil where it is not to be asked.
  package func url(for request: PlaceRequest) -> String? {
    switch kind {
    case .nominatim: Nominatim.query(request).map { address.url + $0 }
    case .photon: Photon.query(request, in: language(of: request)).map { address.url + $0 }
    }
  }

  /// A server of Photon's knows few languages, and refuses the others: then names are those of the place.
  private func language(of request: PlaceRequest) -> String? {
    let code = request.locale.flatMap(Language.init)?.code
    return code.flatMap { refusedLanguages.contains($0) ? nil : $0 }
  }

  /// The places of an answer, as the request wants them; nil where it is no answer.
  package func places(in bytes: [UInt8], for request: PlaceRequest) -> [Placemark]? {
    guard
      let json = bytes.withUnsafeBytes({ (raw) -> JSON? in try? JSON(parsing: raw) }),
      var places = kind == .nominatim ? Nominatim.places(json) : Photon.places(json)
    else { return nil }
    for i in places.indices { places[i].source = kind.rawValue }
    return request.selection(of: places)
  }
}

extension GeocodingServer: AskedServer {
  package static let patience: Duration? = nil
  package static let mostWaiting = (user: 64, all: Int.max)
  package static let longestAnswer = 1 << 20
  package static let instead: String? = "the disk"
  private static let mostLanguages = 100

  package var name: String { "the geocoder" }
  package var about: JSON { ["role": "geocoder", "kind": .string(kind.rawValue)] }

  package func call(for question: PlaceRequest) -> ServerCall? {
    question.isOffline ? nil : url(for: question).map { ServerCall(url: $0) }
  }

  package mutating func meaning(
    of body: [UInt8], status: Int, to question: PlaceRequest
  ) -> ServerAnswer<[Placemark]>? {
    switch status {
    case 200:
      return places(in: body, for: question).map { .answer($0) }
        ?? .failed(reason: "its answer is not understood")
    case 400 where kind == .photon && refusedLanguages.count < Self.mostLanguages:
      guard let language = language(of: question) else { return nil }
      refusedLanguages.insert(language)
      return .again
    default: return nil
    }
  }

  package static func holds(
    _ question: PlaceRequest, for other: PlaceRequest, after age: Duration
  ) -> Bool { question.answers(other, after: age) }

  package static func json(of answer: [Placemark], to question: PlaceRequest) -> JSON? {
    [
      "method": .string(question.method), "params": question.parameters,
      "places": .array(answer.map(\.json)),
    ]
  }

  package static func answer(
    in json: JSON
  ) -> (question: PlaceRequest, answer: [Placemark])? {
    guard let method = json["method"]?.string,
      let question = try? PlaceRequest(
        method: method, parameters: Parameters(json["params"] ?? [:])),
      let places = json["places"]?.array?.compactMap(Placemark.init)
    else { return nil }
    return (question, places)
  }
}

extension PlaceRequest {
  /// An answer about a place holds for places near it for a while, as Core Location's own advice has it.
  private static let nearness = 1000.0
  private static let recency: Duration = .seconds(60)
  private static let sameness = 10.0

  /// An answer of this age to this question answers the other, too.
  fileprivate func answers(_ other: PlaceRequest, after age: Duration) -> Bool {
    guard case .reverseGeocode(let asked) = self, case .reverseGeocode(let wanted) = other else {
      return self == other
    }
    guard asked.locale == wanted.locale else { return false }
    let distance = asked.coordinate.distance(to: wanted.coordinate)
    return distance < (age < Self.recency ? Self.nearness : Self.sameness)
  }

  /// A place farther from the question is no answer to "what is here".
  private static let farthest = 100_000.0

  /// A server may not keep to what it was asked.
  fileprivate func selection(of places: [Placemark]) -> [Placemark] {
    switch self {
    case .geocode(let request):
      let there = places.filter {
        request.country == nil || $0.isoCountryCode == request.country
      }
      return Array(there.prefix(request.limit))
    case .reverseGeocode(let request):
      let near = places.filter { $0.coordinate.distance(to: request.coordinate) <= Self.farthest }
      return Array(near.prefix(1))
    case .search(let request):
      let around = places.filter {
        guard let middle = request.near, let radius = request.radius else { return true }
        return $0.coordinate.distance(to: middle) <= radius
      }
      return Array(around.prefix(request.limit))
    case .complete(let request): return Array(places.prefix(request.limit))
    case .directions, .streets, .tile, .geolocate, .status: return []
    }
  }
}

/// A text of a server's: one plain line of a bounded length, nil where it says nothing.
extension JSON {
  func words(_ names: String...) -> String? {
    for name in names {
      if let text = self[name]?.string?.plain(atMost: 256), text.contains(where: { $0 != " " }) {
        return text
      }
    }
    return nil
  }
}

extension Placemark {
  /// The best single name, where the server has none: the address, else the smallest area.
  mutating func nameItself() {
    let address = thoroughfare.map { street in
      subThoroughfare.map { "\(street) \($0)" } ?? street
    }
    name =
      name ?? address ?? subLocality ?? locality ?? subAdministrativeArea ?? administrativeArea
      ?? country ?? ocean ?? inlandWater
  }

  /// With what the disk knows of the same place and the server does not.
  package func completed(by other: Placemark?) -> Placemark {
    guard let other, isoCountryCode == nil || isoCountryCode == other.isoCountryCode else {
      return self
    }
    var whole = self
    whole.country = country ?? other.country
    whole.isoCountryCode = isoCountryCode ?? other.isoCountryCode
    whole.administrativeArea = administrativeArea ?? other.administrativeArea
    whole.locality = locality ?? other.locality
    whole.timeZone = timeZone ?? other.timeZone
    whole.name = name ?? other.name
    return whole
  }
}
