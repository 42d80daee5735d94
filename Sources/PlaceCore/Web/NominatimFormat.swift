import LocationModel

/// How answers in Nominatim's words are written, and what is in them.
struct NominatimFormat: Equatable {
  enum Form: String, CaseIterable {
    case json, jsonv2, geojson, geocodejson
  }

  /// Words behind `polygon_`.
  private enum Geometry: String, CaseIterable {
    case geojson, kml, svg, text
  }

  var form = Form.jsonv2
  var hasAddress = false
  var hasExtraTags = false
  var hasNames = false
  /// The wish for a geometry, which is a point of each place here.
  private var geometry: Geometry?
  /// The text that was asked for.
  var query: String?

  /// A client that names no form gets `jsonv2` from each address.
  init(_ parameters: WebParameters, hasAddress usual: Bool) throws(WebRefusal) {
    if let name = parameters["format"] {
      guard let form = Form(rawValue: name) else {
        throw WebRefusal(
          "Parameter 'format' must be one of: \(Form.allCases.map(\.rawValue).joined(separator: ", "))"
        )
      }
      self.form = form
    }
    hasAddress = parameters.truth("addressdetails", else: usual)
    hasExtraTags = parameters.truth("extratags")
    hasNames = parameters.truth("namedetails")
    let wanted = Geometry.allCases.filter { parameters.truth("polygon_" + $0.rawValue) }
    guard wanted.count < 2 else {
      throw WebRefusal("Too many polygon output options selected.")
    }
    geometry = wanted.first
    guard !parameters.truth("debug") else {
      throw WebRefusal("Debug output is not enabled on this server.")
    }
  }

  /// `isOne`: of `/reverse`, which has one place or none.
  func answer(_ places: [WebPlace], isOne: Bool, _ sets: [DataSet]) -> WebAnswer {
    if isOne, places.isEmpty { return WebAnswer(json: ["error": "Unable to geocode"]) }
    switch form {
    case .json, .jsonv2:
      let list = places.map { json($0, sets) }
      return WebAnswer(json: isOne ? list[0] : .array(list))
    case .geojson:
      return WebAnswer(json: [
        "type": "FeatureCollection", "licence": .string(Self.licence(places, sets)),
        "features": .array(places.map { feature($0) }),
      ])
    case .geocodejson:
      return WebAnswer(json: [
        "type": "FeatureCollection",
        "geocoding": [
          "version": "0.1.0", "attribution": .string(Self.licence(places, sets)),
          "licence": "ODbL", "query": query.map(JSON.string),
        ],
        "features": .array(places.map { geocoding($0) }),
      ])
    }
  }

  private static func licence(_ places: [WebPlace], _ sets: [DataSet]) -> String {
    let all = places.map { $0.licence(sets) }.reduce(into: [String]()) {
      if !$0.contains($1) { $0.append($1) }
    }
    return all.isEmpty ? WebPlace.openStreetMap : all.joined(separator: "; ")
  }
}

// MARK: - A place

extension NominatimFormat {
  private func json(_ place: WebPlace, _ sets: [DataSet]) -> JSON {
    let box = place.box
    let at = place.mark.coordinate
    var json: [(String, JSON?)] = [
      ("place_id", .integer(place.number)), ("licence", .string(place.licence(sets))),
    ]
    json += Self.number(place)
    json += [
      ("lat", .string(at.latitude.degrees)), ("lon", .string(at.longitude.degrees)),
      (form == .json ? "class" : "category", .string(place.key)),
    ]
    json += common(place)
    let sides = [box.south, box.north, box.west, box.east]
    json.append(("boundingbox", .array(sides.map { .string($0.degrees) })))
    json += geometry(of: at)
    return JSON(json)
  }

  private func geometry(of place: Coordinate) -> [(String, JSON?)] {
    let (x, y) = (
      "\(place.longitude.rounded(toPlaces: 7))", "\(place.latitude.rounded(toPlaces: 7))"
    )
    let south = "\(-place.latitude.rounded(toPlaces: 7))"
    return switch geometry {
    case nil: []
    case .geojson: [("geojson", place.point)]
    case .kml: [("geokml", .string("<Point><coordinates>\(x),\(y)</coordinates></Point>"))]
    case .svg: [("svg", .string("cx=\"\(x)\" cy=\"\(south)\""))]
    case .text: [("geotext", .string("POINT(\(x) \(y))"))]
    }
  }

  private func feature(_ place: WebPlace) -> JSON {
    let properties =
      [("place_id", JSON.integer(place.number))] + Self.number(place)
      + [("category", .string(place.key))] + common(place)
    let box = place.box
    let sides = [box.west, box.south, box.east, box.north].map {
      JSON.number($0.rounded(toPlaces: 7))
    }
    return [
      "type": "Feature", "properties": JSON(properties), "bbox": .array(sides),
      "geometry": place.mark.coordinate.point,
    ]
  }

  private func common(_ place: WebPlace) -> [(String, JSON?)] {
    let address = place.address.map { ($0.word, Optional(JSON.string($0.name))) }
    return [
      ("type", .string(place.value)), ("place_rank", .integer(Int64(place.rank))),
      ("importance", .number(place.importance)), ("addresstype", .string(place.addressType)),
      ("name", .string(place.name ?? "")), ("display_name", .string(place.label)),
      (
        "address",
        hasAddress
          ? JSON(address + [("country_code", place.countryCode.map(JSON.string))]) : nil
      ),
      ("extratags", hasExtraTags ? place.further : nil),
      ("namedetails", hasNames ? JSON(place.names.map { ($0.tag, .string($0.name)) }) : nil),
    ]
  }

  private static func number(_ place: WebPlace) -> [(String, JSON?)] {
    [
      ("osm_type", place.mark.osmType.map(JSON.string)),
      ("osm_id", place.mark.osmNumber.map(JSON.integer)),
    ]
  }
}

// MARK: - GeocodeJSON

extension NominatimFormat {
  private func geocoding(_ place: WebPlace) -> JSON {
    var members: [(String, JSON?)] = [("place_id", .integer(place.number))]
    members += Self.number(place)
    members += [
      ("osm_key", .string(place.key)), ("osm_value", .string(place.value)),
      ("type", .string(place.level.word)), ("label", .string(place.label)),
      ("name", place.name.map(JSON.string)),
    ]
    if hasAddress {
      for part in place.address where part.name != place.name || part.word == "house_number" {
        guard let word = WebPlace.shortWords[part.word] else { continue }
        members.append((word, .string(part.name)))
      }
      members.append(("country_code", place.countryCode.map(JSON.string)))
    }
    if hasExtraTags { members.append(("extra", place.further)) }
    return [
      "type": "Feature", "properties": ["geocoding": JSON(members)],
      "geometry": place.mark.coordinate.point,
    ]
  }
}

extension WebPlace.Level {
  /// GeocodeJSON's word, and Photon's.
  var word: String {
    switch self {
    case .country: "country"
    case .state: "state"
    case .county: "county"
    case .city: "city"
    case .district, .postcode: "district"
    case .feature: "locality"
    case .street: "street"
    case .house, .thing: "house"
    }
  }
}

extension JSON {
  /// Members whose value is nil are left out.
  init(_ members: [(String, JSON?)]) {
    self = .object(members.compactMap { key, value in value.map { Member(key: key, value: $0) } })
  }
}

extension Coordinate {
  /// GeoJSON's geometry of it.
  var point: JSON {
    [
      "type": "Point",
      "coordinates": .array([
        .number(longitude.rounded(toPlaces: 7)), .number(latitude.rounded(toPlaces: 7)),
      ]),
    ]
  }
}
