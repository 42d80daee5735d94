import Geodesy
import LocationModel
import Testing

@testable import TrackCore

@Suite("The middle of a region") struct RegionMiddleTests {
  private static func ring(_ corners: [(Double, Double)]) -> [Coordinate] {
    corners.map { Coordinate(latitude: $0.0, longitude: $0.1) }
  }

  @Test("a horseshoe's lies in one of its arms, not between them")
  func horseshoe() throws {
    let region = Region(
      identifier: "u",
      .polygon(
        Self.ring([
          (45, 7), (45, 7.3), (45.9, 7.3), (45.9, 7.2), (45.01, 7.2), (45.01, 7.1), (45.9, 7.1),
          (45.9, 7),
        ]), holes: []))
    let (place, reach) = try #require(region.middle)
    #expect((7.0...7.1).contains(place.longitude) || (7.2...7.3).contains(place.longitude))
    #expect((45...45.9).contains(place.latitude) && reach > 40_000 && reach < 120_000)
  }

  @Test("it is in no hole")
  func hole() throws {
    let region = Region(
      identifier: "o",
      .polygon(
        Self.ring([(45, 7), (45, 8), (46, 8), (46, 7)]),
        holes: [Self.ring([(45.01, 7.1), (45.01, 7.9), (45.99, 7.9), (45.99, 7.1)])]))
    let place = try #require(region.middle).0
    #expect(!((45.01...45.99).contains(place.latitude) && (7.1...7.9).contains(place.longitude)))
    #expect((45...46).contains(place.latitude) && (7...8).contains(place.longitude))
  }

  @Test("the date line is nothing special")
  func dateLine() throws {
    let region = Region(
      identifier: "taveuni",
      .polygon(
        Self.ring([(-17, 179.8), (-17, -179.9), (-16.7, -179.9), (-16.7, 179.8)]), holes: []))
    let (place, reach) = try #require(region.middle)
    #expect(abs(place.longitude - 179.95) < 1e-6 && reach < 40_000)
  }

  @Test("beacons have none, and no zone hides them")
  func beacons() throws {
    let region = Region(
      identifier: "shop", .beacon(BeaconConstraint(BeaconUUID(0xE2C5, 7), major: 1)))
    #expect(region.middle == nil)
    let zone = Zone(name: "home", Coordinate(latitude: 45, longitude: 7), radius: 300)
    #expect(!Zones([zone]).hide(region))
  }
}
