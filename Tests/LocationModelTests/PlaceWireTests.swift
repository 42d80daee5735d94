import Testing

@testable import LocationModel

private let monaco = Coordinate(latitude: 43.7384, longitude: 7.4246)
private let nice = Coordinate(latitude: 43.7031, longitude: 7.2661)

@Suite("Questions about places on the wire") struct PlaceWireTests {
  /// One of each kind, with all that may be said.
  static let questions: [PlaceRequest] = {
    var geocode = GeocodeRequest("Casino, Monte-Carlo")
    (geocode.locale, geocode.near, geocode.country) = ("ko-KR", monaco, "MC")
    (geocode.limit, geocode.offline) = (3, true)
    var reverse = ReverseRequest(monaco)
    (reverse.locale, reverse.offline) = ("de", true)
    var completion = CompletionRequest("mona")
    (completion.near, completion.limit, completion.offline) = (nice, 2, true)
    var search = SearchRequest(.text("cafe"))
    (search.near, search.radius, search.category) = (monaco, 500, "cafe")
    var way = DirectionsRequest(from: monaco, to: nice)
    (way.via, way.transport, way.alternates) = ([nice, monaco], .cycling, true)
    (way.avoid, way.locale, way.offline) = ([.unpaved, .tolls], "fr-FR", true)
    return [
      .geocode(geocode), .geocode(GeocodeRequest("")), .reverseGeocode(reverse),
      .complete(completion), .search(search), .search(SearchRequest(.id("world:1"))),
      .directions(way), .directions(DirectionsRequest(from: nice, to: monaco)), .status,
    ]
  }()

  private func read(_ method: String, _ text: String) throws -> PlaceRequest {
    try PlaceRequest(method: method, parameters: try Parameters(try JSON(parsing: text)))
  }

  @Test("each is read as it was written", arguments: questions)
  func roundTrip(question: PlaceRequest) throws {
    #expect(try read(question.method, question.parameters.text) == question)
  }

  @Test(
    "what is misspelt, missing or impossible is refused with its name",
    arguments: [
      ("directions", #"{"from":[43,7]}"#, "to"),
      ("directions", #"{"from":[43,7],"to":[91,7]}"#, "to"),
      ("directions", #"{"from":[43,7],"to":[44,7],"transport":"horse"}"#, "transport"),
      ("directions", #"{"from":[43,7],"to":[44,7],"via":[[1]]}"#, "via"),
      ("directions", #"{"from":[43,7],"to":[44,7],"alternates":1}"#, "alternates"),
      ("directions", #"{"from":[43,7],"to":[44,7],"avoid":"tolls"}"#, "avoid"),
      ("directions", #"{"from":[43,7],"to":[44,7],"avoid":["tolls","hills"]}"#, "avoid"),
      ("directions", #"{"from":[43,7],"to":[44,7],"walking":true}"#, "walking"),
      ("geocode", #"{"text":"x","offline":"yes"}"#, "offline"),
      ("search", #"{"text":"x","radius":-1}"#, "radius"),
      ("search", #"{"text":"x","categry":"cafe"}"#, "categry"),
      ("complete", #"{"text":"x","limit":51}"#, "limit"), ("complete", "{}", "text"),
      ("reverseGeocode", #"{"latitude":91,"longitude":0}"#, "latitude"),
    ])
  func refused(method: String, text: String, word: String) throws {
    let refusal = #expect(throws: Refusal.self) { try read(method, text) }
    #expect(refusal?.code == .invalidParameters)
    #expect(refusal?.message.contains(word) == true, "\(refusal?.message ?? "")")
  }

  @Test("more places to pass than are allowed are refused")
  func via() throws {
    let places = Array(repeating: "[43,7]", count: DirectionsRequest.mostVia + 1)
    let text = #"{"from":[43,7],"to":[44,7],"via":[\#(places.joined(separator: ","))]}"#
    #expect(throws: Refusal.self) { try read("directions", text) }
  }

  @Test("a completion is read as it was written, and one without an id is none")
  func completion() throws {
    var completion = Completion(
      title: "서울역", subtitle: "Seoul", id: "world:5", titleHighlights: [0..<2, 2..<3])
    completion.category = "station"
    #expect(Completion(try JSON(parsing: completion.json.text)) == completion)
    #expect(Completion(["title": "x"]) == nil)
    let odd = Completion(
      try JSON(parsing: #"{"title":"x","id":"1","titleHighlights":[[-1,2],[0]]}"#))
    #expect(odd?.titleHighlights == [])
  }

  @Test("a placemark is read as it was written, and one off the Earth is none")
  func placemark() throws {
    var place = Placemark(monaco)
    (place.name, place.country, place.category) = ("Casino", "Monaco", "casino")
    (place.areasOfInterest, place.radius) = (["Jardins"], 30)
    #expect(Placemark(try JSON(parsing: place.json.text)) == place)
    #expect(Placemark(["latitude": .number(91), "longitude": .number(0)]) == nil)
  }

  @Test("a way is read as it was written, and one with a place off the Earth is none")
  func route() throws {
    let route = Route(
      name: "A8", distance: 21_500.5, expectedTravelTime: 1500, transport: .automobile,
      polyline: [monaco, nice],
      steps: [Route.Step(instructions: "Head west", distance: 21_500.5, polyline: [monaco, nice])],
      advisories: ["Toll"], engine: "osrm")
    #expect(Route(try JSON(parsing: route.json.text)) == route)
    let text = route.json.text.replacing("43.7384", with: "143.7384")
    #expect(Route(try JSON(parsing: text)) == nil)
  }

  @Test("MapKit's refusals keep their numbers, and say whose they are")
  func refusals() throws {
    for (code, number) in [(Refusal.Code.placemarkNotFound, 4), (.directionsNotFound, 5)] {
      #expect(code.number == number && code.domain == "MKErrorDomain")
      #expect(Refusal.Code(number: number, domain: "MKErrorDomain") == code)
    }
    #expect(Refusal.Code(number: 4, domain: nil) == .regionMonitoringDenied)
  }
}
