import Console
import DBus
import Foundation
import Glibc
import LocationModel
import Testing

@Suite("The service of places", .timeLimit(.minutes(60))) struct PlacesTests {
  private static func configuration(_ server: PlaceServer, _ kind: String = "nominatim") -> String {
    "[Places]\nLogLevel=debug\n[Servers]\nTimeout=1\nGeocoder=\(kind):http://127.0.0.1:\(server.port)\n"
  }

  private static let monaco: JSON = ["latitude": .number(43.73), "longitude": .number(7.42)]

  @Test("requests are answered by their ids, and bad ones are refused with the reason")
  func refusals() throws {
    let places = try RunningPlaces()
    let client = try places.connect()
    let ids = (0..<3).map { _ in client.request("status") }
    for id in ids {
      #expect(try client.reply(to: id)["result"]?["version"]?.string == version)
    }
    #expect(try client.ask("locate")["error"]?["code"] == .integer(-32601))
    let unknown = try client.ask("geocode", ["text": "x", "txet": "y"])["error"]
    #expect(unknown?["code"] == .integer(-32602))
    #expect(unknown?["message"]?.string?.contains("txet") == true)
    client.send("[]\n")
    #expect(try client.line()["error"]?["code"] == .integer(-32600))
    client.send("{\"x\":\"" + String(repeating: "x", count: 70_000) + "\"}\n")
    #expect(try client.line()["error"]?["message"]?.string?.contains("65536") == true)
    client.send("\u{0}\n")
    #expect(try client.line()["error"]?["code"] == .integer(-32700))
  }

  @Test("what is not installed is told with its package")
  func missing() throws {
    let places = try RunningPlaces()
    func message(_ method: String, _ parameters: JSON) throws -> String {
      try places.ask(method, parameters)["error"]?["message"]?.string ?? ""
    }
    for (method, parameters) in [
      ("geocode", ["text": "x"]), ("reverseGeocode", Self.monaco), ("search", ["text": "x"]),
      ("complete", ["text": "x"]),
    ] as [(String, JSON)] {
      let said = try message(method, parameters)
      #expect(said.hasSuffix("apt install locationd-places-data."), "\(said)")
    }
    let near: JSON = .array([.number(43.73), .number(7.42)])
    let said = try message("directions", ["from": near, "to": near])
    #expect(said.contains("places import"), "\(said)")
  }

  @Test("a client that does not read is asked for no more, and another is answered meanwhile")
  func deaf() throws {
    let places = try RunningPlaces("[Limits]\nBytesPerConnection=128K\n")
    let deaf = try places.connect()
    let question = #"{"jsonrpc":"2.0","id":1,"method":"status"}"# + "\n"
    let sent = deaf.send(String(repeating: question, count: 200_000), within: 2)
    #expect(sent < 200_000 * question.utf8.count / 2)
    let other = try places.connect()
    #expect(try other.ask("status")["result"] != nil)
    #expect(try places.program.heldMemory < 24_000)
  }

  @Test("one user has so many connections, and one too many is told why")
  func crowd() throws {
    let places = try RunningPlaces("[Limits]\nConnectionsPerUser=3\n")
    let clients = try (0..<3).map { _ in try places.connect() }
    for client in clients { #expect(try client.ask("status")["result"] != nil) }
    let refusal = try places.connect().line()
    #expect(refusal["error"]?["message"]?.string?.contains("ConnectionsPerUser") == true)
  }

  @Test("a server is asked, politely, once for the same and for near places")
  func server() throws {
    let server = try PlaceServer()
    let places = try RunningPlaces(Self.configuration(server))
    let client = try places.connect()
    let answer = try client.ask("reverseGeocode", Self.monaco)
    let place = try #require(answer["result"]?["placemarks"]?.array?.first)
    #expect(place["name"]?.string == "Le Rocher" && place["source"]?.string == "nominatim")
    let near: JSON = ["latitude": .number(43.735), "longitude": .number(7.42)]
    #expect(try client.ask("reverseGeocode", near)["result"] == answer["result"])
    for _ in 0..<2 { #expect(try client.ask("geocode", ["text": "Rocher"])["result"] != nil) }
    _ = try client.ask("complete", ["text": "Roch"])
    let requests = server.listen()
    #expect(requests.compactMap { $0["path"]?.string } == ["/reverse", "/search"])
    #expect(requests[0]["agent"]?.string?.hasPrefix("locationd-places/\(version)") == true)
    let status = try client.ask("status")["result"]?["servers"]?.array?.first
    #expect(status?["requests"] == .integer(2) && status?["reused"] == .integer(2))
  }

  @Test("what a server said is known when the service comes back, to the same user alone")
  func cache() throws {
    let server = try PlaceServer()
    let folder = FileManager.default.temporaryDirectory.appending(path: "cache-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var answers: [JSON?] = []
    for _ in 0..<2 {
      let places = try RunningPlaces(Self.configuration(server), ["--cache", folder.path])
      answers.append(try places.ask("geocode", ["text": "Rocher"])["result"])
      try places.leave()
    }
    #expect(answers[0] != nil && answers[0] == answers[1] && server.listen().count == 1)
    let file = folder.appending(path: "answers.json").path
    let rights = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions]
    #expect(rights as? Int == 0o600)
    // What is no cache is no trouble.
    try Data("{\"answers\":[[".utf8).write(to: URL(filePath: file))
    let places = try RunningPlaces(Self.configuration(server), ["--cache", folder.path])
    #expect(try places.ask("geocode", ["text": "Rocher"])["result"] == answers[0])
    #expect(server.listen().count == 2)
  }

  @Test("a server is believed by its certificate; where that is not known, the disk answers")
  func certificate() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "tls-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let name = folder.appending(path: "server").path
    let made = try Program([
      "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
      "-nodes", "-days", "2", "-subj", "/CN=places", "-addext", "subjectAltName=IP:127.0.0.1",
      "-keyout", name + ".key", "-out", name + ".pem",
    ]).text()
    try #require(made.exit == 0, "\(made.text)")
    let server = try PlaceServer(certificate: name)
    for authority in ["CA=\(name).pem\n", ""] {
      let places = try RunningPlaces(
        "[Servers]\nTimeout=2\nGeocoder=nominatim:https://127.0.0.1:\(server.port)\n" + authority,
        ["--data", PrivateBus.house.appending(path: ".build/places").path])
      let mark = try places.ask("reverseGeocode", Self.monaco)["result"]?["placemarks"]?.array?
        .first
      #expect(mark?["source"]?.string == (authority.isEmpty ? "world" : "nominatim"))
      let status = try places.ask("status")["result"]?["servers"]?.array?.first
      let trouble = status?["trouble"]?.string ?? ""
      #expect(trouble.lowercased().contains("certificate") == authority.isEmpty, "\(trouble)")
    }
  }

  @Test("Photon completes, also for a language that it does not speak, and its line is found again")
  func photon() throws {
    let server = try PlaceServer()
    let places = try RunningPlaces(Self.configuration(server, "photon"))
    let answer = try places.ask("complete", ["text": "mona", "locale": "ko"])
    let line = try #require(answer["result"]?["completions"]?.array?.first)
    #expect(line["title"]?.string == "Monaco-Ville")
    let found = try places.ask("search", ["id": line["id"]])
    #expect(found["result"]?["places"]?.array?.first?["locality"]?.string == "Monaco")
    #expect(server.listen().map { $0["query"]?["lang"]?.string } == ["ko", nil, nil])
  }

  @Test(
    "a server that fails is passed over in time, and the status says why",
    arguments: ["slow", "reset", "500", "429", "garbage", "huge", "redirect"])
  func fails(how: String) throws {
    let server = try PlaceServer(how)
    let places = try RunningPlaces(Self.configuration(server))
    let client = try places.connect()
    let effort = try Effort(of: places.program)
    // There is no data on the disk of the test, which the disk's answer says.
    for _ in 0..<3 {
      let answer = try client.ask("reverseGeocode", Self.monaco)
      #expect(answer["error"]?["message"]?.string?.contains("no data") == true, "\(answer.text)")
    }
    #expect(try effort.seconds < 4)
    let status = try client.ask("status")["result"]?["servers"]?.array?.first
    #expect(status?["trouble"]?.string != nil && status?["replaced"] == .integer(3))
    #expect(server.listen().count <= 2)
  }

  @Test("a redirection within the host is followed")
  func moved() throws {
    let server = try PlaceServer("moved")
    let places = try RunningPlaces(Self.configuration(server))
    #expect(try places.ask("reverseGeocode", Self.monaco)["result"] != nil)
  }

  @Test("an app over its budget is refused at once, with error 2")
  func budget() throws {
    let server = try PlaceServer()
    let places = try RunningPlaces(Self.configuration(server) + "Budget=5\n")
    let client = try places.connect()
    let codes = try (0..<8).map {
      try client.ask("geocode", ["text": .string("x \($0)")])["error"]?["code"]?.integer
    }
    #expect(codes.prefix(5).allSatisfy { $0 == nil } && codes.last == 2)
    #expect(server.listen().count == codes.count { $0 == nil })
  }

  @Test("nothing that is asked is logged, at any level")
  func unlogged() throws {
    for how in ["", "500", "garbage"] {
      let server = try PlaceServer(how)
      let places = try RunningPlaces(Self.configuration(server))
      let client = try places.connect()
      _ = try client.ask("geocode", ["text": "Zanzibarstraat 77"])
      _ = try client.ask("search", ["text": "Zanzibarstraat 78"])
      _ = try client.ask("complete", ["text": "Zanzibarstraat"])
      _ = try client.ask("geocode", ["text": "Zanzibarstraat", "Zanzibar": "x"])
      _ = try client.ask("reverseGeocode", Self.monaco)
      places.program.signal(SIGTERM)
      let (text, exit) = try places.program.text()
      #expect(exit == 0 && text.contains("stopping"))
      for word in ["Zanzibar", "43.7", "7.42", "Monaco", "Rocher"] {
        #expect(!text.contains(word), "\(text)")
      }
    }
  }

  @Test("without clients it leaves, and it stays while one is connected")
  func idle() throws {
    let places = try RunningPlaces("", ["--idle", "1"])
    let client = try places.connect()
    #expect(try client.ask("status")["result"] != nil)
    // One that began later, and has no client, leaves first.
    let later = try RunningPlaces("", ["--idle", "1"])
    #expect(try later.program.exit() == 0)
    #expect(try client.ask("status")["result"] != nil)
    shutdown(client.descriptor, Int32(SHUT_RDWR))
    #expect(try places.program.exit() == 0)
  }

  @Test("the same questions are answered on the bus, and errors have names")
  func bus() throws {
    let bus = try PrivateBus(policies: ["org.locationd.Places.conf"])
    let server = try PlaceServer()
    let places = try RunningPlaces(Self.configuration(server), bus: bus)
    let client = try BusClient(bus.address)
    let name = "org.locationd.Places"
    try client.waitForDaemon(name)
    func ask(_ member: String, _ question: [String: BusValue]) throws -> [BusValue] {
      try client.ask(
        "/org/locationd/Places", "org.locationd.Places1", member, [.dictionary(question)], of: name)
    }
    let answer = try ask(
      "ReverseGeocode", ["latitude": .double(43.73), "longitude": .double(7.42)])
    let place = answer.first?.asArray?.first?.asDictionary
    #expect(place?["name"]?.asString == "Le Rocher")
    let near = BusValue.structure([.double(43.7), .double(7.4)])
    #expect(try ask("Geocode", ["text": .string("x"), "near": near]).first?.asArray?.count == 1)
    let refusal = try client.refusal(
      "/org/locationd/Places", "org.locationd.Places1", "Geocode",
      [.dictionary(["txet": .string("x")])], of: name)
    #expect(refusal == "org.locationd.Error.InvalidArgs")
    withExtendedLifetime(places) {}
  }

  @Test("a mistake in the configuration is told with its file and line")
  func check() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).conf")
    defer { try? FileManager.default.removeItem(at: file) }
    try "[Places]\nIdle=soon\n[Servers]\nGeocoder=bing:http://x\nRouter=osrm:http://x\nLocator=x\n"
      .write(to: file, atomically: true, encoding: .utf8)
    let (text, exit) = try Program([
      Program.path("locationd-places"), "--check", "--config", file.path,
    ]).text()
    #expect(exit == 1)
    for line in [2, 4, 6] { #expect(text.contains("\(file.path):\(line): "), "\(text)") }
    #expect(text.split(separator: "\n").count == 3)
  }
}
