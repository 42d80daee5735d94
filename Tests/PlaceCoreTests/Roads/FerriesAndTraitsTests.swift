import Testing

@testable import PlaceCore

@Suite("Ferries, and what roads are avoided for") struct FerriesAndTraitsTests {
  @Test(
    "a ferry takes as long as its tag says",
    arguments: [
      ("00:30", 20), ("30", 20), ("0:15:00", 40), ("PT30M", 20), ("PT2H", 5), ("P1D", 0.4),
      // These say nothing.
      ("soon", 5), ("1:2:3:4", 5), ("PT", 5), ("-5", 5), ("99999999999999999999999", 5),
    ] as [(String, Double)])
  func durations(text: String, speed: Double) {
    let ferry = DrawnRoad("route=ferry", "duration=\(text)", metres: 10_000)
    for mode in RoadMode.allCases { #expect(ferry.speeds(mode) == [speed, speed]) }
    #expect(ferry.traits == .ferry)
  }

  @Test("a duration counts for ships, shuttle trains and bridges that move")
  func timed() {
    let train = DrawnRoad("route=shuttle_train")
    #expect(train.speeds(.car) == [10, 10] && train.traits == .ferry)
    #expect(
      DrawnRoad("highway=primary", "duration=00:01", metres: 1000).speeds(.car) == [65, 65])
    let bridge = DrawnRoad("highway=primary", "bridge=movable", "duration=00:06", metres: 1000)
    #expect(bridge.speeds(.car) == [10, 10] && bridge.traits == [])
    #expect(RoadProfile.isTimed(WayTags(drawing: ["route=ferry", "duration=1"])))
    #expect(!RoadProfile.isTimed(WayTags(drawing: ["highway=primary", "duration=1"])))
  }

  @Test("a ferry opens no direction that another tag shuts, and none of no length is free")
  func shut() {
    #expect(DrawnRoad("route=ferry", "oneway=yes").speeds(.car) == [5, 0])
    #expect(DrawnRoad("route=ferry", "motor_vehicle=no").speeds(.car) == [0, 0])
    #expect(DrawnRoad("route=ferry", "foot=no").speeds(.foot) == [0, 0])
    let short = DrawnRoad("route=ferry", "duration=10", metres: 0)
    #expect(short.kind?.times.allSatisfy { $0 > 0 } == true)
    #expect(DrawnRoad("route=bus").kind == nil)
  }

  @Test(
    "tags make traits",
    arguments: [
      (["highway=primary", "toll=yes"], .toll), (["highway=primary", "toll:forward=yes"], .toll),
      (["highway=primary", "toll=no"], []), (["highway=motorway"], .motorway),
      (["highway=motorway_link"], [.motorway, .ramp]), (["highway=trunk_link"], .ramp),
      (["highway=primary", "junction=roundabout"], .roundabout),
      (["highway=primary", "junction=circular"], .roundabout), (["highway=steps"], .stairs),
      (["highway=primary", "tunnel=yes"], .tunnel), (["highway=primary", "tunnel=no"], []),
      (["highway=primary", "surface=gravel"], .unpaved),
      (["highway=primary", "surface=asphalt"], []), (["highway=track"], .unpaved),
      (["highway=track", "surface=paved"], []), (["highway=track", "tracktype=grade1"], []),
      (["highway=service", "tracktype=grade2"], .unpaved),
      (["highway=primary", "driving_side=left"], .leftHand),
    ] as [([String], RoadTraits)])
  func traits(tags: [String], traits: RoadTraits) {
    let pushed: RoadTraits = [.pushedAhead, .pushedBack]
    let kind = RoadProfile.kind(of: WayTags(drawing: tags), metres: 100, isLeftHand: false)
    #expect(kind?.traits.subtracting(pushed) == traits)
  }

  @Test(
    "traffic keeps to the side of the land",
    arguments: [
      (51.5, -0.1, true), (53.3, -6.3, true), (50.95, 1.86, false), (51.13, 1.31, true),
      (43.7, 7.4, false), (35.7, 139.7, true), (37.5, 127, false), (22.3, 114.2, true),
      (28.6, 77.2, true), (13.75, 100.5, true), (21, 105.8, false), (-33.9, 151.2, true),
      (-1.3, 36.8, true), (-4.3, 15.3, false), (18, -76.8, true), (19.4, -70.7, false),
      (40.7, -74, false), (35.9, 14.4, true), (6.8, -58.2, true), (90, 0, false),
    ] as [(Double, Double, Bool)])
  func sides(latitude: Double, longitude: Double, isLeft: Bool) {
    #expect(DrivingSide.isLeft(latitude: latitude, longitude: longitude) == isLeft)
  }

  @Test("a tag about the side counts before the land")
  func side() {
    #expect(DrawnRoad("highway=primary", isLeftHand: true).traits == .leftHand)
    #expect(DrawnRoad("highway=primary", "driving_side=right", isLeftHand: true).traits == [])
  }

  @Test("a road without a name has its numbers; a path beside a street has the street's name")
  func names() {
    func name(_ tags: String...) -> String? { RoadProfile.name(WayTags(drawing: tags)) }
    #expect(name("name=Main Street", "ref=A 1") == "Main Street")
    #expect(name("ref=A 1;B 2; C3 ") == "A 1, B 2, C3")
    #expect(name("highway=footway", "footway=sidewalk", "street:name=Rue A") == "Rue A")
    #expect(name("highway=cycleway", "is_sidepath:of:name=Rue B", "is_sidepath=yes") == "Rue B")
    #expect(name("highway=footway", "street:name=Rue A") == nil)
    #expect(name("highway=primary") == nil)
  }
}
