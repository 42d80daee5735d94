import LocationModel

@testable import PlaceCore

extension Decoder {
  /// Servers that know places: what they answer, what they are asked, and what is kept of it.
  static var geocoders: Decoder {
    let nominatim =
      #"{"lat":"50.1","lon":"8.2","name":"A","type":"cafe","osm_type":"way","osm_id":7,"#
      + #""display_name":"A, B","address":{"road":"R","house_number":"1","suburb":"S","city":"C","#
      + #""county":"K","state":"L","postcode":"1","country":"D","country_code":"de","#
      + #""ISO3166-2-lvl4":"DE-H"},"boundingbox":["50","51","8","9"]}"#
    let photon =
      #"{"features":[{"geometry":{"coordinates":[8.2,50.1]},"properties":{"name":"A b","#
      + #""street":"R","housenumber":"1","district":"S","city":"C","county":"K","state":"L","#
      + #""postcode":"1","country":"D","countrycode":"DE","osm_value":"cafe","osm_type":"W","#
      + #""osm_id":7,"type":"house","extent":[8,51,9,50]}}]}"#
    let question =
      #"{"method":"geocode","params":{"text":"A b","locale":"de-AT","near":[50,8],"country":"de","#
      + #""limit":3}}"#
    let search =
      #"{"method":"search","params":{"id":"photon:@50.1,8.2:A","near":[50,8],"radius":5000}}"#
    let kept =
      #"{"answers":[{"user":1000,"method":"reverseGeocode","params":{"latitude":50,"longitude":8},"#
      + #""places":[{"name":"A","latitude":50,"longitude":8}],"date":1772359200000000}]}"#
    return Decoder(
      name: "geocoders",
      words: extremes + [
        #""lat":"#, #""lon":"#, #""address":{"#, #""boundingbox":["#, #""country_code":"#,
        #""error":"Unable to geocode""#, #""osm_id":"#, #""features":["#, #""coordinates":["#,
        #""properties":{"#, #""extent":["#, #""type":"city""#, #""near":["#, #""radius":"#,
        #""method":"complete""#, #""locale":"#, #""date":"#, #""user":"#, "[180,90]", "[-180,-90]",
        "\\u0000", "\\ud800\\udc00", "null", "{", "}", "[", "]",
      ],
      seeds: (0..<4).map { [UInt8]($0, "[\(nominatim),\(nominatim)]") }
        + (4..<8).map { [UInt8]($0, photon) }
        + [
          [UInt8](1, nominatim), [UInt8](8, question), [UInt8](8, search), [UInt8](16, kept),
        ]
    ) { input in
      let (choice, bytes) = input.choice
      switch choice >> 3 & 3 {
      case 1: asked(bytes)
      case 2: restored(bytes)
      default: answered(bytes, choice & 4 == 0 ? "nominatim" : "photon", to: questions[choice & 3])
      }
    }
  }

  private static func answered(_ bytes: [UInt8], _ kind: String, to request: PlaceRequest?) {
    guard let request, let server = try? GeocodingServer(kind + ":http://127.0.0.1/"),
      let places = server.places(in: bytes, for: request)
    else { return }
    var cache = AnswerCache<GeocodingServer>()
    cache.add(places, to: request, of: .uid(1), at: .start)
    for place in places {
      check(place.coordinate.isValid, "it is nowhere")
      check(place.radius.map { $0.isFinite && $0 >= 0 } ?? true, "it has no size")
      check(texts(place).allSatisfy { $0.plain() == $0 }, "a name is not one plain line")
      check((try? JSON(parsing: place.json.text)).flatMap(Placemark.init) == place, "another place")
      _ = place.completed(by: places.last)
      guard let completion = Photon.completion(place, typed: "a b") else { continue }
      check(Completion(completion.json) == completion, "another completion")
      check(Photon.search(for: SearchRequest(.id(completion.id))) != nil, "it finds nothing")
    }
    check(cache.answer(to: request, of: .uid(1), at: .start) ?? places == places, "other places")
    same(cache)
  }

  /// A client's question, and what a server is asked for it.
  private static func asked(_ bytes: [UInt8]) {
    guard let json = try? JSON(parsing: String(decoding: bytes, as: UTF8.self)),
      let method = json["method"]?.string,
      let request = try? PlaceRequest(
        method: method, parameters: Parameters(json["params"] ?? [:]))
    else { return }
    let again = try? PlaceRequest(method: method, parameters: Parameters(request.parameters))
    check(again == request, "another question")
    for kind in ["nominatim", "photon"] {
      guard var server = try? GeocodingServer(kind + ":http://127.0.0.1/") else { continue }
      let url = server.url(for: request) ?? ""
      check(url.utf8.allSatisfy { 0x21...0x7E ~= $0 }, "it is no address")
      _ = server.meaning(of: [], status: 400, to: request)
      check(server.meaning(of: [], status: 400, to: request) == nil, "it refuses a language twice")
    }
    if case .search(let search) = request { _ = Photon.search(for: search) }
    guard case .directions(var way) = request else { return }
    way.offline = false
    for kind in ["osrm", "osrm-walking", "osrm-cycling", "valhalla"] {
      let question = (try? RoutingServer(kind + ":http://127.0.0.1/"))?.call(for: way)
      check(question?.url.utf8.allSatisfy { 0x21...0x7E ~= $0 } ?? true, "it is no address")
    }
  }

  private static func restored(_ bytes: [UInt8]) {
    guard let json = try? JSON(parsing: String(decoding: bytes, as: UTF8.self)) else { return }
    var cache = AnswerCache<GeocodingServer>(bytesPerUser: 2000, mostUsers: 2)
    cache.restore(json, at: .start, noon)
    check(cache.bytes <= 4000, "it keeps too much")
    same(cache)
  }

  private static func same(_ cache: AnswerCache<GeocodingServer>) {
    var again = AnswerCache<GeocodingServer>()
    again.restore(cache.json(at: .start, noon), at: .start, noon)
    check(again.bytes == cache.bytes, "it keeps something else")
  }

  private static let noon = Timestamp(microseconds: 1_772_359_200_000_000)

  private static let questions: [UInt8: PlaceRequest] = [
    0: .reverseGeocode(ReverseRequest(Coordinate(latitude: 50, longitude: 8))),
    1: .geocode(GeocodeRequest("a")), 2: .search(SearchRequest(.text("a"))),
    3: .complete(CompletionRequest("a b")),
  ]

  private static func texts(_ place: Placemark) -> [String] {
    [
      place.name, place.thoroughfare, place.subThoroughfare, place.subLocality, place.locality,
      place.subAdministrativeArea, place.administrativeArea, place.postalCode, place.country,
      place.isoCountryCode, place.formattedAddress, place.id, place.category,
    ].compactMap { $0 }
  }
}
