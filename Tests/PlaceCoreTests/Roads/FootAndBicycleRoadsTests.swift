import Testing

@testable import PlaceCore

@Suite("Roads for feet and bicycles") struct FootAndBicycleRoadsTests {
  @Test(
    "people walk where no cars race",
    arguments: [
      ("highway=footway", 5), ("highway=steps", 5), ("highway=path", 5), ("highway=primary", 5),
      ("highway=track", 5), ("railway=platform", 5), ("man_made=pier", 5), ("highway=trunk", 0),
      ("highway=motorway", 0), ("highway=cycleway", 0), ("highway=construction", 0),
    ] as [(String, Double)])
  func feet(tag: String, speed: Double) {
    #expect(DrawnRoad(tag).speeds(.foot) == [speed, speed])
  }

  @Test("words about feet count before others, and oneways are for vehicles")
  func footAccess() {
    func speeds(_ tags: String...) -> [Double] {
      let kind = RoadProfile.kind(
        of: WayTags(drawing: ["highway=residential"] + tags), metres: 9, isLeftHand: false)
      return kind?.times[2...3].map { $0 == 0 ? 0 : 360_000 / Double($0) } ?? [0, 0]
    }
    #expect(speeds("access=no") == [0, 0])
    #expect(speeds("access=no", "foot=yes") == [5, 5])
    #expect(speeds("foot=private") == [0, 0])
    #expect(speeds("foot:forward=no") == [0, 5])
    #expect(speeds("motorroad=yes") == [0, 0])
    #expect(speeds("oneway=yes") == [5, 5])
    #expect(speeds("oneway:foot=yes") == [5, 0])
    #expect(speeds("junction=roundabout") == [5, 5])
    #expect(speeds("construction=yes") == [5, 5])
    // A walk beside the road is a road of its own.
    #expect(speeds("sidewalk=separate") == [0, 0])
    #expect(speeds("sidewalk:left=separate", "foot=yes") == [5, 5])
    #expect(DrawnRoad("highway=cycleway", "foot=yes").speeds(.foot) == [5, 5])
  }

  @Test("sand and gravel are slow, and an escalator goes one way")
  func footGround() {
    #expect(DrawnRoad("highway=path", "surface=sand").speeds(.foot) == [2.5, 2.5])
    #expect(DrawnRoad("highway=path", "surface=gravel").speeds(.foot) == [3.8, 3.8])
    #expect(DrawnRoad("highway=steps", "conveying=forward").speeds(.foot) == [5, 0])
    #expect(DrawnRoad("highway=steps", "conveying=backward").speeds(.foot) == [0, 5])
    #expect(DrawnRoad("highway=steps", "conveying=reversible").speeds(.foot) == [5, 5])
    #expect(DrawnRoad("highway=path", "conveying=forward").speeds(.foot) == [5, 5])
  }

  @Test(
    "people cycle on roads and tracks, and push along footways and stairs",
    arguments: [
      ("cycleway", 15, false), ("residential", 15, false), ("path", 13, false),
      ("track", 12, false), ("footway", 4, true), ("pedestrian", 4, true), ("steps", 2, true),
      ("motorway", 0, false), ("trunk", 0, false),
    ] as [(String, Double, Bool)])
  func bicycles(highway: String, speed: Double, isPushed: Bool) {
    let road = DrawnRoad("highway=\(highway)")
    #expect(road.speeds(.bicycle) == [speed, speed])
    let pushed: RoadTraits = [.pushedAhead, .pushedBack]
    #expect(road.traits.intersection(pushed) == (isPushed ? pushed : []))
  }

  @Test("against a oneway a bicycle is pushed, but not on a roundabout or where nobody walks")
  func pushing() {
    let road = DrawnRoad("highway=residential", "oneway=yes")
    #expect(road.speeds(.bicycle) == [15, 4] && road.traits == .pushedBack)
    #expect(DrawnRoad("highway=residential", "oneway=-1").speeds(.bicycle) == [4, 15])
    #expect(DrawnRoad("highway=primary", "junction=roundabout").speeds(.bicycle) == [15, 0])
    #expect(DrawnRoad("highway=primary", "oneway=yes", "foot=no").speeds(.bicycle) == [15, 0])
    #expect(DrawnRoad("highway=path", "bicycle=dismount").speeds(.bicycle) == [4, 4])
    #expect(DrawnRoad("highway=trunk", "foot=yes").speeds(.bicycle) == [4, 4])
  }

  @Test("cycleways and words for bicycles open the other direction")
  func cycleways() {
    for tag in [
      "oneway:bicycle=no", "cycleway=opposite", "cycleway:left=opposite_lane",
      "cycleway:right=opposite_track",
    ] {
      let road = DrawnRoad("highway=residential", "oneway=yes", tag)
      #expect(road.speeds(.bicycle) == [15, 15], "\(tag)")
      #expect(road.speeds(.car) == [25, 0])
    }
    let lane = DrawnRoad("highway=residential", "oneway=yes", "cycleway:left=lane")
    #expect(lane.speeds(.bicycle) == [15, 4])
    #expect(DrawnRoad("highway=trunk", "cycleway=track").speeds(.bicycle) == [15, 15])
    #expect(DrawnRoad("highway=trunk", "cycleway:right=lane").speeds(.bicycle) == [15, 0])
    #expect(DrawnRoad("highway=footway", "bicycle=yes").speeds(.bicycle) == [15, 15])
  }

  @Test("words about bicycles count before others")
  func bicycleAccess() {
    func speeds(_ one: String, _ other: String = "x=y") -> [Double] {
      DrawnRoad("highway=residential", one, other).speeds(.bicycle)
    }
    #expect(speeds("access=no") == [0, 0])
    #expect(speeds("access=no", "bicycle=yes") == [15, 15])
    #expect(speeds("bicycle=use_sidepath") == [0, 0])
    #expect(speeds("vehicle:forward=no") == [0, 15])
    #expect(speeds("motor_vehicle=no") == [15, 15])
    #expect(speeds("motorroad=yes") == [0, 0])
    #expect(speeds("construction=yes") == [0, 0])
    #expect(speeds("cycleway=separate") == [0, 0])
    #expect(speeds("cycleway=separate", "bicycle=designated") == [15, 15])
    #expect(speeds("maxspeed=10") == [10, 10])
    #expect(speeds("maxspeed=50", "maxspeed:backward=6") == [15, 6])
    #expect(speeds("surface=sand") == [3, 3])
  }
}
