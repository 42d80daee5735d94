import LocationModel
import PlaceCore
import Testing

@Suite("Directions in words") struct DirectionsTests {
  private static let way = Way(
    polyline: [
      Coordinate(latitude: 37.5663, longitude: 126.9779),
      Coordinate(latitude: 37.5690, longitude: 126.9779),
      Coordinate(latitude: 37.5690, longitude: 126.9830),
    ],
    moves: [
      Move(.depart(bearing: 0), street: "세종대로", start: 0),
      Move(.turn(.right), street: "종로", start: 1), Move(.arrive(.left), start: 2),
    ], duration: 240, advisories: [.toll], engine: "locationd")

  @Test(
    "a way reads as people of each language say it",
    arguments: [
      (
        "ko-KR", ["세종대로에서 북쪽으로 출발", "우회전하여 종로로 진입", "왼쪽에 있는 목적지 도착"]
      ),
      (
        "en_US.UTF-8",
        [
          "Head north on 세종대로", "Turn right onto 종로",
          "Arrive at your destination on the left",
        ]
      ),
      (
        "de",
        [
          "Auf 세종대로 Richtung Norden starten",
          "Rechts abbiegen auf 종로", "Ziel auf der linken Seite",
        ]
      ),
      (
        "fr",
        [
          "Partez vers le nord sur 세종대로",
          "Tournez à droite sur 종로", "Votre destination est à gauche",
        ]
      ),
      (
        "es",
        [
          "Dirígete hacia el norte por 세종대로",
          "Gira a la derecha por 종로", "Tu destino está a la izquierda",
        ]
      ),
      (
        "ja-JP",
        ["세종대로を北に向かって出発", "右折して종로に入る", "左側の目的地に到着"]
      ),
    ])
  func languages(tag: String, sentences: [String]) {
    let route = Self.way.route(.automobile, in: Language(tag))
    #expect(route.steps.map(\.instructions) == sentences)
    #expect(route.name == "세종대로, 종로")
    #expect(route.advisories.count == 1)
  }

  @Test("a street that ends in a consonant has 으로, and one in ㄹ or a vowel 로")
  func particle() {
    func sentence(_ street: String) -> String {
      let way = Way(
        polyline: Self.way.polyline, moves: [Move(.turn(.left), street: street, start: 2)],
        duration: 1, engine: "osrm")
      return way.route(.walking, in: Language("ko")).steps[0].instructions
    }
    #expect(sentence("테헤란로") == "좌회전하여 테헤란로로 진입")
    #expect(sentence("남산공원길") == "좌회전하여 남산공원길로 진입")
    #expect(sentence("여의도공원") == "좌회전하여 여의도공원으로 진입")
  }

  @Test("distances are sums along the polyline")
  func sums() {
    let route = Self.way.route(.automobile, in: nil)
    #expect(abs(route.distance - route.steps.map(\.distance).reduce(0, +)) < 0.001)
    #expect(abs(route.distance - 750) < 10)
    #expect(Route(route.json)?.steps.count == 3)
  }

  @Test("a way that begins far from what was asked says so, and one a kilometre away is none")
  func truth() {
    var request = DirectionsRequest(
      from: Coordinate(latitude: 37.5653, longitude: 126.9779), to: Self.way.polyline[2])
    guard case .ways(let ways) = EngineAnswer.ways([Self.way]).checked(request) else {
      return #expect(Bool(false))
    }
    #expect(
      ways[0].route(.automobile, in: Language("en")).advisories.last
        == "The route begins 110\u{A0}m from the starting point.")
    request.from = Coordinate(latitude: 37.5, longitude: 126.9779)
    guard case .noRoad(0, let distance?) = EngineAnswer.ways([Self.way]).checked(request) else {
      return #expect(Bool(false))
    }
    #expect((7000...7500).contains(distance))
  }

  @Test(
    "a turn is named by its angle",
    arguments: [
      (0.0, 5.0, Turn.straight), (350, 30, .slightRight), (10, 280, .left), (0, 150, .sharpRight),
      (0, 180, .back), (90, 0, .left),
    ])
  func angles(from: Double, to: Double, turn: Turn) {
    #expect(Turn(from: from, to: to) == turn)
  }

  @Test(
    "distances are written as a country writes them",
    arguments: [
      (87.0, "en", "GB", "95\u{A0}yd"), (1234, "de", "DE", "1,2\u{A0}km"),
      (1234, "ko", "KR", "1.2km"),
      (12_400, "fr", "FR", "12\u{A0}km"), (5, "ja", "JP", "5\u{A0}m"),
      (3000, "en", "US", "1.9\u{A0}mi"),
      (960, "ru", "RU", "1\u{A0}км"),
    ])
  func distances(metres: Double, language: String, region: String, text: String) {
    #expect(
      DistanceText.text(metres, language: language, units: .init(region: region)) == text)
  }
}
