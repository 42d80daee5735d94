import LocationModel
import PlaceCore
import TestSupport
import Testing

@Suite("Servers that know where networks are") struct LocatingServerTests {
  private static let networks = [0x0016_3E00_0001, 0x0016_3E00_1002, 0x0016_3E00_2003].compactMap {
    AccessPoint(address: $0, signal: -60, frequency: 2437, age: 1000)
  }
  private static let cells = [
    CellTower(radio: .lte, country: 262, network: 2, area: 28_670, cell: 485_152)
  ].compactMap(\.self)

  private static func server(_ url: String = "http://h/v1/geolocate") throws -> LocatingServer {
    try LocatingServer("ichnaea:\(url)")
  }

  private func meaning(
    _ body: String, status: Int = 200, _ question: GeolocateRequest = .init(networks: networks),
    url: String = "http://h"
  ) throws -> String {
    let answer = try Self.server(url).meaning(of: Array(body.utf8), status: status, to: question)
    return switch answer {
    case .answer(let place): "\(place.coordinate.latitude) ±\(place.horizontalAccuracy.rounded())"
    case .nothing: "nothing"
    case .failed(let reason): reason
    case .again: "again"
    case nil: "status"
    }
  }

  private static func body(_ accuracy: Double, _ more: String = "") -> String {
    #"{"location":{"lat":51.5,"lng":-0.1},"accuracy":\#(accuracy)\#(more)}"#
  }

  @Test(
    "networks are posted as ichnaea wants them, and never to be found by this machine's address")
  func networks() throws {
    let call = try #require(try Self.server().call(for: .init(networks: Self.networks)))
    #expect(call.url == "http://h/v1/geolocate")
    #expect(
      call.body?.text == #"{"considerIp":false,"wifiAccessPoints":["#
        + #"{"macAddress":"00:16:3e:00:00:01","signalStrength":-60,"frequency":2437,"age":1000},"#
        + #"{"macAddress":"00:16:3e:00:10:02","signalStrength":-60,"frequency":2437,"age":1000},"#
        + #"{"macAddress":"00:16:3e:00:20:03","signalStrength":-60,"frequency":2437,"age":1000}],"#
        + #""fallbacks":{"lacf":false,"ipf":false}}"#)
  }

  @Test("a cell is asked about alone, one network never")
  func cells() throws {
    let one = Array(Self.networks.prefix(1))
    #expect(try Self.server().call(for: .init(networks: one)) == nil)
    #expect(try Self.server().call(for: .init()) == nil)
    let call = try #require(
      try Self.server().call(for: .init(networks: one, cells: Self.cells)))
    #expect(
      call.body?.text == #"{"considerIp":false,"cellTowers":[{"radioType":"lte","#
        + #""mobileCountryCode":262,"mobileNetworkCode":2,"locationAreaCode":28670,"#
        + #""cellId":485152}],"fallbacks":{"lacf":true,"ipf":false}}"#)
  }

  @Test(
    "ichnaea's radius holds 95 %, beaconDB's is taken as it is; none is finer than its kind can be")
  func radius() throws {
    let cells = GeolocateRequest(cells: Self.cells)
    #expect(try meaning(Self.body(1620)) == "51.5 ±1000.0")
    #expect(
      try meaning(Self.body(1620), url: "https://api.beacondb.net/v1/geolocate") == "51.5 ±1620.0")
    #expect(try meaning(Self.body(0)) == "51.5 ±50.0")
    #expect(try meaning(Self.body(10), cells) == "51.5 ±1000.0")
    #expect(try meaning(Self.body(16_200), cells) == "51.5 ±10000.0")
    #expect(try meaning(Self.body(1_000_000), cells) == "nothing")
  }

  @Test("a place by this machine's address is none, one by a cell's area is a cell's")
  func fallbacks() throws {
    let both = GeolocateRequest(networks: Self.networks, cells: Self.cells)
    for kind in ["ipf", "region", "?"] {
      #expect(try meaning(Self.body(25_000, #","fallback":"\#(kind)""#), both) == "nothing")
    }
    #expect(try meaning(Self.body(20, #","fallback":"lacf""#)) == "nothing")
    #expect(try meaning(Self.body(20, #","fallback":"lacf""#), both) == "51.5 ±1000.0")
    #expect(try meaning(Self.body(20, #","fallback":null"#)) == "51.5 ±50.0")
  }

  @Test("what is no answer is told apart from an answer that knows nothing")
  func answers() throws {
    #expect(try meaning(#"{"error":{"code":404}}"#, status: 404) == "nothing")
    for status in [204, 302, 400, 403, 429, 500, 503] {
      #expect(try meaning(Self.body(20), status: status) == "status")
    }
    for body in ["", "{}", "[]", "\u{0}", #"{"location":{"lat":"1","lng":2},"accuracy":3}"#] {
      #expect(try meaning(body) == "its answer is not understood")
    }
    #expect(try meaning(#"{"location":{"lat":0,"lng":0},"accuracy":9}"#) == "nothing")
    let far = #"{"location":{"lat":91,"lng":0},"accuracy":9}"#
    #expect(try meaning(far) == "its answer lies nowhere on the Earth")
  }

  @Test("an answer holds for a question that hears mostly the same, for the same user")
  func cache() throws {
    var ask = ServerAsk([try Self.server()], timeout: .seconds(3), budget: 60)
    let now = Boottime(nanoseconds: 1_000_000_000_000)
    func steps(_ input: ServerAsk<LocatingServer>.Input) -> [ServerAsk<LocatingServer>.Step] {
      var steps: [ServerAsk<LocatingServer>.Step] = []
      ask.handle(input, at: now, into: &steps)
      return steps
    }
    let asker = Asker(uid: 0, group: "")
    _ = steps(.asked(.init(networks: Self.networks), by: asker, waiter: 1))
    _ = steps(.answered(1, status: 200, body: Array(Self.body(162).utf8)))
    let same = steps(
      .asked(.init(networks: Array(Self.networks.dropFirst())), by: asker, waiter: 2))
    let place = RadioPlace(Coordinate(latitude: 51.5, longitude: -0.1), horizontalAccuracy: 100)
    guard case .conclude([2], .answer(let known))? = same.first else {
      Issue.record("\(same)")
      return
    }
    #expect(known.coordinate == place.coordinate)
    let others = [0x0016_3E00_0001, 0x0016_3E00_1012, 0x0016_3E00_2013].compactMap {
      AccessPoint(address: $0)
    }
    let other = steps(.asked(.init(networks: others), by: asker, waiter: 3))
    #expect(other.contains { if case .send = $0 { true } else { false } })
  }

  @Test(
    "what is no locator is told",
    arguments: ["ichnaea", "mls:http://x", "ichnaea:ftp://x", "ichnaea:https://h/?key=x"])
  func unusable(text: String) {
    #expect(throws: Unusable.self) { try LocatingServer(text) }
  }
}

@Suite("Questions where networks are") struct GeolocateRequestTests {
  private func request(_ text: String) throws -> GeolocateRequest {
    let request = try PlaceRequest(
      method: "geolocate", parameters: Parameters(JSON(parsing: text)))
    guard case .geolocate(let geolocate) = request else { throw Refusal.unreadableReply }
    return geolocate
  }

  @Test("networks and cells that stand for no place are left out")
  func filter() throws {
    let addresses = [
      "00:16:3E:00:00:01", "02:16:3e:00:00:01", "01:00:5e:00:00:01", "00:01:02:00:00:05",
      "00:00:00:00:00:00", "ff:ff:ff:ff:ff:ff",
    ]
    let list = addresses.map { #"{"macAddress":"\#($0)"}"# }.joined(separator: ",")
    let given = try request(
      #"{"wifiAccessPoints":[\#(list)],"cellTowers":[{"radioType":"nr","mobileCountryCode":1,"#
        + #""mobileNetworkCode":1,"locationAreaCode":1,"cellId":1},{"radioType":"gsm","#
        + #""mobileCountryCode":262,"mobileNetworkCode":2,"locationAreaCode":65535,"cellId":7}]}"#)
    #expect(given.networks.map(\.address) == [0x0016_3E00_0001] && given.cells.isEmpty)
  }

  @Test("a question comes back from its line as it was")
  func line() throws {
    var dice = Dice(seed: 5)
    let networks = (0..<20).compactMap { _ in
      AccessPoint(
        address: UInt64.random(in: 0...0xFF_FFFF, using: &dice) | 0x0016_3E00_0000,
        signal: Int.random(in: -100 ... -30, using: &dice), frequency: 5180, age: 12)
    }
    let question = GeolocateRequest(
      networks: networks,
      cells: [CellTower(radio: .gsm, country: 1, network: 0, area: 1, cell: 1)].compactMap(\.self))
    let line = PlaceRequest.geolocate(question).line(id: .integer(1))
    #expect(try request(line["params"]?.text ?? "") == question)
  }

  @Test(
    "what is no question is refused",
    arguments: [
      #"{"wifiAccessPoints":{}}"#, #"{"wifiAccessPoints":[7]}"#,
      #"{"wifiAccessPoints":[{"macAddress":"0016"}]}"#, #"{"wifiAccessPoints":[{}]}"#,
      #"{"wifiAccessPoints":[{"macAddress":"00:16:3e:00:00:01","signalStrength":1e9}]}"#,
      #"{"cellTowers":7}"#, #"{"networks":[]}"#,
    ])
  func refused(text: String) {
    #expect(throws: Refusal.self) { try request(text) }
  }
}
