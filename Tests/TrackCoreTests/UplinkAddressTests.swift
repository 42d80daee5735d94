import LocationModel
import Testing

@testable import TrackCore

@Suite("Addresses of uplinks") struct UplinkAddressTests {
  @Test("each scheme has its words, its port and its place")
  func schemes() throws {
    let broker = try UplinkAddress("mqtts://ann@broker.example/owntracks/ann/van?format=owntracks")
    #expect(broker.words == .ownTracksMQTT && broker.isSecure && broker.port == 8883)
    #expect(broker.user == "ann" && broker.host == "broker.example")
    #expect(broker.path == "owntracks/ann/van")
    #expect(try UplinkAddress("mqtt://[::1]:1884").host == "::1")
    #expect(try UplinkAddress("mqtt://[::1]:1884").port == 1884)
    #expect(try UplinkAddress("owntracks+https://h/pub").path == "/pub")
    #expect(try UplinkAddress("osmand+http://h").port == 5055)
    #expect(try UplinkAddress("osmand+https://h").port == 5055)
    #expect(try UplinkAddress("overland+https://h/in").words == .overland)
    #expect(try UplinkAddress("mqtt://h/a?format=json").words == .batchesMQTT)
    #expect(try UplinkAddress("osmand+http://h/?format=json").words == .osmAndJSON)
    #expect(try UplinkAddress("https://h/in?a=b").path == "/in?a=b")
  }

  @Test("what cannot be an address is refused with a reason")
  func refused() {
    for text in [
      "", "x", "ftp://h", "mqtt://", "mqtt://h:0", "mqtt://h:70000", "mqtt://a b", "mqtt://h/a/#",
      "mqtt://h/a/", "mqtt://h/a?x=y", "mqtt://ann:secret@h/a", "http://[::1", "http://h\"x",
    ] {
      #expect(throws: Unusable.self, "\(text)") { try UplinkAddress(text) }
    }
  }
}

@Suite("The client's name at a broker") struct ClientNameTests {
  @Test("it is another for each topic and each track, and the configuration's where that names one")
  func names() throws {
    func name(_ topic: String, _ track: String, _ id: String? = nil) throws -> String {
      var plan = UplinkPlan(name: "a", try UplinkAddress("mqtt://h/\(topic)"))
      plan.clientID = id
      return plan.client(topic: plan.topic("van"), track: track)
    }
    #expect(
      try name("owntracks/ann/van", "1a2b3c4d5e6f")
        == "locationd-owntracks-ann-van-7cc1166300b946b1-1a2b3c4d")
    let others = try [
      name("owntracks/bob/van", "1a2b3c4d5e6f"), name("owntracks/ann/van", "2a2b3c4d5e6f"),
    ]
    #expect(!others.contains(try name("owntracks/ann/van", "1a2b3c4d5e6f")))
    #expect(try name("a/" + String(repeating: "x", count: 900), "1a2b3c4d").utf8.count <= 64)
    #expect(try name("a/b", "1a2b3c4d", "thing-7") == "thing-7")
    // Topics that begin or end alike, and letters that no name has.
    let long = String(repeating: "sites/north/", count: 20)
    let topics = [
      long + "van", long + "bus", "ann/" + long + "van", "bob/" + long + "van", "a/b", "a-b", "a_b",
    ]
    #expect(try Set(topics.map { try name($0, "1a2b3c4d") }).count == topics.count)
  }
}

@Suite("Words of receivers") struct ReceiverWordsTests {
  private static func entry(_ kind: TrackEntry.Kind) -> TrackEntry {
    var location = Location(
      coordinate: Coordinate(latitude: 45, longitude: -7), horizontalAccuracy: 5,
      timestamp: Timestamp(microseconds: 1_772_359_200_500_000))
    location.speed = 0.2
    var entry = TrackEntry(kind, location)
    entry.number = 12
    entry.circumstances.battery = 57
    return entry
  }

  @Test(
    "Traccar is told a whole battery, a level that it cuts off rightly, a region and milliseconds")
  func traccar() {
    var entry = Self.entry(.enter)
    entry.region = "home"
    for level in 0...100 {
      entry.circumstances.battery = level
      let battery = OsmAnd.json(entry, device: "van")["location"]?["battery"]
      #expect(battery?["is_charging"] == .bool(false))
      #expect(battery?["level"]?.double.map { Int($0 * 100) } == level)
    }
    let json = OsmAnd.json(entry, device: "van")
    #expect(json["location"]?["extras"]?["region"]?.string == "home")
    #expect(OsmAnd.query(entry, device: "van").contains("&timestamp=1772359200500&"))
  }

  @Test("OwnTracks by HTTP has topic, date and an ID of its own")
  func ownTracks() {
    let origin = OwnTracks.Origin(
      topic: "owntracks/ann/van", track: "1a2b",
      date: Timestamp(microseconds: 1_772_359_300_000_000))
    let place = OwnTracks(device: "van").message(Self.entry(.place), from: origin).json
    #expect(place["topic"]?.string == "owntracks/ann/van" && place["_id"]?.string == "1a2b-12")
    #expect(place["created_at"]?.integer == 1_772_359_300)
    let crossing = OwnTracks(device: "van").message(Self.entry(.enter), from: origin).json
    #expect(crossing["topic"]?.string == "owntracks/ann/van/event")
    let heartbeat = OwnTracks(device: "van").heartbeat(Self.entry(.place), from: origin).json
    #expect(heartbeat["topic"]?.string == "owntracks/ann/van" && heartbeat["t"]?.string == "p")
    #expect(heartbeat["_id"]?.string == "1a2b-heartbeat-1772359300")
  }

  @Test("Overland's points have each member that a receiver reads unasked, and ours")
  func overland() throws {
    var end = Self.entry(.departure)
    end.arrivalDate = end.timestamp - .seconds(600)
    let json = Overland.batch([Self.entry(.place), end], device: "van", track: "1a2b")
    let points = try #require(json["locations"]?.array)
    #expect(points.count == 2)
    for point in points {
      #expect(point["type"]?.string == "Feature")
      #expect(point["geometry"]?["coordinates"] == .array([.number(-7), .number(45)]))
      for name in [
        "timestamp", "altitude", "speed", "course", "horizontal_accuracy", "vertical_accuracy",
        "battery_level", "battery_state", "device_id", "wifi", "motion",
      ] { #expect(point["properties"]?[name] != nil, "\(name)") }
    }
    #expect(points[0]["properties"]?["battery_level"]?.double == 0.57)
    #expect(points[0]["properties"]?["motion"] == .array([.string("stationary")]))
    #expect(points[1]["properties"]?["unique_id"]?.string == "1a2b-12")
    #expect(points[1]["properties"]?["arrival_date"]?.string == "2026-03-01T09:50:00.500Z")
    #expect(points[1]["properties"]?["departure_date"]?.string == "2026-03-01T10:00:00.500Z")
    let heartbeat = Overland.heartbeat(end, device: "van", track: "1a2b", at: end.timestamp)
    let name = heartbeat["locations"]?.array?.first?["properties"]?["unique_id"]?.string
    #expect(name == "1a2b-heartbeat-1772359201")
  }

  @Test("our own entries say the stay's dates at both ends, and a batch names its track")
  func own() {
    var end = Self.entry(.departure)
    end.arrivalDate = end.timestamp - .seconds(600)
    #expect(end.json["departureDate"]?.string == "2026-03-01T10:00:00.500Z")
    #expect(Self.entry(.arrival).json["arrivalDate"]?.string == "2026-03-01T10:00:00.500Z")
    for entry in [Self.entry(.arrival), end] { #expect(TrackEntry(entry.json) == entry) }
    #expect(Batch([end], device: "van", track: "1a2b").json["track"]?.string == "1a2b")
  }
}

@Suite("OwnTracks' words") struct OwnTracksTests {
  @Test("a place, a crossing and a last will are written as OwnTracks has them")
  func words() {
    var location = Location(
      coordinate: Coordinate(latitude: 45.1234567, longitude: -7), horizontalAccuracy: 4.6,
      timestamp: Timestamp(microseconds: 1_772_359_200_700_000))
    location.speed = 10
    location.course = 359.6
    location.altitude = -3.2
    var entry = TrackEntry(.place, location)
    entry.circumstances.battery = 80
    entry.circumstances.power = .charging
    entry.circumstances.network = .mobile
    let words = OwnTracks(device: "van")
    #expect(
      words.message(entry).json.text == """
        {"_type":"location","tid":"an","lat":45.1234567,"lon":-7.0,"tst":1772359201,"acc":5,\
        "alt":-3,"vel":36,"cog":360,"batt":80,"bs":2,"conn":"m"}
        """)
    var crossing = TrackEntry(.leave, location)
    crossing.region = "home"
    let message = words.message(crossing)
    #expect(message.subtopic == "/event")
    #expect(message.json["event"] == "leave" && message.json["desc"] == "home")
    #expect(message.json["wtst"] != nil && message.json["acc"] == .integer(5))
  }
}
