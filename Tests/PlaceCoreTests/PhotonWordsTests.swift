import LocationModel
import Testing

@testable import PlaceCore

@Suite("Photon's words over HTTP") struct PhotonWordsTests {
  private func ask(_ path: String, _ query: String) throws(WebRefusal) -> any WebQuestion {
    try NominatimWordsTests.ask("/photon" + path, query)
  }

  private func names(_ question: any WebQuestion, _ places: [Placemark]...) throws -> [String?] {
    let findings = places.map { Result<PlaceFinding, Refusal>.success(.reply(.placemarks($0))) }
    let json = try JSON(parsing: question.answer(findings, []).body)
    return (json["features"]?.array ?? []).map {
      $0["properties"]?["name"]?.string ?? $0["properties"]?["street"]?.string
    }
  }

  private let all = [
    NominatimWordsTests.house, NominatimWordsTests.cafe, NominatimWordsTests.town,
  ]

  @Test("a search asks near the place that is given, and answers Photon's properties")
  func search() throws {
    let question = try ask("/api", "q=rue&lat=43.7&lon=7.4&limit=2&lang=fr")
    guard case .geocode(let request)? = question.requests.first else {
      Issue.record("no geocode")
      return
    }
    #expect(request.near == Coordinate(latitude: 43.7, longitude: 7.4))
    #expect(request.limit == 2 && request.locale == "fr" && request.isTyped)
    let answer = question.answer(
      [.success(.reply(.placemarks([NominatimWordsTests.house])))], [])
    let feature = try #require(try JSON(parsing: answer.body)["features"]?.array?.first)
    let expected: JSON = [
      "osm_type": "N", "osm_id": .integer(42), "osm_key": "place", "osm_value": "house",
      "type": "house", "countrycode": "MC", "housenumber": "31", "street": "Rue Grimaldi",
      "district": "La Condamine", "city": "Monaco", "postcode": "98000", "country": "Monaco",
    ]
    #expect(feature["properties"] == expected)
    #expect(feature["geometry"]?["coordinates"]?.array?.map(\.double) == [7.4197, 43.7311])
  }

  @Test("a town has the corners of its extent, the north-west first")
  func extent() throws {
    let answer = try ask("/api", "q=a").answer(
      [.success(.reply(.placemarks([NominatimWordsTests.town])))], [])
    let town = try JSON(parsing: answer.body)["features"]?.array?.first?["properties"]
    let extent = (town?["extent"]?.array ?? []).compactMap(\.double)
    try #require(extent.count == 4)
    #expect(extent[0] < 11.58 && extent[1] > 48.14 && extent[3] < 48.14)
    #expect(town?["city"] == nil && town?["name"]?.string == "뮌헨")
  }

  @Test("tags, layers, boxes and countries leave places out, in each of Photon's ways to say so")
  func filters() throws {
    let cafe: [String?] = ["Café de Paris"]
    let house: [String?] = ["Rue Grimaldi"]
    let town: [String?] = ["뮌헨"]
    for (query, wanted) in [
      ("osm_tag=amenity", cafe), ("osm_tag=amenity:cafe", cafe), ("osm_tag=:cafe", cafe),
      ("osm_tag=!place", cafe), ("osm_tag=:!cafe&osm_tag=:!city", house),
      ("osm_tag=place:!city", house), ("layer=city", town), ("layer=house", house + cafe),
      ("bbox=7,43,8,44", house + cafe), ("countrycode=de,fr", town),
      ("osm_tag=amenity&osm_tag=place:city", cafe + town), ("osm_tag=!amenity:cafe", house + town),
    ] {
      #expect(try names(try ask("/api", "q=a&" + query), all) == wanted, "\(query)")
    }
  }

  @Test("around a place the nearest comes first, and nothing beyond the radius")
  func reverse() throws {
    var house = NominatimWordsTests.house
    house.radius = 5
    let one = try ask("/reverse", "lat=43.7312&lon=7.4197")
    #expect(try names(one, [house], [NominatimWordsTests.cafe]) == ["Café de Paris"])
    let more = try ask("/reverse", "lat=43.7312&lon=7.4197&limit=5&radius=0.003")
    #expect(try names(more, [house], [NominatimWordsTests.cafe]) == ["Café de Paris"])
    let wide = try ask("/reverse", "lat=43.7312&lon=7.4197&limit=5&distance_sort=true")
    #expect(
      try names(wide, [house], [NominatimWordsTests.cafe]) == ["Café de Paris", "Rue Grimaldi"])
  }

  @Test("things are looked for within the radius, up to sixty kilometres")
  func radius() throws {
    for (radius, metres) in [("0.2", 200.0), ("20", 20_000), ("5000", 60_000)] {
      let question = try ask("/reverse", "lat=43.7&lon=7.4&radius=\(radius)")
      guard case .search(let search)? = question.requests.last else {
        Issue.record("no search")
        return
      }
      #expect(search.radius == metres)
    }
  }

  @Test(
    "what is wrong is said in Photon's words",
    arguments: [
      ("/api", "", "missing search term 'q'"), ("/api", "q=a&color=red", "unknown query parameter"),
      ("/api", "q=a&lat=1", "missing search term 'lat' and/or 'lon'"),
      ("/api", "q=a&layer=moon", "Invalid layer"),
      ("/api", "q=a&include=osm.place", "unknown query parameter"),
      ("/api", "q=a&osm_tag=a:b:c", "Malformed tag"),
      ("/reverse", "lon=1", "missing search term 'lat' and/or 'lon'"),
      ("/reverse", "lat=1&lon=1&radius=-1", "strictly positive"),
    ])
  func wrong(path: String, query: String, message: String) throws {
    let refusal = #expect(throws: WebRefusal.self) { try ask(path, query) }
    let answer = WebDialect.photon.answer(try #require(refusal))
    #expect(answer.status == 400 && answer.body.contains(message), "\(answer.body)")
    #expect(try JSON(parsing: answer.body)["message"]?.string != nil)
  }
}
