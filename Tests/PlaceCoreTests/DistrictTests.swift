import LocationModel
import Testing

@testable import PlaceCore

@Suite("Districts") struct DistrictTests {
  @Test("a border's level says what it surrounds, as Nominatim ranks it")
  func levels() {
    let kinds = (1...12).map(DistrictKind.init(level:))
    #expect(kinds[0] == nil && kinds[1...7].allSatisfy { $0 == .town })
    #expect(kinds[8...] == [.borough, .suburb, .neighbourhood, nil])
  }

  @Test("an address names one of the districts that hold the place")
  func choice() {
    let named: [(String, [DistrictChoice], Int?)] = [
      ("none", [], nil),
      ("a town is no district", [.area(.town, size: 1), .point(.town, metres: 1)], nil),
      (
        "the suburb before what is in it and around it",
        [
          .area(.neighbourhood, size: 1), .area(.borough, size: 9), .area(.suburb, size: 5),
          .area(.quarter, size: 2),
        ], 2
      ),
      ("the smallest of two", [.area(.suburb, size: 5), .area(.suburb, size: 4)], 1),
      (
        "an area before a point that is nearer",
        [.point(.suburb, metres: 10), .area(.neighbourhood, size: 5)], 1
      ),
      (
        "the nearest point", [.point(.suburb, metres: 900), .point(.suburb, metres: 800)], 1
      ),
      ("a point before a borough", [.area(.borough, size: 5), .point(.quarter, metres: 700)], 1),
      ("a borough where nothing else is", [.area(.borough, size: 5), .area(.town, size: 1)], 0),
      (
        "no point that is far",
        [
          .point(.suburb, metres: 1600), .point(.neighbourhood, metres: 800),
          .point(.borough, metres: 1),
        ], nil
      ),
    ]
    for (name, choices, index) in named {
      #expect(DistrictChoice.best(of: choices) == index, "\(name)")
    }
  }

  @Test("an extract's district comes before the world's, but for Korea's, which have borders there")
  func joined() {
    func district(_ own: String?, _ around: String?, _ country: String) -> String? {
      var (mark, world) = (
        Placemark(Coordinate(latitude: 1, longitude: 1)),
        Placemark(Coordinate(latitude: 1, longitude: 1))
      )
      mark.subLocality = own
      (world.subLocality, world.isoCountryCode) = (around, country)
      return mark.joined(with: world).subLocality
    }
    #expect(district("La Condamine", "Monte-Carlo", "MC") == "La Condamine")
    #expect(district(nil, "Monte-Carlo", "MC") == "Monte-Carlo")
    #expect(district("역삼1동", "역삼동, 강남구", "KR") == "역삼동, 강남구")
    #expect(district("역삼1동", nil, "KR") == "역삼1동")
  }
}
