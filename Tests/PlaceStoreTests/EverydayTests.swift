import Foundation
import Geodesy
import LocationModel
import PlaceCore
import PlaceStore
import Platform
import Testing

/// Questions of people about the world that `make places` made.
@Suite("Everyday questions") struct EverydayTests {
  private static let tree = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
  let atlas = Atlas(folders: [WorldTests.folder])

  @Test("at least 97 of a hundred everyday questions are answered right")
  func questions() throws {
    let questions = try PlaceQuestion.all(
      Self.tree.appending(path: "Tests/Benchmarks/questions").path)
    #expect(questions.count >= 300)
    let faults = questions.compactMap { question in
      question.fault(atlas).map { "\(question.group) \(question.text): \($0)" }
    }
    #expect(faults.count * 100 <= questions.count * 3, "\(faults.joined(separator: "\n"))")
  }

  /// Places at sea, and borders that are drawn otherwise.
  private static let undrawn: Set = ["sea", "river", "area", "mountains", "desert"]

  @Test("each of the best-known places lies in a country that its line says, or within 15 km of it")
  func landmarks() throws {
    var count = 0
    for line in try Self.table() where !line.hasPrefix("#") {
      let fields = line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
      #expect(fields.count == 12, "\(line)")
      let numbers = fields[2].split(separator: ",").compactMap { Double($0) }
      guard fields.count == 12, !Self.undrawn.contains(fields[0]), numbers.count == 2 else {
        continue
      }
      count += 1
      let countries = Set(fields[1].split(separator: " ").map(String.init))
      let place = Coordinate(latitude: numbers[0], longitude: numbers[1])
      #expect(
        try Self.around(place).contains { place in
          let code = try atlas.reverse(ReverseRequest(place))[0].isoCountryCode
          return code.map { countries.contains($0) } == true
        }, "\(line)")
    }
    #expect(count >= 350)
  }

  @Test("each of the best-known places names a source that the table's head explains")
  func sources() throws {
    let lines = try Self.table()
    let words = lines.filter { $0.hasPrefix("# = ") }
      .compactMap { $0.dropFirst(4).split(separator: ":").first }
    for line in lines where !line.hasPrefix("#") {
      let source = line.split(separator: "|", omittingEmptySubsequences: false).last ?? ""
      let word = source.split(separator: " ").first ?? ""
      #expect(words.contains(word), "\(line)")
    }
  }

  /// The lines of the best-known places.
  private static func table() throws -> [Substring] {
    let path = tree.appending(path: "config/places/landmarks").path
    return String(decoding: try File.bytes(of: path, atMost: 1 << 20), as: UTF8.self)
      .split(separator: "\n")
  }

  /// A place, and four some 15 km around it.
  private static func around(_ place: Coordinate) -> [Coordinate] {
    [(0.0, 0.0), (0.13, 0), (-0.13, 0), (0, 0.15), (0, -0.15)].map {
      Coordinate(latitude: place.latitude + $0.0, longitude: place.longitude + $0.1)
    }
  }

  private func geocode(_ text: String, _ locale: String) throws -> Placemark {
    var request = GeocodeRequest(text)
    request.locale = locale
    return try #require(try atlas.geocode(request).first)
  }

  @Test("what is being typed finds what begins so, the best known first")
  func typed() throws {
    for (text, name) in [("berl", "Berlin"), ("Pari", "Paris"), ("San Fra", "San Francisco")] {
      var request = GeocodeRequest(text)
      request.locale = "en"
      request.isTyped = true
      #expect(try atlas.geocode(request).first?.name == name, "\(text)")
    }
  }

  @Test(
    "Britain's postcodes are known where they lie",
    arguments: [
      ("SW1A 1AA", 51.5010, -0.1416, 100.0), ("EH99 1SP", 55.9520, -3.1746, 100),
      ("CF10 3NP", 51.4857, -3.1770, 150), ("SW1A", 51.503, -0.131, 1500),
    ])
  func british(code: String, latitude: Double, longitude: Double, metres: Double) throws {
    let mark = try geocode(code, "en")
    let place = Coordinate(latitude: latitude, longitude: longitude)
    #expect(mark.coordinate.distance(to: place) < metres, "\(mark)")
    #expect(mark.precision == .postcode && (mark.radius ?? .infinity) < 3000)
  }

  @Test(
    "postcodes of Paris and Berlin are known by their districts",
    arguments: [
      ("75016", "fr", 48.862, 2.27), ("75003 Paris", "fr", 48.863, 2.361),
      ("10115", "de", 52.532, 13.384), ("12043 Berlin", "de", 52.481, 13.437),
      ("10967 Berlin", "de", 52.491, 13.413),
    ])
  func districts(code: String, locale: String, latitude: Double, longitude: Double) throws {
    let mark = try geocode(code, locale)
    let place = Coordinate(latitude: latitude, longitude: longitude)
    let radius = mark.radius ?? .infinity
    #expect(mark.coordinate.distance(to: place) <= radius && radius < 6000, "\(mark)")
  }

  @Test("an address whose street is not known gives its town, and says so")
  func partial() throws {
    let mark = try geocode("Marienplatz 1, München", "de")
    #expect(mark.name == "München" && mark.precision == .town && mark.isPartial)
    #expect(try geocode("München", "de").isPartial == false)
  }

  @Test(
    "a town that lies elsewhere than what stands behind it is another one",
    arguments: [
      "Marienplatz 1, Paris, Germany", "5 rue Inconnue, Lyon, Espagne", "Maple Street",
      "1 Nowhere Road, 80331 Paris, Germany", "80331, Paris, Germany",
    ])
  func contradiction(text: String) throws {
    #expect(throws: Refusal.self) { try geocode(text, "en") }
  }

  @Test("a house's number is no postcode of another town")
  func numbers() throws {
    for text in ["123 Main St", "1234 Main St", "Elm St 2510", "123 Main", "테헤란로 152"] {
      #expect(throws: Refusal.self, "\(text)") { try geocode(text, "en") }
    }
    let mark = try geocode("서울 테헤란로 152", "en")
    #expect(mark.name == "Seoul" && mark.isPartial)
    #expect(try geocode("서울 152", "ko").isPartial)
    for (text, code) in [
      ("10 Downing St, SW1A 2AA", "SW1A 2AA"), ("〒100-0005 東京都千代田区丸の内1-9-1", "100-0005"),
    ] {
      #expect(try geocode(text, "en").postalCode == code)
    }
  }

  @Test(
    "a town or a province with its country is that one, and not one that has its name in its own",
    arguments: [
      ("San Marino, San Marino", "SM", "San Marino"), ("Gibraltar, Gibraltar", "GI", "Gibraltar"),
      ("Punjab, India", "IN", "Punjab"), ("Naples, FL", "US", "Naples"),
      ("Palm Beach, FL", "US", "Palm Beach"), ("Wells, UK", "GB", "Wells"),
      ("Victoria, Australia", "AU", "Victoria"), ("Luxembourg, Luxembourg", "LU", "Luxembourg"),
      ("Atlanta, Georgia", "US", "Atlanta"),
    ])
  func within(text: String, country: String, name: String) throws {
    let mark = try geocode(text, "en")
    #expect(mark.isoCountryCode == country && mark.name == name, "\(mark)")
  }

  @Test(
    "a territory is found with its country behind it",
    arguments: [
      ("Hong Kong, China", "HK"), ("Macau, China", "MO"), ("Puerto Rico, USA", "PR"),
      ("Guadeloupe, France", "GP"), ("Guam, USA", "GU"), ("Greenland, Denmark", "GL"),
      ("Bermuda, UK", "BM"), ("Aruba, Netherlands", "AW"), ("San Juan, USA", "PR"),
    ])
  func territory(text: String, country: String) throws {
    #expect(try geocode(text, "en").isoCountryCode == country)
  }

  @Test(
    "a postcode is found with its town in the town's own language, whatever the reader's is",
    arguments: [
      ("1010 Wien", "1010"), ("00100 Roma", "00100"), ("50667 Köln", "50667"),
      ("20121 Milano", "20121"), ("2100 København", "2100"), ("100-0001 東京", "100-0001"),
    ])
  func ownLanguage(text: String, code: String) throws {
    #expect(try geocode(text, "en").postalCode == code)
  }

  @Test("a text of hundreds of parts is answered before its time is over")
  func manyParts() {
    let limit = WorkLimit()
    let atlas = Atlas(folders: [WorldTests.folder], limit: limit)
    let letters = "abcdefghijklmnopqrstuvwxyz"
    let parts = letters.flatMap { a in letters.map { b in "\(a)\(b)" } }
    limit.begin(.seconds(10))
    defer { limit.finish() }
    do throws(Refusal) {
      _ = try atlas.geocode(GeocodeRequest(parts.prefix(330).joined(separator: ",")))
    } catch {
      #expect(error.code == .geocodeFoundNoResult, "\(error)")
    }
  }

  @Test("a town is found with all that it lies in behind it, in any language")
  func behind() throws {
    for (text, latitude, isPartial) in [
      ("Moscow, Idaho, US", 46.73, false), ("1 Unknown Road, Portland, Oregon, USA", 45.52, true),
      ("10 Downing Street, London, Canada", 42.98, true), ("Rue X 1, Köln, Allemagne", 50.94, true),
      ("Marienplatz 1, Altstadt, München, Oberbayern, Bayern, 80331, Deutschland", 48.14, true),
    ] {
      let mark = try geocode(text, "en")
      #expect((mark.coordinate.latitude - latitude).magnitude < 0.2, "\(text): \(mark)")
      #expect(mark.isPartial == isPartial, "\(text): \(mark)")
    }
  }

  @Test(
    "a Korean station or office is told by its district, and as a part of what was asked for",
    arguments: [
      ("역삼역", "역삼동"), ("서초구청", "서초구"), ("강남구청역", "강남구"), ("서울 중구청", "중구"),
      ("수원시청", "수원"), ("양평군청", "양평"), ("경남도청", "경상남도"),
    ])
  func korean(text: String, district: String) throws {
    let mark = try geocode(text, "ko")
    #expect(mark.isPartial && mark.formattedAddress?.contains(district) == true, "\(mark)")
    #expect(try atlas.search(SearchRequest(.text(text))).first?.isPartial == true)
  }

  @Test(
    "of a city that is all of its country or province, towns within are parts",
    arguments: [
      (52.4986, 13.4034, "Berlin", "Kreuzberg"), (43.7405, 7.4265, "Monaco", "Monte-Carlo"),
      (48.2, 16.35, "Wien", "Neubau"),
    ])
  func parts(latitude: Double, longitude: Double, city: String, part: String) throws {
    var request = ReverseRequest(Coordinate(latitude: latitude, longitude: longitude))
    request.locale = "de"
    let mark = try atlas.reverse(request)[0]
    #expect(mark.locality == city && mark.subLocality == part, "\(mark)")
  }

  @Test("a name that no answer shows stands beside it")
  func hiddenName() throws {
    let mark = try geocode("Munbai", "en")
    #expect(mark.name == "Mumbai" && mark.matchedName == "Munbai")
    #expect(try geocode("Mumbai", "en").matchedName == nil)
  }

  @Test("a kind of place is not a code of an airport")
  func kind() throws {
    #expect(throws: Refusal.self) { try geocode("ATM", "en") }
    #expect(try geocode("Essen", "de").locality == "Essen")
  }

  @Test("a Korean district answers an English asker in Latin letters")
  func district() throws {
    let mark = try geocode("Gangnam", "en")
    #expect(mark.name == "Gangnam-gu" && mark.country == "South Korea")
    #expect(try geocode("강남구", "ko").locality == "강남구")
  }

  @Test(
    "a letter that is wrong, or a space, is forgiven",
    arguments: [
      ("Lodnon", "London"), ("Copenhagn", "Copenhagen"), ("stpetersburg", "Saint Petersburg"),
      ("Buenos Air es", "Buenos Aires"), ("Rio de Janiero", "Rio de Janeiro"),
    ])
  func misspelt(text: String, name: String) throws {
    #expect(Folding.fold(try geocode(text, "en").name ?? "") == Folding.fold(name))
  }

  @Test("a code beside a name is looked for in countries that have the name")
  func codes() throws {
    var request = GeocodeRequest("00771 Puerto Rico")
    request.locale = "en"
    #expect(try atlas.geocode(request).map(\.id) == ["postcodes:PR:00771"])
  }

  @Test("military mail's codes come last")
  func military() throws {
    var request = GeocodeRequest("09012")
    request.locale = "en-GB"
    #expect(try atlas.geocode(request).first?.isoCountryCode != "US")
  }
}
