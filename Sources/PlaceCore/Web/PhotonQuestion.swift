import Geodesy
package import LocationModel

/// Photon's `/api` and `/reverse`.
package struct PhotonQuestion: WebQuestion {
  private let tags: [PhotonTag]
  private let layers: Set<String>
  private let countries: Set<String>
  private let box: Box?
  private let limit: Int
  /// The place of a question for what is there.
  private let place: Coordinate?
  private let radius: Double
  package let requests: [PlaceRequest]
  package var wantsAll: Bool { place != nil }

  private static let layerNames = [
    "house", "street", "locality", "district", "city", "county", "state", "country", "other",
  ]
  private static let common: Set = [
    "lang", "limit", "layer", "osm_tag", "debug", "dedupe", "geometry", "lat", "lon",
  ]
  private static let ofSearch: Set = [
    "q", "bbox", "zoom", "location_bias_scale", "suggest_addresses", "countrycode",
  ]
  private static let ofReverse: Set = ["radius", "distance_sort"]

  package init(searching parameters: WebParameters) throws(WebRefusal) {
    try Self.check(parameters, Self.common.union(Self.ofSearch))
    guard let text = try parameters.question("q"), !text.isEmpty else {
      throw WebRefusal("missing search term 'q': /?q=berlin")
    }
    (place, radius) = (nil, 0)
    (tags, layers) = (try PhotonTag.all(parameters), try Self.layers(parameters))
    countries = Set(parameters.list("countrycode").map { $0.uppercased() })
    box = try parameters.box("bbox")
    limit = min(max(try parameters.whole("limit") ?? 15, 1), PlaceRequest.mostResults)
    var request = GeocodeRequest(text)
    request.locale = parameters.photonLanguage
    request.near = parameters.text("lat") == nil ? box?.middle : try parameters.photonPlace()
    if countries.count == 1 { request.country = countries.first }
    let isOpen = tags.isEmpty && layers.isEmpty && box == nil && countries.count < 2
    request.limit = isOpen ? limit : PlaceRequest.mostResults
    // Photon is made for fields that somebody types into.
    request.isTyped = true
    requests = [.geocode(request)]
  }

  /// Metres around a place within which things of their own are looked for.
  private static let farthestThing = 60_000.0

  /// `limit`: more than one are things around the place, too.
  package init(reversing parameters: WebParameters) throws(WebRefusal) {
    try Self.check(parameters, Self.common.union(Self.ofReverse))
    let place = try parameters.photonPlace()
    self.place = place
    (tags, layers) = (try PhotonTag.all(parameters), try Self.layers(parameters))
    (countries, box) = ([], nil)
    limit = min(max(try parameters.whole("limit") ?? 1, 1), PlaceRequest.mostResults)
    let kilometres = try parameters.number("radius") ?? 1
    guard kilometres > 0, kilometres <= 5000 else {
      throw WebRefusal("invalid search term 'radius', expected a strictly positive number.")
    }
    radius = kilometres * 1000
    var reverse = ReverseRequest(place)
    reverse.locale = parameters.photonLanguage
    requests = [
      .reverseGeocode(reverse),
      .things(around: place, metres: min(radius, Self.farthestThing), reverse.locale, limit: limit),
    ]
  }

  private static func check(
    _ parameters: WebParameters, _ known: Set<String>
  ) throws(WebRefusal) {
    for name in parameters.names where !known.contains(name) {
      throw WebRefusal(
        "unknown query parameter '\(name.plain(atMost: 64))'. Allowed parameters are: "
          + "[\(known.sorted().joined(separator: ", "))]")
    }
  }

  private static func layers(_ parameters: WebParameters) throws(WebRefusal) -> Set<String> {
    let names = parameters.all("layer").flatMap { $0.split(separator: ",").map(String.init) }
    for name in names where !layerNames.contains(name) {
      throw WebRefusal(
        "Invalid layer '\(name.plain(atMost: 64))'. Allowed layers are: "
          + layerNames.joined(separator: ","))
    }
    return Set(names)
  }
}

extension WebParameters {
  fileprivate var photonLanguage: String? {
    text("lang") == "default" ? nil : language("lang")
  }

  fileprivate func photonPlace() throws(WebRefusal) -> Coordinate {
    guard text("lat") != nil, text("lon") != nil else {
      throw WebRefusal("missing search term 'lat' and/or 'lon': /?lat=51.5&lon=8.0")
    }
    return try place()
  }
}

// MARK: - Answers

extension PhotonQuestion {
  package func answer(
    _ findings: [Result<PlaceFinding, Refusal>], _ sets: [DataSet]
  ) -> WebAnswer {
    if let refusal = findings.trouble { return WebDialect.photon.answer(refusal) }
    let places = wanted(findings).filter(allows).prefix(limit)
    return WebAnswer(json: [
      "type": "FeatureCollection", "features": .array(places.map(Self.feature)),
    ])
  }

  /// The places in their order: around a place the nearest first.
  private func wanted(_ findings: [Result<PlaceFinding, Refusal>]) -> [WebPlace] {
    guard let place else { return findings.places.map(WebPlace.init) }
    let lists = findings.map { (try? $0.get())?.places ?? [] }
    let address = (lists.first?.first).map { mark in
      (WebPlace(mark.withoutThing), mark.thoroughfare == nil ? radius : mark.radius ?? 0)
    }
    let things = (lists.count > 1 ? lists[1] : []).map {
      (WebPlace($0), place.distance(to: $0.coordinate))
    }
    let all = things + (address.map { [$0] } ?? [])
    return all.filter { $0.1 <= radius }.sorted { $0.1 < $1.1 }.map(\.0)
  }

  private func allows(_ place: WebPlace) -> Bool {
    if let box, !box.holds(place.mark.coordinate) { return false }
    if !countries.isEmpty, !countries.contains(place.mark.isoCountryCode ?? "") { return false }
    return (layers.isEmpty || layers.contains(place.level.word))
      && PhotonTag.allow(tags, place.key, place.value)
  }

  private static func feature(_ place: WebPlace) -> JSON {
    let mark = place.mark
    var properties: [(String, JSON?)] = [
      ("osm_type", mark.osmType.map { .string($0.prefix(1).uppercased()) }),
      ("osm_id", mark.osmNumber.map(JSON.integer)), ("osm_key", .string(place.key)),
      ("osm_value", .string(place.value)), ("type", .string(place.level.word)),
      ("countrycode", mark.isoCountryCode.map(JSON.string)),
      ("name", place.name.map(JSON.string)),
    ]
    for part in place.address {
      guard let word = WebPlace.shortWords[part.word], part.name != place.name || word == "country"
      else {
        continue
      }
      properties.append((word, .string(part.name)))
    }
    if place.level != .house, place.level != .thing {
      let box = place.box
      let sides = [box.west, box.north, box.east, box.south]
      properties.append(("extent", .array(sides.map { .number($0.rounded(toPlaces: 7)) })))
    }
    return [
      "type": "Feature", "geometry": mark.coordinate.point, "properties": JSON(properties),
    ]
  }
}

/// Photon's wish about tags: `key`, `:value`, `key:value`, and none of which with `!`.
struct PhotonTag: Equatable {
  private var key: String
  private var value: String
  private var isKeyForbidden = false
  private var isValueForbidden = false

  static func all(_ parameters: WebParameters) throws(WebRefusal) -> [PhotonTag] {
    var tags: [PhotonTag] = []
    for text in parameters.all("osm_tag") {
      guard let tag = PhotonTag(text) else {
        throw WebRefusal("Malformed tag filter '\(text.plain(atMost: 64))'.")
      }
      tags.append(tag)
    }
    return tags
  }

  private init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count <= 2, let first = parts.first else { return nil }
    (isKeyForbidden, key) = Self.read(first)
    (isValueForbidden, value) = parts.count > 1 ? Self.read(parts[1]) : (false, "")
    guard !key.isEmpty || !value.isEmpty else { return nil }
  }

  private static func read(_ part: Substring) -> (Bool, String) {
    part.hasPrefix("!") ? (true, String(part.dropFirst())) : (false, String(part))
  }

  private var isExclusion: Bool { isKeyForbidden || isValueForbidden }

  private func matches(_ key: String, _ value: String) -> Bool {
    // `place:!city` is any place but a city.
    (self.key.isEmpty || self.key == key) && (self.value.isEmpty || self.value == value)
  }

  /// A forbidden tag decides; else one of the wanted tags is needed, where there are such.
  static func allow(_ tags: [PhotonTag], _ key: String, _ value: String) -> Bool {
    if tags.contains(where: { $0.isExclusion && $0.matches(key, value) }) { return false }
    let wanted = tags.filter { !$0.isKeyForbidden && (!$0.isValueForbidden || !$0.key.isEmpty) }
    return wanted.isEmpty
      || wanted.contains {
        $0.isValueForbidden ? $0.key == key : $0.matches(key, value)
      }
  }
}
