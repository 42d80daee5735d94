import Testing

@testable import PlaceCore

@Suite("Speeds of cars") struct CarSpeedTests {
  @Test(
    "cars come to four fifths of a limit",
    arguments: [
      ("maxspeed=50", 40), ("maxspeed=30 mph", 38.6), ("maxspeed=FR:urban", 40),
      ("maxspeed=de:rural", 80), ("maxspeed=none", 112), ("maxspeed:type=RO:trunk", 80),
      ("source:maxspeed=XX:rural", 72), ("maxspeed:advisory=40", 32),
      // These say nothing.
      ("maxspeed=walk", 65), ("maxspeed=signals", 65), ("maxspeed=0", 65),
      ("maxspeed=DE:motorway", 65), ("maxspeed=-20", 65), ("maxspeed=99999999999999", 65),
    ] as [(String, Double)])
  func limits(tag: String, speed: Double) {
    let speeds = DrawnRoad("highway=primary", tag).speeds(.car)
    if tag == "maxspeed=99999999999999" {
      #expect(speeds[0] > 0)
    } else {
      #expect(zip(speeds, [speed, speed]).allSatisfy { abs($0 - $1) < 0.1 }, "\(speeds)")
    }
  }

  @Test("each direction has its limit, and advice counts before a sign")
  func directedLimits() {
    #expect(DrawnRoad("highway=primary", "maxspeed:forward=30").speeds(.car) == [24, 65])
    #expect(
      DrawnRoad("highway=primary", "maxspeed=80", "maxspeed:backward=50").speeds(.car) == [64, 40])
    #expect(
      DrawnRoad("highway=primary", "maxspeed=80", "maxspeed:advisory=50").speeds(.car) == [40, 40])
  }

  @Test("a limit alone opens no road")
  func noRoad() {
    for highway in ["track", "path", "cycleway", "pedestrian"] {
      #expect(DrawnRoad("highway=\(highway)", "maxspeed=30").speeds(.car) == [0, 0])
    }
    #expect(DrawnRoad("highway=track", "maxspeed=20", "access=yes").speeds(.car) == [16, 16])
  }

  @Test(
    "bad ground lets nobody go faster",
    arguments: [
      ("surface=gravel", 40), ("surface=mud", 10), ("surface=asphalt", 65), ("surface=moss", 65),
      ("tracktype=grade3", 30), ("smoothness=bad", 40), ("smoothness=impassable", 0),
    ] as [(String, Double)])
  func ground(tag: String, speed: Double) {
    #expect(DrawnRoad("highway=primary", tag).speeds(.car) == [speed, speed])
  }

  @Test(
    "narrow roads where cars meet cost more, and take no longer",
    arguments: [
      ("lanes=1", 0.5), ("lanes=2", 1), ("width=3", 0.5), ("width=3.5", 0.6), ("width=4.5", 0.75),
      ("width=5,5 m", 0.8), ("width=6", 1), ("lane_markings=no", 0.75), ("service=alley", 0.5),
      ("service=parking_aisle", 0.5), ("oneway=alternating", 0.4), ("side_road=rotary", 0.8),
    ] as [(String, Double)])
  func narrow(tag: String, share: Double) {
    let road = DrawnRoad("highway=secondary", tag)
    #expect(road.speeds(.car) == [55, 55])
    #expect(road.costs(.car).allSatisfy { abs($0 - 55 * share) < 0.1 }, "\(road.costs(.car))")
  }

  @Test("in a oneway nobody meets; who has no priority waits")
  func meeting() {
    #expect(DrawnRoad("highway=secondary", "lanes=1", "oneway=yes").costs(.car) == [55, 0])
    #expect(DrawnRoad("highway=secondary", "priority=forward").costs(.car) == [55, 38.5])
    #expect(DrawnRoad("highway=secondary", "priority=backward").costs(.car) == [38.5, 55])
    #expect(
      DrawnRoad("highway=motorway", "oneway=alternating").costs(.car) == [36, 0])
  }
}
