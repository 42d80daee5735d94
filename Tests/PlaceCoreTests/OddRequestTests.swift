import LocationModel
import Testing

@testable import PlaceCore

/// Requests that clients send by mistake, and what a real Nominatim 5.3.3 answered when it was asked the same. Where that is no
/// answer for this service (XML, places that are nowhere, questions without end), an error says so.
@Suite("Odd requests over HTTP") struct OddRequestTests {
  private func search(_ query: String) throws -> [GeocodeRequest] {
    try NominatimWordsTests.ask("/search", query).requests.map {
      guard case .geocode(let request) = $0 else { throw WebRefusal("\($0)") }
      return request
    }
  }

  @Test("an unknown parameter is passed over, and of two of one name the last counts")
  func unknown() throws {
    let odd = try search("q=x&q=Casino&limit=3&limit=2&colour=red&=&&json_callback=steal")
    #expect(odd.map(\.text) == ["Casino"] && odd[0].limit == 2)
    #expect(try search("q=Casino&countrycodes=xx1,,%") == search("q=Casino"))
    #expect(try search("q=Casino&featureType=moon") == search("q=Casino"))
  }

  @Test("a limit below one is one, and none is above fifty")
  func limits() throws {
    for (limit, expected) in [("0", 1), ("-1", 1), ("1", 1), ("50", 50), ("1000000", 50)] {
      #expect(try search("q=Casino&limit=\(limit)").first?.limit == expected, "\(limit)")
    }
    for limit in ["abc", "1.5", "0x10", "99999999999999999999"] {
      #expect(throws: WebRefusal("Parameter 'limit' must be a number.")) {
        try search("q=Casino&limit=\(limit)")
      }
    }
  }

  @Test("no text is no question, an empty text has no answer, and a country beside another none")
  func empty() throws {
    #expect(throws: WebRefusal("Nothing to search for.")) { try search("") }
    for query in ["q=", "city=Monaco&countrycodes=fr&country=DE"] {
      let question = try NominatimWordsTests.ask("/search", query)
      #expect(question.requests.isEmpty)
      #expect(question.answer([], NominatimWordsTests.sets).body == "[]")
    }
    #expect(try search("city=Monaco&countrycodes=fr,de&country=DE").first?.country == "DE")
  }

  @Test(
    "what is wrong is refused in Nominatim's words",
    arguments: [
      ("format=foo", "Parameter 'format' must be one of: json, jsonv2, geojson, geocodejson"),
      ("format=", "Parameter 'format' must be one of: json, jsonv2, geojson, geocodejson"),
      ("viewbox=1,2,3", "Bounding box parameter needs 4 coordinates."),
      ("viewbox=a,b,c,d", "Bounding box parameter needs to be numbers."),
      ("viewbox=7.4,43.7,7.4,43.7", "Bounding box with invalid parameters."),
      (
        "layer=foo",
        "Parameter 'layer' must be a comma-separated list of: address, poi, railway, natural, manmade"
      ),
      ("exclude_place_ids=abc", "Invalid exclude ID: abc"),
      ("polygon_svg=1&polygon_geojson=1", "Too many polygon output options selected."),
      ("debug=1", "Debug output is not enabled on this server."),
      (
        "country=DE",
        "Structured query parameters(amenity, street, city, county, state, postalcode, country)"
          + " cannot be used together with 'q' parameter."
      ),
    ])
  func wrong(query: String, message: String) throws {
    let refusal = #expect(throws: WebRefusal.self) { try search("q=Casino&" + query) }
    #expect(refusal == WebRefusal(message))
    let answer = WebDialect("/search").answer(try #require(refusal))
    let error: JSON = ["error": ["code": .integer(400), "message": .string(message)]]
    #expect(try answer.status == 400 && JSON(parsing: answer.body) == error)
  }

  @Test("a place that is no number or nowhere is refused, and a zoom beyond all is the nearest")
  func places() throws {
    for place in ["NaN", "inf", "1e999", "abc", "43,7", "%"] {
      #expect(throws: WebRefusal("Parameter 'lat' must be a number.")) {
        try NominatimWordsTests.ask("/reverse", "lat=\(place)&lon=7.4")
      }
    }
    for (lat, lon) in [("91", "7.4"), ("43.7", "500")] {
      #expect(throws: WebRefusal("lat and lon lie nowhere on the Earth.")) {
        try NominatimWordsTests.ask("/reverse", "lat=\(lat)&lon=\(lon)")
      }
    }
    for (zoom, count) in [("99", 2), ("18", 2), ("-3", 1)] {
      let question = try NominatimWordsTests.ask("/reverse", "lat=43.7&lon=7.4&zoom=\(zoom)")
      #expect(question.requests.count == count, "\(zoom)")
    }
  }

  @Test("a text of 10 kB, or of more parameters than anybody has, is refused")
  func long() throws {
    let long = String(repeating: "a", count: 10_000)
    for path in ["/search", "/photon/api", "/route/v1/driving/7.42,43.73;7.43,43.74"] {
      let refusal = #expect(throws: WebRefusal.self) {
        try NominatimWordsTests.ask(path, "q=" + long)
      }
      #expect(refusal?.status == 400 && refusal?.message.contains("longer than") == true)
      #expect(throws: WebRefusal.self) {
        try NominatimWordsTests.ask(path, String(repeating: "b=c&", count: 100))
      }
    }
  }

  @Test(
    "a geometry that is asked for is the place's point, as Nominatim writes it",
    arguments: [
      ("text", "geotext", "POINT(7.4197 43.7311)"), ("svg", "svg", "cx=\"7.4197\" cy=\"-43.7311\""),
      ("kml", "geokml", "<Point><coordinates>7.4197,43.7311</coordinates></Point>"),
    ])
  func geometry(word: String, member: String, text: String) throws {
    func asked(_ query: String) throws -> JSON? {
      let question = try NominatimWordsTests.ask("/search", "q=a" + query)
      return try NominatimWordsTests.json(question, [NominatimWordsTests.house]).array?.first
    }
    #expect(try asked("&polygon_\(word)=1")?[member]?.string == text)
    #expect(try asked("&polygon_\(word)=0")?[member] == nil)
    let point = try asked("&polygon_geojson=1")?["geojson"]
    #expect(point?["type"]?.string == "Point" && point?["coordinates"]?.array?.count == 2)
  }
}
