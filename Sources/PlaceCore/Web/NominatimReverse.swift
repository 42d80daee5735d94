import Geodesy
package import LocationModel

/// Nominatim's `/reverse`: what is at a place.
package struct NominatimReverse: WebQuestion {
  private let format: NominatimFormat
  private let filter: WebFilter
  private let coordinate: Coordinate
  private let zoom: Int
  package let requests: [PlaceRequest]
  package var wantsAll: Bool { true }

  /// Metres within which a thing of its own counts, if it is nearer than the house.
  private static let nearThing = 50.0
  private static let zoomOfThings = 18
  /// Things among which one that is wanted is looked for.
  private static let mostThings = 20

  package init(_ parameters: WebParameters) throws(WebRefusal) {
    format = try NominatimFormat(parameters, hasAddress: true)
    filter = try WebFilter(nominatim: parameters)
    coordinate = try parameters.place()
    zoom = min(max(try parameters.whole("zoom") ?? 18, 0), 18)
    let locale = parameters.language("accept-language")
    var reverse = ReverseRequest(coordinate)
    reverse.locale = locale
    var requests = [PlaceRequest.reverseGeocode(reverse)]
    if zoom == Self.zoomOfThings, filter.wantsThings {
      requests.append(
        .things(
          around: coordinate, metres: Self.nearThing, locale,
          limit: filter.isOpen ? 1 : Self.mostThings))
    }
    self.requests = requests
  }

  package func answer(
    _ findings: [Result<PlaceFinding, Refusal>], _ sets: [DataSet]
  ) -> WebAnswer {
    if let refusal = findings.trouble { return WebDialect.nominatim.answer(refusal) }
    guard let place = best(findings) else { return format.answer([], isOne: true, sets) }
    return format.answer([place], isOne: true, sets)
  }

  private func best(_ findings: [Result<PlaceFinding, Refusal>]) -> WebPlace? {
    let lists = findings.map { (try? $0.get())?.places ?? [] }
    let things = lists.count > 1 ? lists[1] : []
    let thing = things.first { filter.allows(WebPlace($0)) }.map { ($0, metres(to: $0)) }
    if let (mark, distance) = thing, distance <= Self.nearThing,
      distance <= lists[0].first?.metresAway ?? .infinity
    {
      return WebPlace(mark)
    }
    guard filter.wantsAddresses, let mark = lists.first?.first else { return nil }
    // The name of a thing beside the house is the thing's.
    return WebPlace(mark.withoutThing.seen(at: zoom).measured)
  }

  private func metres(to mark: Placemark) -> Double { coordinate.distance(to: mark.coordinate) }
}

extension WebParameters {
  /// `lat` and `lon`, which are not left out.
  func place() throws(WebRefusal) -> Coordinate {
    guard let latitude = try number("lat") else { throw WebRefusal("Parameter 'lat' missing.") }
    guard let longitude = try number("lon") else { throw WebRefusal("Parameter 'lon' missing.") }
    let place = Coordinate(latitude: latitude, longitude: longitude)
    guard place.isValid else { throw WebRefusal("lat and lon lie nowhere on the Earth.") }
    return place
  }
}

extension PlaceRequest {
  /// Things of their own around a place, the nearest first.
  static func things(
    around place: Coordinate, metres: Double, _ locale: String?, limit: Int
  ) -> PlaceRequest {
    var search = SearchRequest(.text(""))
    search.near = place
    search.radius = metres
    search.locale = locale
    search.limit = limit
    // No server has an answer to no words.
    search.offline = true
    return .search(search)
  }
}

extension Placemark {
  /// Metres to the house or the street that a place is answered with; nil where neither is near.
  fileprivate var metresAway: Double? { thoroughfare == nil ? nil : radius }

  /// The place at a zoom of Nominatim's: smaller parts are left out.
  fileprivate func seen(at zoom: Int) -> Placemark {
    var mark = self
    mark.areasOfInterest = []
    if zoom < 18 { mark.subThoroughfare = nil }
    if zoom < 16 { mark.thoroughfare = nil }
    if zoom < 13 { mark.subLocality = nil }
    if zoom < 10 { mark.locality = nil }
    if zoom < 8 { mark.subAdministrativeArea = nil }
    if zoom < 5 { mark.administrativeArea = country }
    guard zoom < 18 else { return mark }
    (mark.precision, mark.radius, mark.category) = (nil, nil, nil)
    (mark.osmType, mark.osmNumber, mark.osmTag, mark.osmFurther) = (nil, nil, nil, [:])
    if zoom < 16 { mark.postalCode = nil }
    if zoom < 13, mark.locality != nil { mark.category = "city" }
    if zoom < 10 {
      mark.category = zoom < 5 || administrativeArea == country ? "country" : "province"
    }
    if zoom >= 16, mark.thoroughfare != nil {
      (mark.osmType, mark.osmNumber) = (osmType, osmNumber)
      if subThoroughfare != nil { (mark.osmType, mark.osmNumber) = (nil, nil) }
    }
    mark.name =
      mark.thoroughfare ?? mark.subLocality ?? mark.locality ?? mark.subAdministrativeArea
      ?? mark.administrativeArea ?? mark.country ?? name
    return mark
  }
}
