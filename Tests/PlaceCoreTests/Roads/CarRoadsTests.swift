import Testing

@testable import PlaceCore

@Suite("Roads for cars") struct CarRoadsTests {
  @Test(
    "each class of road has its speed",
    arguments: [
      ("primary", 65), ("secondary_link", 25), ("residential", 25), ("living_street", 10),
      ("service", 15), ("track", 0), ("path", 0), ("steps", 0), ("corridor", 0), ("proposed", 0),
    ] as [(String, Double)])
  func classes(highway: String, speed: Double) {
    #expect(DrawnRoad("highway=\(highway)").speeds(.car) == [speed, speed])
  }

  @Test("the narrowest word about access counts, in each direction")
  func access() {
    func speeds(_ highway: String, _ one: String, _ other: String = "x=y") -> [Double] {
      DrawnRoad("highway=\(highway)", one, other).speeds(.car)
    }
    #expect(speeds("residential", "access=no") == [0, 0])
    #expect(speeds("residential", "access=no", "motorcar=yes") == [25, 25])
    #expect(speeds("residential", "vehicle=yes", "motor_vehicle=no") == [0, 0])
    #expect(speeds("residential", "motor_vehicle:forward=no") == [0, 25])
    #expect(speeds("residential", "access=no", "vehicle:backward=permissive") == [0, 25])
    // The most generous word of a list.
    #expect(speeds("residential", "vehicle=agricultural; permissive") == [25, 25])
    #expect(speeds("residential", "vehicle=agricultural;forestry") == [0, 0])
    // A word opens what its class does not.
    #expect(speeds("track", "motor_vehicle=yes") == [10, 10])
    #expect(speeds("path", "access:forward=yes") == [10, 0])
    #expect(speeds("track", "motor_vehicle=private") == [0, 0])
    #expect(speeds("steps", "motor_vehicle=yes") == [0, 0])
  }

  @Test("private roads and lanes for several people are for those who have business there")
  func local() {
    let both: RoadTraits = [.local(0, isBack: false), .local(0, isBack: true)]
    func local(_ tag: String) -> RoadTraits {
      let road = DrawnRoad("highway=residential", tag)
      #expect(road.speeds(.car) == [25, 25])
      return road.traits.intersection(both)
    }
    for word in ["private", "destination", "delivery", "customers", "permit", "residents"] {
      #expect(local("access=\(word)") == both)
    }
    #expect(local("vehicle:backward=destination") == .local(0, isBack: true))
    #expect(local("hov=designated") == both)
    #expect(local("hov:lanes:forward=designated|designated") == .local(0, isBack: false))
    #expect(local("hov:lanes=yes|designated") == [])
    #expect(local("access=yes") == [])
  }

  @Test("a oneway shuts one direction; motorways and roundabouts are oneways")
  func oneways() {
    func speeds(_ tags: [String]) -> [Bool] {
      let road = RoadProfile.kind(of: WayTags(drawing: tags), metres: 9, isLeftHand: false)
      return (road?.times.prefix(2) ?? [0, 0]).map { $0 > 0 }
    }
    for word in ["yes", "1", "true"] {
      #expect(speeds(["highway=primary", "oneway=\(word)"]) == [true, false])
    }
    #expect(speeds(["highway=primary", "oneway=-1"]) == [false, true])
    #expect(speeds(["highway=primary", "oneway=no"]) == [true, true])
    #expect(speeds(["highway=primary", "oneway=reversible"]) == [false, false])
    #expect(speeds(["highway=primary", "oneway=yes", "oneway:motorcar=no"]) == [true, true])
    #expect(speeds(["highway=motorway"]) == [true, false])
    #expect(speeds(["highway=motorway", "oneway=no"]) == [true, true])
    #expect(speeds(["highway=primary", "junction=roundabout"]) == [true, false])
    #expect(speeds(["highway=primary", "junction=circular", "oneway=-1"]) == [false, true])
  }

  @Test("a car is 1.9 m wide, 2 m high, 4.8 m long and weighs 2 t")
  func sizes() {
    func isOpen(_ tag: String) -> [Bool] {
      DrawnRoad("highway=primary", tag).speeds(.car).map { $0 > 0 }
    }
    for tag in [
      "maxheight=1.9", "maxheight=6'2\"", "maxwidth=1,9 m", "maxlength=4.5", "maxweight=1.5",
      "maxweightrating=1500 kg", "maxweight=4000 lbs", "maxheight:physical=1",
    ] {
      #expect(isOpen(tag) == [false, false], "\(tag)")
    }
    for tag in [
      "maxheight=2", "maxheight=7'", "maxheight=default", "maxwidth=2", "maxlength=12 m",
      "maxweight=3.5", "maxweight=5000 lbs", "maxweight=heavy",
    ] {
      #expect(isOpen(tag) == [true, true], "\(tag)")
    }
    #expect(isOpen("maxweight:forward=1") == [false, true])
  }

  @Test(
    "what is being built, planned, impassable or an area is shut",
    arguments: [
      ("construction=primary", false), ("construction=yes", false), ("construction=minor", true),
      ("construction=no", true), ("proposed=primary", true), ("impassable=yes", false),
      ("status=impassable", false), ("area=yes", false), ("service=emergency_access", false),
      ("railway=construction", false),
    ] as [(String, Bool)])
  func shut(tag: String, isOpen: Bool) {
    #expect(DrawnRoad("highway=primary", tag).speeds(.car) == (isOpen ? [65, 65] : [0, 0]))
  }
}
