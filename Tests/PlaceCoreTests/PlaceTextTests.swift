import LocationModel
import TestSupport
import Testing

@testable import PlaceCore

@Suite("Places in numbers") struct PlaceTextTests {
  private func expect(
    _ text: String, _ latitude: Double, _ longitude: Double, within: Double = 1e-6
  ) {
    guard let place = PlaceText.coordinate(in: text) else {
      Issue.record("\(text) is no place")
      return
    }
    #expect((place.latitude - latitude).magnitude < within, "\(text): \(place)")
    #expect((place.longitude - longitude).magnitude < within, "\(text): \(place)")
  }

  @Test(
    "degrees are read in each way that people write them",
    arguments: [
      "37.566353, 126.977953", "37.566353,126.977953", "37.566353 126.977953",
      "37.566353N 126.977953E", "N37.566353 E126.977953", "126.977953E, 37.566353N",
      "N 37° 33.98118' E 126° 58.67718'", "37°33'58.8708\"N 126°58'40.6308\"E",
      "37° 33′ 58.8708″ N, 126° 58′ 40.6308″ E", "37 33 58.8708 N 126 58 40.6308 E",
      "37°33'58.8708''N 126°58'40.6308''E",
      "북위 37.566353 동경 126.977953", "북위 37도 33분 58.8708초 동경 126도 58분 40.6308초",
      "北緯37.566353度 東経126.977953度", "37,566353 126,977953", "37,566353; 126,977953",
      "lat: 37.566353, lon: 126.977953", "(37.566353, 126.977953)", "３７.566353, 126.977953",
      "geo:37.566353,126.977953", "GEO:37.566353,126.977953,20;crs=wgs84;u=10",
      "geo:37.566353,126.977953?z=12",
    ])
  func degrees(text: String) { expect(text, 37.566353, 126.977953) }

  @Test("south and west are negative, in letters or by a sign")
  func signs() {
    expect("33.8688 S, 151.2093 E", -33.8688, 151.2093)
    expect("-33.8688, 151.2093", -33.8688, 151.2093)
    expect("−22.9068, −43.1729", -22.9068, -43.1729)
    expect("22°54'24\"S 43°10'22\"W", -22.906667, -43.172778)
    expect("geo:-90,35", -90, 0)
  }

  @Test(
    "what could be something else, or lies nowhere, is no place",
    arguments: [
      "", " ", "Paris", "12 34", "10115", "37.5", "37.5, 190", "91.0, 10.0", "126.978, 37.566",
      "37.5N 126.9", "37.5N 38.5N", "-37.5N 126.9E", "37°61'N 126°E", "37.5°30'N 126°E",
      "1 2 3 4", "37,566,126,978", "2026-11-24", "12-34", "5th Avenue 12.5, 13.5", "geo:",
      "geo:37.5", "geo:37.5,", "geo:1e3,2", "geo:37.5,126.9;crs=moon", "geo:37.5,190",
      "37.5; 126.9; 3", "NaN, inf", "N E", "° ' \"", "1.2.3.4", "99999999999999999999999999, 1",
    ])
  func none(text: String) { #expect(PlaceText.coordinate(in: text) == nil) }

  @Test("a Plus Code is the middle of its cell")
  func plusCodes() {
    expect("8FVC9G8F+6X", 47.3655625, 8.5249375)
    expect("8fvc9g8f+6x", 47.3655625, 8.5249375)
    expect("7FG49Q00+", 20.375, 2.775)
    expect("7FG49QCJ+2VX", 20.3701125, 2.782234375)
    for text in [
      "8FVC9G8F+6", "AFVC9G8F+6X", "8FVC9G+", "+", "8FVC9G8F6X", "8F+VC+2X", "X2222222+22",
      "8FV00000+", "8FVC0000+22",
    ] {
      #expect(PlaceText.coordinate(in: text) == nil, "\(text)")
    }
  }

  @Test("a short Plus Code counts from the place near it")
  func shortCodes() throws {
    let zurich = Coordinate(latitude: 47.4, longitude: 8.6)
    let near = try #require(PlaceText.coordinate(in: "9G8F+6X", near: zurich))
    #expect((near.latitude - 47.3655625).magnitude < 1e-9)
    #expect((near.longitude - 8.5249375).magnitude < 1e-9)
    #expect(PlaceText.coordinate(in: "9G8F+6X") == nil)
    let (code, place) = try #require(PlaceText.shortCode(in: "9G8F+6X, Zürich"))
    #expect(place == "Zürich" && code.isShort)
    #expect(PlaceText.shortCode(in: "8FVC9G8F+6X Zürich") == nil)
    #expect(PlaceText.shortCode(in: "9G8F+6X ") == nil)
    for latitude in [-90.0, 90] {
      let pole = try #require(
        PlaceText.coordinate(
          in: "9G8F+6X", near: Coordinate(latitude: latitude, longitude: 180)))
      #expect(pole.isValid)
    }
  }

  @Test("no text stops it")
  func hostile() {
    var random = Dice(seed: 2)
    let pieces = [
      "N", "°", "'", "\"", ",", ";", "+", "-", "1", "٣", "37.5", "geo:", "북위", "\u{202E}", "９", ".",
      " ", "8FVC", "+6X", "\0", "e", "\u{0301}", "½", "Ⅷ", "999",
    ]
    for _ in 0..<20_000 {
      let count = Int.random(in: 0...24, using: &random)
      let text = (0..<count).map { _ in pieces[Int.random(in: pieces.indices, using: &random)] }
        .joined()
      if let place = PlaceText.coordinate(in: text, near: Coordinate(latitude: 1, longitude: 2)) {
        #expect(place.isValid, "\(text)")
      }
      _ = PlaceText.shortCode(in: text)
    }
    #expect(PlaceText.coordinate(in: String(repeating: "1", count: 100_000)) == nil)
  }
}
