import Glibc
import LocationModel
import Platform
import Testing

@Suite("Wi-Fi networks that a named server knows", .serialized, .timeLimit(.minutes(60)))
struct AskedWiFiTests {
  private static let addresses = ["00:16:3E:00:01:00", "00:16:3E:00:02:00"]

  private let bus: PrivateBus
  private let manager: PlayedNetworkManager

  init() throws {
    bus = try PrivateBus(own: PlayedNetworkManager.policy)
    manager = try PlayedNetworkManager(bus)
    try manager.hear(Self.addresses)
    // A hidden one, one for no map, one that made its address up, one of iwd's invention.
    try manager.add("00:16:3E:00:03:00", named: [])
    try manager.add("00:16:3E:00:04:00", named: Array("x_nomap".utf8))
    try manager.add("02:16:3E:00:05:00", named: Array("x".utf8))
    try manager.add("00:01:02:00:00:07", named: Array("x".utf8))
  }

  private func places(_ server: PlaceServer) throws -> RunningPlaces {
    try RunningPlaces(
      "[Places]\nLogLevel=debug\n[Servers]\n"
        + "Locator=ichnaea:http://127.0.0.1:\(server.port)/v1/geolocate\n")
  }

  private func daemon(_ places: RunningPlaces, learns: String = "yes") throws -> RunningDaemon {
    try RunningDaemon(
      ["wifi:"], files: ["locationd.conf": "[Sources]\nLingerSec=0\nLearnNetworks=\(learns)\n"],
      bus: bus, logLevel: "debug", environment: ["LOCATIOND_PLACES_SOCKET": places.socket])
  }

  @Test(
    "a scan is a place by the server's word, which a client hears meanwhile; nothing else is asked",
    arguments: ["yes", "no"])
  func place(learns: String) throws {
    let server = try PlaceServer()
    let places = try places(server)
    let daemon = try daemon(places, learns: learns)
    let client = try daemon.connect()
    try manager.expectSilence(client)
    #expect(server.listen().isEmpty)

    client.request("startUpdatingLocation")
    var told: Location?
    try manager.play("a place") {
      told = try client.location(within: 0.02) ?? told
      return told != nil
    }
    let place = try #require(told)
    #expect(place.source == "server-wifi:" && !place.simulated)
    #expect(place.coordinate.latitude == 43.7311 && place.coordinate.longitude == 7.4197)
    #expect((100...500).contains(place.horizontalAccuracy))
    let status = try #require(try client.ask("status")["result"])
    #expect(status["places"]?.array?.first?["source"] == "server-wifi:", "\(status.text)")

    // Later scans of the same networks ask nobody.
    for _ in 0..<3 {
      let lists = manager.lists
      try manager.scan()
      try manager.play("the list") { manager.lists > lists }
    }
    _ = try client.ask("stopUpdatingLocation")
    try manager.play("the source to close") {
      try client.wifiSource["state"]?.string == "closed"
    }
    try manager.expectSilence(client)
    let body = try #require(server.listen().first?["body"])
    #expect(server.requests.count == 1)
    #expect(body["considerIp"] == .bool(false) && body["fallbacks"]?["ipf"] == .bool(false))
    let asked = body["wifiAccessPoints"]?.array ?? []
    #expect(
      asked.compactMap { $0["macAddress"]?.string }.sorted()
        == ["00:16:3e:00:01:00", "00:16:3e:00:02:00"])
    #expect(asked.allSatisfy { $0["ssid"] == nil && $0["signalStrength"] == .integer(-58) })
    try noTrace(daemon, places)
  }

  @Test(
    "a server that knows nothing, or fails, is no place, and is not asked again and again",
    arguments: ["404", "429", "ipf"])
  func fails(how: String) throws {
    let server = try PlaceServer(how)
    let places = try places(server)
    let daemon = try daemon(places)
    let client = try daemon.connect()
    client.request("startUpdatingLocation")
    try manager.play("a question") { !server.listen().isEmpty }
    for _ in 0..<3 {
      let lists = manager.lists
      try manager.scan()
      try manager.play("the list") { manager.lists > lists }
    }
    let end = Clock.boottime + .seconds(3)
    try manager.play("three seconds") { Clock.boottime > end }
    #expect(server.listen().count == 1)
    #expect(try client.location(within: 0.1) == nil)
    try noTrace(daemon, places)
  }

  /// Neither log tells a network or a place.
  private func noTrace(_ daemon: RunningDaemon, _ places: RunningPlaces) throws {
    for program in [daemon.program, places.program] {
      program.signal(SIGTERM)
      let (text, exit) = try program.text()
      #expect(exit == 0)
      for word in ["3e:00", "3e00", "43.7", "7.41"] {
        #expect(!text.lowercased().contains(word), "\(text)")
      }
    }
  }
}
