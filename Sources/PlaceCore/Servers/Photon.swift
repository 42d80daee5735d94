package import LocationModel

/// Photon's words: `/api` and `/reverse`, GeoJSON. It is made for completion, too.
package enum Photon {
  static func query(_ request: PlaceRequest, in language: String?) -> String? {
    let language = language.map { "&lang=\($0)" } ?? ""
    switch request {
    case .geocode(let request):
      return api(request.text, request.near, request.limit) + language
    case .complete(let request):
      return api(request.text, request.near, request.limit) + language
    case .reverseGeocode(let request):
      let place = request.coordinate
      return "/reverse?lat=\(place.latitude.decimals)&lon=\(place.longitude.decimals)" + language
    case .search(let request):
      guard case .text(let text) = request.query, request.category == nil else { return nil }
      return api(text, request.near, request.limit) + language + bounds(request)
    case .directions, .streets, .tile, .geolocate, .status: return nil
    }
  }

  private static func api(_ text: String, _ near: Coordinate?, _ limit: Int) -> String {
    "/api?q=\(text.percentEncoded)&limit=\(limit)"
      + (near.map { "&lat=\($0.latitude.decimals)&lon=\($0.longitude.decimals)" } ?? "")
  }

  private static func bounds(_ request: SearchRequest) -> String {
    guard let near = request.near, let radius = request.radius else { return "" }
    let box = Box(around: near, metres: radius)
    return "&bbox=\(box.west.decimals),\(box.south.decimals),\(box.east.decimals),"
      + box.north.decimals
  }

  static func places(_ json: JSON) -> [Placemark]? {
    json["features"]?.array?.compactMap(place)
  }

  private static func place(_ json: JSON) -> Placemark? {
    guard let numbers = json["geometry"]?["coordinates"]?.array, numbers.count >= 2,
      let longitude = numbers[0].double, let latitude = numbers[1].double,
      let properties = json["properties"]
    else { return nil }
    var place = Placemark(Coordinate(latitude: latitude, longitude: longitude))
    guard place.coordinate.isValid else { return nil }
    place.name = properties.words("name")
    place.thoroughfare = properties.words("street")
    place.subThoroughfare = properties.words("housenumber")
    place.subLocality = properties.words("district", "locality")
    place.locality = properties.words("city")
    place.subAdministrativeArea = properties.words("county")
    place.administrativeArea = properties.words("state")
    place.postalCode = properties.words("postcode")
    place.country = properties.words("country")
    place.isoCountryCode = properties.countryCode("countrycode")
    place.category = properties.words("osm_value")
    // An area says its own name only once.
    switch properties["type"]?.string {
    case "street": place.thoroughfare = place.thoroughfare ?? place.name
    case "locality", "district": place.subLocality = place.subLocality ?? place.name
    case "city": place.locality = place.locality ?? place.name
    case "county": place.subAdministrativeArea = place.subAdministrativeArea ?? place.name
    case "state": place.administrativeArea = place.administrativeArea ?? place.name
    case "country": place.country = place.country ?? place.name
    default: break
    }
    if let kind = properties.words("osm_type"), let id = properties["osm_id"]?.integer {
      place.id = "photon:\(kind.prefix(1).uppercased())\(id)"
    }
    if let extent = properties["extent"]?.array?.compactMap(\.double), extent.count == 4 {
      let box = Box(
        south: min(extent[1], extent[3]), west: min(extent[0], extent[2]),
        north: max(extent[1], extent[3]), east: max(extent[0], extent[2]))
      place.radius = box.radius(around: place.coordinate)
    }
    place.nameItself()
    place.formattedAddress = AddressFormat.line(place)
    return place.measured
  }
}

// MARK: - Completions

extension Photon {
  /// A line under a search field. Its id says all that a search needs, so that it holds for as long as
  /// somebody keeps it.
  package static func completion(_ place: Placemark, typed: String) -> Completion? {
    guard let title = place.name else { return nil }
    var areas: [String] = []
    for area in [
      place.thoroughfare, place.subLocality, place.locality, place.administrativeArea,
      place.country,
    ] {
      if let area, area != title, !areas.contains(area) { areas.append(area) }
    }
    let subtitle = areas.joined(separator: ", ")
    let position = "\(place.coordinate.latitude.decimals),\(place.coordinate.longitude.decimals)"
    let text = ([title] + areas).joined(separator: ", ")
    let id = "\(prefix)\(position):\(text)"
    guard id.utf8.count <= PlaceRequest.longestText else { return nil }
    return Completion(
      title: title, subtitle: subtitle, id: id, titleHighlights: highlights(typed, in: title))
  }

  private static let prefix = "photon:@"

  /// The search that a completion stands for; nil for another id.
  package static func search(for request: SearchRequest) -> SearchRequest? {
    guard case .id(let id) = request.query, id.hasPrefix(prefix) else { return nil }
    // By scalars: a mark that a name begins with makes one character with the colon.
    let parts = id.unicodeScalars.dropFirst(prefix.count).split(separator: ":", maxSplits: 1)
    guard parts.count == 2 else { return nil }
    let numbers = parts[0].split(separator: ",").compactMap { Double(String($0)) }
    guard numbers.count == 2 else { return nil }
    let place = Coordinate(latitude: numbers[0], longitude: numbers[1])
    guard place.isValid else { return nil }
    var search = SearchRequest(.text(String(parts[1])))
    search.locale = request.locale
    search.near = place
    search.radius = 5000
    search.limit = 1
    return search
  }

  /// Words of the title that begin with a word that was typed.
  private static func highlights(_ typed: String, in title: String) -> [Range<Int>] {
    let wanted = typed.lowercased().split { !$0.isLetter && !$0.isNumber }
    var found: [Range<Int>] = []
    var isStart = true
    for i in title.indices {
      defer { isStart = !title[i].isLetter && !title[i].isNumber }
      guard isStart else { continue }
      let rest = title[i...].lowercased()
      guard let word = wanted.first(where: { rest.hasPrefix($0) }) else { continue }
      let start = title[..<i].utf16.count
      let end = min(start + word.utf16.count, title.utf16.count)
      if start >= found.last?.upperBound ?? 0, start < end { found.append(start..<end) }
    }
    return found
  }
}
