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
