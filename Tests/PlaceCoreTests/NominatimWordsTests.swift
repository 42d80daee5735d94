import LocationModel
import Testing

@testable import PlaceCore

@Suite("Nominatim's words over HTTP") struct NominatimWordsTests {
  static let sets = [
    DataSet(
      name: "world", date: "2026", licence: "CC BY 4.0",
      attribution: "GeoNames; Time zones: © OpenStreetMap contributors, ODbL", places: 1),
    DataSet(
      name: "monaco", date: "2026-11-20", licence: "ODbL 1.0",
      attribution: "© OpenStreetMap contributors", places: 1),
  ]

  static var house: Placemark {
    var mark = Placemark(Coordinate(latitude: 43.7311, longitude: 7.4197))
    (mark.thoroughfare, mark.subThoroughfare) = ("Rue Grimaldi", "31")
    mark.name = "31 Rue Grimaldi"
    (mark.subLocality, mark.locality) = ("La Condamine", "Monaco")
    (mark.administrativeArea, mark.country, mark.isoCountryCode) = ("Monaco", "Monaco", "MC")
    (mark.postalCode, mark.source, mark.id) = ("98000", "monaco", "monaco:7")
    (mark.osmType, mark.osmNumber) = ("node", 42)
    return mark.measured
  }

  static var cafe: Placemark {
    var mark = house
    (mark.name, mark.category, mark.osmTag) = ("Café de Paris", "cafe", "amenity=cafe")
    mark.subThoroughfare = nil
    (mark.precision, mark.radius, mark.osmNumber) = (.point, 50, 43)
    mark.coordinate.latitude += 0.0001
    return mark
  }

  static var town: Placemark {
    var mark = Placemark(Coordinate(latitude: 48.14, longitude: 11.58))
    (mark.name, mark.locality) = ("뮌헨", "뮌헨")
    (mark.administrativeArea, mark.country, mark.isoCountryCode) = ("바이에른주", "독일", "DE")
    (mark.category, mark.source, mark.id) = ("city", "world", "2867714")
    return mark.measured
  }

  static func ask(
    _ path: String, _ query: String, accept: String? = nil
  ) throws(WebRefusal) -> any WebQuestion {
    try WebAddress.question(path, pairs(query), acceptLanguage: accept)
  }

  static func pairs(_ query: String) -> [(name: String, value: String)] {
    query.split(separator: "&").map {
      let parts = $0.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
    }
  }

  static func json(
    _ question: any WebQuestion, _ places: [Placemark]...
  ) throws -> JSON {
    let findings = places.map { Result<PlaceFinding, Refusal>.success(.reply(.placemarks($0))) }
    let answer = question.answer(findings, sets)
    #expect(answer.status == 200 && answer.type.hasPrefix("application/json"))
    return try JSON(parsing: answer.body)
  }

  @Test("a search asks what its text says, in the reader's language, around the box")
  func search() throws {
    let question = try Self.ask(
      "/search",
      "q=Rue Grimaldi&limit=3&countrycodes=mc&viewbox=7.4,43.7,7.5,43.8&accept-language=fr-CH,de;q=0.8",
      accept: "ko")
    guard case .geocode(let request)? = question.requests.first else {
      Issue.record("no geocode")
      return
    }
    #expect(request.text == "Rue Grimaldi" && request.limit == 3 && request.country == "MC")
    #expect(request.locale == "fr-CH")
    #expect(abs((request.near?.latitude ?? 0) - 43.75) < 1e-9)
    let other = try Self.ask("/search.php", "q=a", accept: "en;q=0.1, ko-KR ;q=0.9, *;q=0.5")
    #expect(other.requests.first?.locale == "ko-KR")
    #expect(try Self.ask("/search", "q=a").requests.first?.locale == nil)
    let heavy = try Self.ask("/search", "q=a", accept: "en;q=inf, ko;q=0.4, de;q=7")
    #expect(heavy.requests.first?.locale == "ko")
    // A parameter that is empty the second time keeps its value.
    guard case .geocode(let city)? = try Self.ask("/search", "city=a&city=").requests.first else {
      Issue.record("no geocode")
      return
    }
    #expect(city.text == "a")
  }

  @Test("an address in parts is asked for as a whole, then with fewer parts")
  func structured() throws {
    func asked(_ parameters: String) throws -> [[String]] {
      try Self.ask("/search", parameters).requests.map {
        if case .geocode(let request) = $0 { [request.text, request.country ?? ""] } else { [] }
      }
    }
    #expect(
      try asked("street=31 Rue Grimaldi&city=Monaco&county=X&postalcode=98000&country=MC") == [
        ["31 Rue Grimaldi, Monaco, X, 98000", "MC"], ["31 Rue Grimaldi, Monaco, 98000", "MC"],
        ["31 Rue Grimaldi, Monaco", "MC"],
      ])
    // A country that is no code stays behind each, so that no namesake elsewhere answers.
    #expect(try asked("city=Paris&country=Germany") == [["Paris, Germany", ""]])
  }

  @Test("a house has Nominatim's members, texts for numbers and the words of its address")
  func house() throws {
    let question = try Self.ask("/search", "q=a&addressdetails=1&namedetails=1&extratags=1")
    let place = try #require(try Self.json(question, [Self.house]).array?.first)
    #expect(place["lat"]?.string == "43.7311000" && place["lon"]?.string == "7.4197000")
    #expect(place["osm_type"]?.string == "node" && place["osm_id"]?.integer == 42)
    #expect(place["category"]?.string == "place" && place["type"]?.string == "house")
    #expect(place["place_rank"]?.integer == 30 && place["name"]?.string == "")
    #expect(
      place["display_name"]?.string == "31, Rue Grimaldi, La Condamine, Monaco, 98000, Monaco")
    #expect(place["licence"]?.string == WebPlace.openStreetMap)
    #expect(place["boundingbox"]?.array?.first?.string == "43.7310500")
    let address: JSON = [
      "house_number": "31", "road": "Rue Grimaldi", "suburb": "La Condamine", "city": "Monaco",
      "postcode": "98000", "country": "Monaco", "country_code": "mc",
    ]
    #expect(place["address"] == address)
    #expect(place["class"] == nil && place["place_id"]?.integer ?? 0 > 0)
    let old = try Self.ask("/search", "q=a&format=json")
    let first = try Self.json(old, [Self.house]).array?.first
    #expect(first?["class"]?.string == "place" && first?["address"] == nil)
  }

  @Test("a thing says its own tag, and a town of the world whose data it is")
  func kinds() throws {
    let question = try Self.ask("/search", "q=a&addressdetails=1")
    let places = try #require(try Self.json(question, [Self.cafe, Self.town]).array)
    #expect(places[0]["category"]?.string == "amenity" && places[0]["type"]?.string == "cafe")
    #expect(places[0]["addresstype"]?.string == "amenity")
    #expect(places[0]["address"]?["amenity"]?.string == "Café de Paris")
    #expect(places[1]["display_name"]?.string == "뮌헨, 바이에른주, 독일")
    #expect(places[1]["addresstype"]?.string == "city" && places[1]["osm_id"] == nil)
    #expect(
      places[1]["licence"]?.string
        == "GeoNames; Time zones: © OpenStreetMap contributors, ODbL, CC BY 4.0")
  }

  @Test("GeoJSON and GeocodeJSON have the same in their own members")
  func forms() throws {
    let geojson = try Self.json(
      try Self.ask("/search", "q=a&format=geojson"), [Self.house])
    let feature = try #require(geojson["features"]?.array?.first)
    #expect(feature["geometry"]?["coordinates"]?.array?.map(\.double) == [7.4197, 43.7311])
    #expect(feature["properties"]?["osm_id"]?.integer == 42)
    #expect(feature["bbox"]?.array?.first?.double == 7.41965)
    let geocode = try Self.json(
      try Self.ask("/reverse", "lat=43.7311&lon=7.4197&format=geocodejson"), [Self.house])
    let words = try #require(geocode["features"]?.array?.first?["properties"]?["geocoding"])
    #expect(words["housenumber"]?.string == "31" && words["street"]?.string == "Rue Grimaldi")
    #expect(words["type"]?.string == "house" && words["district"]?.string == "La Condamine")
    #expect(geocode["geocoding"]?["version"]?.string == "0.1.0")
  }

  @Test("what is asked about a place is the nearer of the house and the thing beside it")
  func reverse() throws {
    let near = try Self.ask("/reverse", "lat=43.7312&lon=7.4197")
    #expect(near.requests.count == 2 && near.wantsAll)
    let thing = try Self.json(near, [Self.house], [Self.cafe])
    #expect(thing["name"]?.string == "Café de Paris")
    let far = try Self.ask("/reverse", "lat=43.73109&lon=7.4197")
    var house = Self.house
    house.radius = 1
    house.areasOfInterest = ["31 Rue Grimaldi"]
    #expect(try Self.json(far, [house], [Self.cafe])["type"]?.string == "house")
    let only = try Self.ask("/reverse", "lat=43.7312&lon=7.4197&layer=address")
    #expect(only.requests.count == 1)
  }

  @Test(
    "from far above only what is large is seen",
    arguments: [
      (17, "road", "Rue Grimaldi"), (14, "suburb", "La Condamine"), (10, "city", "Monaco"),
      (3, "country", "Monaco"),
    ])
  func zoom(zoom: Int, word: String, name: String) throws {
    let question = try Self.ask("/reverse", "lat=43.7311&lon=7.4197&zoom=\(zoom)")
    let place = try Self.json(question, [Self.house])
    #expect(place["addresstype"]?.string == word && place["name"]?.string == name)
    #expect(place["address"]?["house_number"] == nil)
  }

  @Test("countries, bounds, layers, kinds and numbers leave places out")
  func filters() throws {
    func count(_ query: String) throws -> Int? {
      try Self.json(try Self.ask("/search", query), [Self.house, Self.cafe, Self.town]).array?
        .count
    }
    #expect(try count("q=a") == 3)
    #expect(try count("q=a&limit=2") == 2)
    #expect(try count("q=a&countrycodes=de,kr") == 1)
    #expect(try count("q=a&viewbox=7,43,8,44") == 3)
    #expect(try count("q=a&viewbox=7,43,8,44&bounded=1") == 2)
    #expect(try count("q=a&layer=poi") == 1)
    #expect(try count("q=a&layer=address") == 2)
    #expect(try count("q=a&featureType=city") == 1)
    #expect(try count("q=a&exclude_place_ids=N42,\(WebPlace(Self.town).number)") == 1)
  }

  @Test("a thing's names are told by OpenStreetMap's tags, where an extract has them")
  func names() throws {
    var row = ThingRow(1, .named, Coordinate(latitude: 43.7, longitude: 7.4))
    (row.name, row.names) = ("Café de Paris", "ko=카페 드 파리\n=Grand Café\nja=カフェ=ド")
    let question = try Self.ask("/search", "q=a&namedetails=1")
    func details(_ mark: Placemark) throws -> JSON? {
      try Self.json(question, [mark]).array?.first?["namedetails"]
    }
    let expected: JSON = [
      "name": "Café de Paris", "name:ja": "カフェ=ド", "name:ko": "카페 드 파리",
    ]
    #expect(try details(row.placemark("ko", source: "monaco")) == expected)
    #expect(try details(Self.town) == ["name": "뮌헨"])
    #expect(
      try Self.json(try Self.ask("/search", "q=a"), [Self.town]).array?.first?["namedetails"] == nil
    )
  }

  @Test("extratags has a thing's other tags, where an extract has them")
  func extraTags() throws {
    var row = ThingRow(1, .named, Coordinate(latitude: 43.7, longitude: 7.4))
    (row.name, row.category, row.tag) = ("Café de Paris", "cafe", "amenity=cafe")
    row.further = "opening_hours=24/7\nwebsite=https://example.org/?a=b"
    let mark = row.placemark(nil, source: "monaco")
    let expected: JSON = ["opening_hours": "24/7", "website": "https://example.org/?a=b"]
    for (form, path) in [("jsonv2", "extratags"), ("geocodejson", "extra")] {
      let question = try Self.ask("/search", "q=a&extratags=1&format=\(form)")
      let json = try Self.json(question, [mark])
      let place =
        json.array?.first ?? json["features"]?.array?.first?["properties"]?["geocoding"]
      #expect(place?[path] == expected, "\(json)")
    }
    let without = try Self.json(try Self.ask("/search", "q=a"), [mark]).array?.first
    #expect(without?["extratags"] == nil)
    // A map beside the road is an information of the kind map.
    (row.category, row.tag) = ("tourism=information", "tourism=information")
    row.further = "information=map\nlit=yes"
    let question = try Self.ask("/search", "q=a&extratags=1")
    let board = try Self.json(question, [row.placemark(nil, source: "monaco")]).array?.first
    #expect(board?["category"]?.string == "information" && board?["type"]?.string == "map")
    #expect(board?["extratags"] == ["lit": "yes"] && board?["addresstype"] == "information")
    // A place around the thing has none of its tags.
    let around = try Self.json(
      try Self.ask("/reverse", "lat=43.7&lon=7.4&zoom=10&extratags=1"), [mark])
    #expect(around["extratags"] == [:], "\(around)")
  }

  @Test("numbers of OpenStreetMap are looked up, as many as there may be")
  func lookup() throws {
    let question = try Self.ask("/lookup", "osm_ids=W23, n42,X1,R,R-1")
    let ids = question.requests.compactMap { request -> String? in
      guard case .search(let search) = request, case .id(let id) = search.query else { return nil }
      return id
    }
    #expect(ids == ["osm:W23", "osm:N42"])
    #expect(OSMNumber(id: "osm:W23") == OSMNumber(.way, 23) && OSMNumber(id: "monaco:7") == nil)
    #expect(try Self.json(question, [Self.house], []).array?.count == 1)
    let many = Array(repeating: "N1", count: 51).joined(separator: ",")
    #expect(throws: WebRefusal.self) { try Self.ask("/lookup", "osm_ids=\(many)") }
  }

  @Test(
    "what is wrong is said in Nominatim's words",
    arguments: [
      ("/search", "", "Nothing to search for."),
      ("/search", "q=a&city=b", "cannot be used together with 'q'"),
      ("/search", "q=a&format=xml", "Parameter 'format' must be one of"),
      ("/search", "q=a&limit=x", "Parameter 'limit' must be a number."),
      ("/search", "q=a&layer=sky", "Parameter 'layer' must be"),
      ("/search", "q=a&viewbox=1,2,3", "Bounding box"),
      ("/search", "q=a&viewbox=7,x,43,8,44", "Bounding box"),
      ("/search", "q=a&viewbox=nan,43,8,44", "Bounding box"),
      ("/search", "q=a&viewbox=-1e308,43,1e308,44", "Bounding box"),
      ("/search", "city=&street=", "Nothing to search for."),
      ("/reverse", "lat=1", "Parameter 'lon' missing."),
      ("/reverse", "lat=a&lon=1", "Parameter 'lat' must be a number."),
      ("/reverse", "lat=91&lon=1", "nowhere on the Earth"),
      ("/reverse", "lat=nan&lon=1", "must be a number"), ("/nothing", "", "nothing at this"),
    ])
  func wrong(path: String, query: String, message: String) throws {
    let refusal = #expect(throws: WebRefusal.self) { try Self.ask(path, query) }
    let answer = WebDialect(path).answer(try #require(refusal))
    let error = try JSON(parsing: answer.body)["error"]
    #expect(error?["message"]?.string?.contains(message) == true, "\(answer.body)")
    #expect(error?["code"]?.integer == Int64(answer.status))
  }

  @Test("a place is the nearest thing of the layers that are asked for")
  func layers() throws {
    var platform = Self.cafe
    (platform.name, platform.osmTag) = ("Platform 1", "railway=platform")
    for (layer, name) in [("poi", "Café de Paris"), ("railway", "Platform 1")] {
      let question = try Self.ask("/reverse", "lat=43.7312&lon=7.4197&layer=\(layer)")
      let found = try Self.json(question, [Self.house], [Self.cafe, platform])
      #expect(found["name"]?.string == name, "\(layer)")
    }
    let question = try Self.ask("/reverse", "lat=43.7312&lon=7.4197&layer=natural")
    #expect(try Self.json(question, [Self.house], [Self.cafe, platform])["error"] != nil)
  }

  @Test("where nothing is, an answer says so; where the disk is at fault, an error")
  func nothing() throws {
    let reverse = try Self.ask("/reverse", "lat=1&lon=1")
    let missing = Refusal(.geocodeFoundNoResult, "nothing")
    let answer = reverse.answer([.failure(missing), .failure(missing)], [])
    #expect(answer.status == 200 && answer.body == #"{"error":"Unable to geocode"}"#)
    let search = try Self.ask("/search", "q=a")
    #expect(search.answer([.failure(missing)], []).body == "[]")
    #expect(search.answer([.failure(Refusal(.failed, "broken"))], []).status == 503)
    #expect(search.answer([.failure(Refusal(.network, "much"))], []).status == 429)
    #expect(try Self.ask("/search", "q=").requests.isEmpty)
  }

  @Test("the state is a word, or an object with the day of the data")
  func status() throws {
    #expect(try Self.ask("/status", "").answer([], Self.sets).body == "OK")
    #expect(try Self.ask("/status", "").answer([], []).status == 500)
    let json = try JSON(
      parsing: try Self.ask("/status", "format=json").answer([], Self.sets).body)
    #expect(json["status"]?.integer == 0)
    #expect(json["data_updated"]?.string == "2026-11-20T00:00:00+00:00")
  }
}
