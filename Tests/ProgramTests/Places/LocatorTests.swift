import Foundation
import Glibc
import LocationCore
import LocationModel
import Platform
import TestSupport
import Testing

@testable import locationd

@Suite("A locator", .timeLimit(.minutes(60))) struct LocatorTests {
  private static func configuration(_ server: PlaceServer) -> String {
    "[Places]\nLogLevel=debug\n[Servers]\nTimeout=1\n"
      + "Locator=ichnaea:http://127.0.0.1:\(server.port)/v1/geolocate\n"
  }

  private static func network(_ address: String, signal: Int64 = -60) -> JSON {
    [
      "macAddress": .string(address), "signalStrength": .integer(signal),
      "frequency": .integer(2437), "age": .integer(20),
    ]
  }

  private static let networks: JSON = [
    "wifiAccessPoints": .array([
      network("00:16:3e:00:01:00"), network("00:16:3E:00:02:00", signal: -70),
      network("02:16:3e:00:03:00"), network("00:01:02:00:00:07"),
    ])
  ]
  private static let cell: JSON = [
    "radioType": "lte", "mobileCountryCode": .integer(262), "mobileNetworkCode": .integer(2),
    "locationAreaCode": .integer(28_670), "cellId": .integer(485_152),
  ]

  private static func code(_ answer: JSON) -> Int64? { answer["error"]?["code"]?.integer }

  @Test("asks in ichnaea's words, for root and the daemon's user, and once for the same networks")
  func asked() throws {
    let server = try PlaceServer()
    let places = try RunningPlaces(Self.configuration(server))
    let answer = try places.ask("geolocate", Self.networks)["result"]
    #expect(answer?["latitude"]?.double == 43.7311 && answer?["longitude"]?.double == 7.4197)
    #expect(answer?["horizontalAccuracy"]?.double == 100)
    #expect(try places.ask("geolocate", Self.networks)["result"] == answer)
    let request = try #require(server.listen().first)
    #expect(server.requests.count == 1 && request["path"] == "/v1/geolocate")
    #expect(request["type"] == "application/json")
    #expect(
      request["body"] == [
        "considerIp": .bool(false),
        "wifiAccessPoints": .array([
          Self.network("00:16:3e:00:01:00"), Self.network("00:16:3e:00:02:00", signal: -70),
        ]), "fallbacks": ["lacf": .bool(false), "ipf": .bool(false)],
      ])
    let cells = try places.ask("geolocate", ["cellTowers": .array([Self.cell])])["result"]
    #expect(cells?["horizontalAccuracy"]?.double == 1000)
    #expect(
      server.listen().last?["body"] == [
        "considerIp": .bool(false), "cellTowers": .array([Self.cell]),
        "fallbacks": ["lacf": .bool(true), "ipf": .bool(false)],
      ])
    let status = try places.ask("status")["result"]?["servers"]?.array?.first
    #expect(status?["role"] == "locator" && status?["requests"] == .integer(2))
  }

  @Test("one network, or none of a fixed box, is asked about by nobody")
  func few() throws {
    let server = try PlaceServer()
    let places = try RunningPlaces(Self.configuration(server))
    for networks in [
      [], [Self.network("00:16:3e:00:01:00"), Self.network("02:16:3e:00:01:00")],
    ] {
      let answer = try places.ask("geolocate", ["wifiAccessPoints": .array(networks)])
      #expect(Self.code(answer) == -32602)
    }
    #expect(server.listen().isEmpty)
  }

  @Test("without the line nothing is asked, and the refusal says which line it is")
  func off() throws {
    let places = try RunningPlaces()
    let answer = try places.ask("geolocate", Self.networks)
    #expect(Self.code(answer) == -32601)
    #expect(answer["error"]?["message"]?.string?.contains("Locator=") == true)
    #expect(try places.ask("status")["result"]?["servers"]?.array?.isEmpty == true)
  }

  @Test(
    "a bad answer is none, and a server that fails is left alone for a while",
    arguments: [
      ("404", 8), ("429", 2), ("500", 2), ("503", 2), ("slow", 2), ("reset", 2), ("garbage", 2),
      ("huge", 2), ("redirect", 2), ("ipf", 8), ("lacf", 8),
    ] as [(String, Int64)])
  func fails(how: String, code: Int64) throws {
    let server = try PlaceServer(how)
    let places = try RunningPlaces(Self.configuration(server))
    let client = try places.connect()
    for _ in 0..<3 { #expect(Self.code(try client.ask("geolocate", Self.networks)) == code) }
    #expect(server.listen().count <= (code == 8 ? 3 : 2))
    #expect(try client.ask("status")["result"] != nil)
    // The log tells none of it.
    places.program.signal(SIGTERM)
    let (text, exit) = try places.program.text()
    #expect(exit == 0 && !text.contains("3e:00") && !text.contains("43.7"), "\(text)")
  }

  @Test("other users are refused, whoever they say they are", .asRootWithCgroups)
  func others() throws {
    let server = try PlaceServer()
    let places = try RunningPlaces(Self.configuration(server))
    chmod(places.folder.path, 0o755)
    let script = """
      import json, socket, sys
      s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1])
      s.sendall(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "geolocate",
                            "params": json.loads(sys.argv[2])}).encode() + b"\\n")
      print(s.makefile().readline(), end="")
      """
    let stranger = try Program([
      "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "/usr/bin/python3", "-c",
      script,
      places.socket, Self.networks.text,
    ])
    let answer = try JSON(parsing: try stranger.line())
    #expect(Self.code(answer) == 1 && server.listen().isEmpty, "\(answer.text)")
  }
}

@Suite("The daemon and a locator", .timeLimit(.minutes(60))) struct LocatorDaemonTests {
  private static let question = GeolocateRequest(
    networks: [0x0016_3E00_0100, 0x0016_3E00_0200].compactMap {
      AccessPoint(address: $0, signal: -60)
    })

  /// The answer to a question of the daemon's part that asks.
  private func answer(at path: String) throws -> Result<RadioPlace, Refusal> {
    let loop = try EventLoop()
    var answers: [Result<RadioPlace, Refusal>] = []
    let link = try PlacesLink(with: try Resolver(on: loop), at: path) {
      if case .located(7, let result) = $0 { answers.append(result) }
    }
    link.ask(7, Self.question)
    let end = Clock.boottime + .seconds(patience)
    while answers.isEmpty, Clock.boottime < end { try loop.turn(within: .milliseconds(5)) }
    // The link hangs up, so that the service may leave.
    for _ in 0..<10 { try loop.turn(within: .milliseconds(1)) }
    #expect(answers.count == 1)
    return try #require(answers.first)
  }

  @Test("the daemon's question goes by the service of places to the server, and the place back")
  func asked() throws {
    let server = try PlaceServer()
    let places = try RunningPlaces(
      "[Servers]\nLocator=ichnaea:http://127.0.0.1:\(server.port)/v1/geolocate\n")
    let place = try answer(at: places.socket).get()
    #expect(place.coordinate.latitude == 43.7311 && place.horizontalAccuracy == 100)
    #expect(server.listen().count == 1)
    #expect(server.requests[0]["body"]?["wifiAccessPoints"]?.array?.count == 2)
  }

  @Test("without a server, without a service, and by what is none, the answer is a refusal")
  func refused() throws {
    func code(at path: String) throws -> Refusal.Code? {
      if case .failure(let refusal) = try answer(at: path) { refusal.code } else { nil }
    }
    let places = try RunningPlaces()
    #expect(try code(at: places.socket) == .unknownMethod)
    #expect(try code(at: "/nowhere/places.sock") == .network)
    for words in ["\"result\":7", "\"result\":{\"latitude\":91}", "\"error\":{}"] {
      let other = try #require(AnsweringSocket { _ in words })
      #expect(try code(at: other.path) != nil, "\(words)")
    }
  }
}
