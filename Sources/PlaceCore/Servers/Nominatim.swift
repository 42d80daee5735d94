internal import Geodesy
internal import LocationModel

/// Nominatim's words: `/search` and `/reverse`, jsonv2. It is never asked to complete: its rules forbid it.
enum Nominatim {
  static func query(_ request: PlaceRequest) -> String? {
    switch request {
    case .geocode(let request):
      if request.isTyped { return nil }
      return search(request.text, request.locale, request.limit)
        + (request.country.map { "&countrycodes=\($0.lowercased().percentEncoded)" } ?? "")
        + (request.near.map { box($0, metres: 50_000, isBound: false) } ?? "")
    case .reverseGeocode(let request):
      let place = request.coordinate
      return "/reverse?format=jsonv2&addressdetails=1&lat=\(place.latitude.decimals)"
        + "&lon=\(place.longitude.decimals)\(language(request.locale))"
    case .search(let request):
      guard case .text(let text) = request.query, request.category == nil else { return nil }
      let around = request.near.map {
        box($0, metres: request.radius ?? 50_000, isBound: request.radius != nil)
      }
      return search(text, request.locale, request.limit) + (around ?? "")
    case .complete, .directions, .streets, .tile, .geolocate, .status: return nil
    }
  }

  private static func search(_ text: String, _ locale: String?, _ limit: Int) -> String {
    "/search?format=jsonv2&addressdetails=1&q=\(text.percentEncoded)&limit=\(min(limit, 40))"
      + language(locale)
  }

  /// The wish, then English.
  private static func language(_ locale: String?) -> String {
    guard let locale, let language = Language(locale) else { return "" }
    let tag = language.region.map { "\(language.code)-\($0),\(language.code)" } ?? language.code
    return "&accept-language=\("\(tag),en".percentEncoded)"
  }

  private static func box(_ middle: Coordinate, metres: Double, isBound: Bool) -> String {
    let corners = Box(around: middle, metres: metres)
    return "&viewbox=\(corners.west.decimals),\(corners.south.decimals),\(corners.east.decimals),"
      + "\(corners.north.decimals)" + (isBound ? "&bounded=1" : "")
  }

  /// Nil for what is none of its answers.
  static func places(_ json: JSON) -> [Placemark]? {
    if let results = json.array { return results.compactMap(place) }
    // Nothing is there: as in the middle of an ocean.
    if json["error"]?.string?.hasPrefix("Unable to geocode") == true { return [] }
    return json.members == nil || json["lat"] == nil ? nil : place(json).map { [$0] }
  }

  private static func place(_ json: JSON) -> Placemark? {
    guard let latitude = number(json["lat"]), let longitude = number(json["lon"]) else {
      return nil
    }
    var place = Placemark(Coordinate(latitude: latitude, longitude: longitude))
    guard place.coordinate.isValid else { return nil }
    let address = json["address"] ?? [:]
    place.name = json.words("name")
    place.thoroughfare = address.words("road", "pedestrian", "footway", "street", "square")
    place.subThoroughfare = address.words("house_number")
    place.subLocality = address.words(
      "suburb", "quarter", "neighbourhood", "city_district", "borough", "district")
    place.locality = address.words("city", "town", "village", "municipality", "hamlet")
    place.subAdministrativeArea = address.words("county", "state_district")
    place.administrativeArea = address.words("state", "province", "region", "territory")
    // A city that is a province of its own, such as Seoul.
    if place.administrativeArea == nil, address["ISO3166-2-lvl4"] != nil {
      place.administrativeArea = place.locality
    }
    place.postalCode = address.words("postcode")
    place.country = address.words("country")
    place.isoCountryCode = address.countryCode("country_code")
    place.category = json.words("type")
    if let kind = json.words("osm_type"), let id = json["osm_id"]?.integer {
      place.id = "nominatim:\(kind.prefix(1).uppercased())\(id)"
    }
    place.radius = radius(json["boundingbox"]?.array?.map(number) ?? [], of: place.coordinate)
    place.nameItself()
    place.formattedAddress = AddressFormat.line(place) ?? json.words("display_name")
    return place.measured
  }

  /// Numbers come as texts.
  private static func number(_ json: JSON?) -> Double? {
    json?.double ?? json?.string.flatMap { Double($0) }
  }

  private static func radius(_ box: [Double?], of place: Coordinate) -> Double? {
    guard box.count == 4, let south = box[0], let north = box[1], let west = box[2],
      let east = box[3]
    else { return nil }
    return Box(south: south, west: west, north: north, east: east).radius(around: place)
  }
}

extension JSON {
  /// Two letters, in upper case.
  func countryCode(_ name: String) -> String? {
    guard let code = self[name]?.string?.uppercased(), code.utf8.count == 2,
      code.utf8.allSatisfy({ UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 })
    else { return nil }
    return code
  }
}

extension Double {
  /// Six decimals are a tenth of a metre.
  var decimals: String {
    var text = TextBuffer()
    text.append(decimal: self, places: 6)
    return String(decoding: text.bytes, as: UTF8.self)
  }
}

/// Degrees around a place.
struct Box {
  var south: Double
  var west: Double
  var north: Double
  var east: Double
}

extension Box {
  init(around middle: Coordinate, metres: Double) {
    let degrees = min(metres / LocalPlane.perDegree, 90)
    let top = min(abs(middle.latitude) + degrees, 90)
    // Wider near a pole, the whole way around at it.
    let wide = top > 89 ? 180 : min(degrees * 1.0 / Self.narrowing(top), 180)
    self.init(
      south: max(middle.latitude - degrees, -90), west: max(middle.longitude - wide, -180),
      north: min(middle.latitude + degrees, 90), east: min(middle.longitude + wide, 180))
  }

  /// The length of a degree of longitude against one of latitude, at most as much as it is.
  private static func narrowing(_ latitude: Double) -> Double {
    // Below the cosine everywhere from 0 to 90 degrees.
    max(1 - latitude / 90, 0.01)
  }

  /// Metres from the place to the farthest corner; nil for what is no box.
  func radius(around place: Coordinate) -> Double? {
    let corners = [
      Coordinate(latitude: south, longitude: west), Coordinate(latitude: north, longitude: east),
    ]
    guard corners.allSatisfy(\.isValid) else { return nil }
    return corners.map { $0.distance(to: place) }.max()?.rounded()
  }
}
