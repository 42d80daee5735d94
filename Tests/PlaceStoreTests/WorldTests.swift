import Foundation
import LocationModel
import PlaceStore
import Testing

/// With the world that `make places` made.
@Suite("World") struct WorldTests {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: ".build/places").path
  let atlas = Atlas(folders: [folder])

  private static var cpuTime: Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  private func reverse(_ y: Double, _ x: Double, _ locale: String) throws -> Placemark {
    var request = ReverseRequest(Coordinate(latitude: y, longitude: x))
    request.locale = locale
    return try atlas.reverse(request)[0]
  }

  @Test("a place in Seoul is told as a Korean writes it")
  func seoul() throws {
    let mark = try reverse(37.5636, 126.9850, "ko-KR")
    #expect(mark.country == "대한민국")
    #expect(mark.administrativeArea == "서울특별시")
    #expect(mark.locality == "중구")
    #expect(mark.timeZone == "Asia/Seoul")
    #expect(mark.formattedAddress?.hasPrefix("대한민국 서울특별시 중구") == true)
  }

  @Test(
    "the time zone is that of the borders, whatever town is near",
    arguments: [
      (31.735, -106.487, "America/Ciudad_Juarez"), (31.772, -106.460, "America/Denver"),
      (48.139, 17.05, "Europe/Vienna"), (48.144, 17.107, "Europe/Bratislava"),
      (32.47, -85.00, "America/New_York"), (38.3, -86.95, "America/Indiana/Vincennes"),
      (-29.016, 146.146, "Australia/Sydney"), (53.817, 61.396, "Asia/Qostanay"),
    ])
  func zone(y: Double, x: Double, zone: String) throws {
    #expect(try reverse(y, x, "en").timeZone == zone)
  }

  @Test(
    "a town's province is one, whether the town is asked for or its place",
    arguments: [
      ("Ponce, Puerto Rico", "Ponce"), ("Hyderabad", "Telangana"), ("Lubumbashi", "Upper Katanga"),
      ("Hanoi", "Hanoi"),
    ])
  func province(text: String, province: String) throws {
    var request = GeocodeRequest(text)
    request.locale = "en"
    let town = try #require(try atlas.geocode(request).first)
    #expect(town.administrativeArea == province)
    let mark = try reverse(town.coordinate.latitude, town.coordinate.longitude, "en")
    #expect(mark.administrativeArea == province)
  }

  @Test(
    "land goes on to 180° and to the South Pole",
    arguments: [(68.0, 179.95), (68, -179.95), (68, 180), (68, -180), (-90, 0)])
  func uncut(y: Double, x: Double) throws {
    let mark = try reverse(y, x, "en")
    #expect(mark.ocean == nil && mark.coordinate.longitude == x)
    if y > 0 { #expect(mark.timeZone == "Asia/Anadyr" && mark.isoCountryCode == "RU") }
  }

  @Test("where a level does not exist, the next higher one is told")
  func monaco() throws {
    let mark = try reverse(43.7384, 7.4246, "en")
    #expect(mark.isoCountryCode == "MC")
    for name in [mark.country, mark.administrativeArea, mark.locality, mark.name] {
      #expect(name?.isEmpty == false)
    }
  }

  @Test("the middle of an ocean has its name, and no country")
  func ocean() throws {
    let mark = try reverse(0, -140, "de")
    #expect(mark.ocean == "Pazifischer Ozean")
    #expect(mark.name == mark.ocean && mark.country == nil)
  }

  @Test(
    "seas and lakes say their names, in the reader's language",
    arguments: [
      (38.0, 12.0, "fr", "Mer Méditerranée"), (38, 132, "ko", "동해"), (38, 132, "ja", "日本海"),
      (25, -90, "en", "Gulf of Mexico"), (57, -179, "en", "Bering Sea"),
      (57, 179, "en", "Bering Sea"),
      (30, -40, "en", "Atlantic Ocean"),
    ])
  func sea(y: Double, x: Double, locale: String, name: String) throws {
    let mark = try reverse(y, x, locale)
    #expect(mark.ocean == name && mark.name == name && mark.inlandWater == nil)
  }

  @Test(
    "a lake is told where its shore's towns are not",
    arguments: [
      (53.5, 108.2, "ko", "바이칼호", "RU"), (47.6, -87.5, "en", "Lake Superior", "US"),
      (43.5, -87.2, "de", "Michigansee", "US"), (44.9, -82.3, "en", "Lake Huron", "CA"),
      (-1, 33, "en", "Lake Victoria", "UG"),
    ])
  func lake(y: Double, x: Double, locale: String, name: String, country: String) throws {
    let mark = try reverse(y, x, locale)
    #expect(mark.inlandWater == name && mark.name == name && mark.isoCountryCode == country)
    for level in [mark.country, mark.administrativeArea, mark.locality] {
      #expect(level?.isEmpty == false)
    }
    #expect(try reverse(41.88, -87.63, "en").locality == "Chicago")
    #expect(try reverse(42, 51, "en").inlandWater == "Caspian Sea")
  }

  @Test(
    "countries and provinces answer by their names in many languages",
    arguments: [
      ("Monaco", "MC"), ("France", "FR"), ("한국", "KR"), ("대한민국", "KR"), ("UK", "GB"), ("USA", "US"),
      ("Deutschland", "DE"), ("Bayern", "DE"), ("Georgia", "GE"), ("ドイツ", "DE"), ("法国", "FR"),
      ("Россия", "RU"), ("Singapore", "SG"), ("California", "US"), ("New York", "US"),
    ])
  func regions(text: String, country: String) throws {
    let mark = try #require(try atlas.geocode(GeocodeRequest(text)).first)
    #expect(mark.isoCountryCode == country, "\(mark.formattedAddress ?? "")")
    let id = try #require(mark.id)
    #expect(try atlas.search(SearchRequest(.id(id))).first?.coordinate == mark.coordinate)
  }

  @Test("a city comes before the province that is called as it is")
  func city() throws {
    for name in ["New York", "Berlin", "Hamburg", "Singapore"] {
      #expect(try atlas.geocode(GeocodeRequest(name)).first?.category == "city", "\(name)")
    }
    #expect(try reverse(37.56, 126.98, "en").country == "South Korea")
  }

  @Test(
    "a postcode is a place, alone or beside its town",
    arguments: [
      ("90210", "en-US", "US", "90210"), ("75001", "fr-FR", "FR", "75001"),
      ("75001 Paris", "en-US", "FR", "75001"), ("10115 Berlin", "de-DE", "DE", "10115"),
      ("100-0001", "ja-JP", "JP", "100-0001"), ("SW1A 1AA", "en-GB", "GB", "SW1A 1AA"),
      ("98000 Monaco", "fr", "MC", "98000"),
    ])
  func postcode(text: String, locale: String, country: String, code: String) throws {
    var request = GeocodeRequest(text)
    request.locale = locale
    let mark = try #require(try atlas.geocode(request).first)
    #expect(mark.isoCountryCode == country && mark.postalCode == code, "\(mark)")
    #expect(mark.locality != nil && mark.formattedAddress?.contains(code) == true)
    var typed = CompletionRequest(text)
    typed.locale = locale
    let line = try #require(try atlas.complete(typed).first)
    #expect(line.title == code)
    #expect(
      try atlas.search(SearchRequest(.id(line.id))).first?.coordinate == mark.coordinate)
  }

  @Test(
    "a text that says a place by itself is that place, with its names",
    arguments: [
      "37.5663528, 126.9779564", "37°33'58.87\"N 126°58'40.63\"E", "geo:37.5663528,126.9779564",
      "8Q98HX8H+G5", "HX8H+G5 Seoul",
    ])
  func said(text: String) throws {
    var request = GeocodeRequest(text)
    request.locale = "ko"
    let mark = try #require(try atlas.geocode(request).first)
    #expect(mark.country == "대한민국" && mark.administrativeArea == "서울특별시")
    #expect((mark.coordinate.latitude - 37.56635).magnitude < 0.0002, "\(mark.coordinate)")
    #expect((mark.coordinate.longitude - 126.97796).magnitude < 0.0002, "\(mark.coordinate)")
    #expect(try atlas.search(SearchRequest(.text(text))).first?.coordinate == mark.coordinate)
    let line = try #require(try atlas.complete(CompletionRequest(text)).first)
    #expect(line.title == text && !line.subtitle.isEmpty)
    let again = try #require(try atlas.search(SearchRequest(.id(line.id))).first?.coordinate)
    // An id has seven decimals, which are a centimetre.
    #expect((again.latitude - mark.coordinate.latitude).magnitude < 1e-7)
    #expect((again.longitude - mark.coordinate.longitude).magnitude < 1e-7)
  }

  @Test(
    "a text finds its place",
    arguments: [
      ("Paris, Texas", "US"), ("texas paris", "US"), ("Paris", "FR"), ("서울", "KR"),
      ("대한민국 서울특별시 중구 명동", "KR"), ("서울 중구", "KR"), ("강남구 역삼동", "KR"), ("münchen", "DE"),
    ])
  func geocodes(text: String, country: String) throws {
    let mark = try #require(try atlas.geocode(GeocodeRequest(text)).first)
    #expect(mark.isoCountryCode == country, "\(mark.formattedAddress ?? "")")
  }

  @Test(
    "what is typed is completed, with one wrong letter too",
    arguments: [
      ("서우", "서울특별시"), ("Munc", "Munich"), ("Honolul", "Honolulu"), ("Amsterdsm", "Amsterdam"),
      ("Lodnon", "London"), ("Berkin", "Berlin"), ("Frnace", "France"), ("Germny", "Germany"),
      ("Texsa", "Texas"), ("Caifornia", "California"), ("Sa Diego", "San Diego"),
    ])
  func completes(text: String, title: String) throws {
    var request = CompletionRequest(text)
    if text != "서우" { request.locale = "en" }
    #expect(try atlas.complete(request).contains { $0.title == title })
  }

  @Test("a landmark has its number in Wikidata, and is found by that")
  func wikidata() throws {
    for text in ["Statue of Liberty", "Q9202"] {
      let mark = try #require(try atlas.geocode(GeocodeRequest(text)).first)
      #expect(mark.name == "Statue of Liberty" && mark.osmFurther == ["wikidata": "Q9202"])
    }
  }

  @Test("hostile texts find nothing or something, without error or wait")
  func hostile() throws {
    let parts = [
      "\"", "*", "(", ")", "NEAR", "AND", "OR", "name:", "^", "-", "\u{202E}", "\u{FFFD}", "\u{0}",
      "𐐷", "١٢", "१", "서", "ㅄ", "a", "Ω", "ﷺ", "🏙", "\u{300}", "กำ", " ", "'", ";--", "𝟙",
    ]
    var random = UInt64(7)
    for _ in 0..<500 {
      var text = ""
      for _ in 0..<(Int(random >> 60) + 1) {
        random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        text += parts[Int(random >> 33) % parts.count]
      }
      // Of this thread: other work on the machine is not counted.
      let start = Self.cpuTime
      _ = try atlas.complete(CompletionRequest(text))
      #expect(Self.cpuTime - start < .milliseconds(500), "\(text)")
    }
  }

  @Test("without data the answer says so, and a broken file is told of")
  func noData() throws {
    #expect(throws: Refusal.self) {
      try Atlas(folders: ["/nowhere"]).complete(CompletionRequest("a"))
    }
    let folder = FileManager.default.temporaryDirectory.appending(path: "world-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data("no database".utf8).write(to: folder.appending(path: "world.sqlite"))
    let atlas = Atlas(folders: [folder.path])
    #expect(atlas.dataSets.first?.trouble != nil)
  }
}
