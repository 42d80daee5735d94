internal import Geodesy
package import LocationModel

/// A server that knows places, and its words.
package struct GeocodingServer: Equatable, Sendable {
  package enum Words: String, CaseIterable, Sendable {
    case nominatim, photon
  }

  package let words: Words
  package let address: ServerAddress

  /// As it is written: `nominatim:https://host/path`.
  package init(_ text: String) throws(Unusable) {
    let kind = text.prefix { $0 != ":" }
    guard let words = Words(rawValue: kind.lowercased()) else {
      throw Unusable(what: "Geocoder= is nominatim:URL or photon:URL")
    }
    self.words = words
    address = try ServerAddress(text.dropFirst(kind.count + 1))
  }

  /// The place where the server answers it; nil where it is not to be asked. `unspoken`: languages that
  /// it has refused.
  package func url(for request: PlaceRequest, unspoken: Set<String> = []) -> String? {
    switch words {
    case .nominatim: Nominatim.query(request).map { address.url + $0 }
    case .photon: Photon.query(request, unspoken: unspoken).map { address.url + $0 }
    }
  }

  /// The language that the request is sent with, where a server may refuse one.
  package func language(of request: PlaceRequest, unspoken: Set<String>) -> String? {
    words == .photon ? Photon.language(request.locale, unspoken) : nil
  }

  /// The places of an answer, as the request wants them; nil where it is no answer.
  package func places(in bytes: [UInt8], for request: PlaceRequest) -> [Placemark]? {
    guard
      let json = bytes.withUnsafeBytes({ (raw) -> JSON? in try? JSON(parsing: raw) }),
      var places = words == .nominatim ? Nominatim.places(json) : Photon.places(json)
    else { return nil }
    for i in places.indices { places[i].source = words.rawValue }
    return request.selection(of: places)
  }
}

extension PlaceRequest {
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
    case .directions, .streets, .status: return []
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
