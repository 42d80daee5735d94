import Geodesy
import LocationModel
import PlaceCore
import Testing

@Suite("Grids and other scripts") struct NotationTests {
  @Test(
    "a place of UTM, MGRS or Maidenhead is found",
    arguments: [
      ("32U 691000 5334000", 48.131, 11.567), ("18T 585628E 4511322N", 40.748, -73.986),
      ("52S 322000 4158000", 37.552, 126.985), ("56H 334900 6252300", -33.857, 151.215),
      ("4QFJ1234567890", 21.4097, -157.916), ("4Q FJ 12345 67890", 21.4097, -157.916),
      ("JN58td", 48.146, 11.625), ("JO62QM", 52.521, 13.375), ("JO62QM55", 52.523, 13.379),
    ])
  func grids(text: String, latitude: Double, longitude: Double) throws {
    let place = try #require(PlaceText.coordinate(in: text))
    #expect(abs(place.latitude - latitude) < 0.02 && abs(place.longitude - longitude) < 0.02)
  }

  /// The Ordnance Survey's own example of its transformation.
  @Test("a place of Britain's national grid is known to five metres")
  func british() {
    let place = Coordinate(britishEasting: 651_409.804, northing: 313_177.450)
    let right = Coordinate(
      latitude: 52 + 39.0 / 60 + 28.8282 / 3600, longitude: 1 + 42.0 / 60 + 57.8663 / 3600)
    #expect(place.distance(to: right) < 5)
  }

  @Test(
    "other texts are no grid",
    arguments: ["AB12CD", "SE16AB", "M1 1AE", "Berlin", "12345", "32U", "61U 691000 5334000"])
  func others(text: String) {
    #expect(GridText(text) == nil)
  }

  @Test(
    "a district's name is written by the Revised Romanization",
    arguments: [
      ("강남구", "Gangnam-gu"), ("종로구", "Jongno-gu"), ("역삼동", "Yeoksam-dong"), ("왕십리", "Wangsip-ri"),
      ("중구", "Jung-gu"), ("명동1가", "Myeongdong 1-ga"), ("압구정동", "Apgujeong-dong"),
      ("제주시", "Jeju-si"), ("신림동", "Sillim-dong"), ("독립문", "Dongnimmun"),
    ])
  func romanization(name: String, latin: String) {
    #expect(Romanization.name(of: name) == latin)
  }

  @Test(
    "a Japanese name by its sound is the data's",
    arguments: [
      ("とうきょう", "tokyo"), ("おおさか", "osaka"), ("きょうと", "kyoto"), ("ほっかいどう", "hokkaido"),
      ("トウキョウ", "tokyo"), ("ひろしま", "hiroshima"), ("しんじゅく", "shinjuku"),
    ])
  func sound(text: String, latin: String) {
    #expect(NameSearch.text(bySound: text) == latin)
  }
}
