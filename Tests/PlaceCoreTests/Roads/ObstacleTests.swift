import Testing

@testable import PlaceCore

@Suite("What stands on roads") struct ObstacleTests {
  private static func obstacle(_ tags: [String]) -> RoadObstacle? {
    RoadObstacle(WayTags(drawing: tags))
  }

  /// Modes as bits: 1 cars, 2 feet, 4 bicycles.
  @Test(
    "a barrier stops whom it is made for",
    arguments: [
      (["barrier=bollard"], 1), (["barrier=wall"], 7), (["barrier=fence"], 7),
      (["barrier=block"], 1), (["barrier=kerb"], 1), (["barrier=cycle_barrier"], 1),
      (["barrier=gate"], 0), (["barrier=cattle_grid"], 0), (["barrier=toll_booth"], 0),
      (["barrier=border_control"], 0), (["barrier=no"], 0), (["barrier=entrance"], 0),
      (["barrier=bollard", "bollard=rising"], 0), (["barrier=kerb", "kerb=lowered"], 0),
      (["barrier=kerb", "highway=crossing"], 0), (["barrier=fence", "sensory=audible"], 0),
      (["barrier=height_restrictor", "maxheight=1.9"], 1),
      (["barrier=height_restrictor", "maxheight=2.3"], 0), (["barrier=height_restrictor"], 0),
      // Words about access count instead.
      (["barrier=bollard", "motor_vehicle=yes"], 0), (["barrier=gate", "access=no"], 7),
      (["barrier=gate", "access=private"], 6), (["barrier=wall", "foot=yes"], 5),
      (["barrier=gate", "access=no", "foot=yes"], 5), (["bicycle=no"], 4), (["foot=no"], 2),
      (["highway=crossing", "bicycle=no"], 0), (["vehicle=agricultural;no"], 1),
      (["access=yes"], 0),
    ] as [([String], UInt8)])
  func barriers(tags: [String], modes: UInt8) {
    #expect(Self.obstacle(tags)?.barred ?? 0 == modes)
  }

  @Test("a gate keeps cars for a minute where no word says who may pass")
  func gates() {
    #expect(Self.obstacle(["barrier=gate"])?.isGate == true)
    #expect(Self.obstacle(["barrier=lift_gate"])?.isGate == true)
    #expect(Self.obstacle(["barrier=gate", "access=yes"]) == nil)
    #expect(Self.obstacle(["barrier=swing_gate"])?.isGate == false)
    let gate = RoadDelay.byte(seconds: 3, gates: 1)
    #expect(RoadDelay.seconds(gate, .car) == 63 && RoadDelay.seconds(gate, .foot) == 3)
    // Bytes hold so much.
    let most = RoadDelay.byte(seconds: 1000, gates: 1000)
    #expect(RoadDelay.seconds(most, .car) == 63 + 180)
    #expect(RoadDelay.byte(seconds: -5, gates: -5) == 0)
  }

  @Test(
    "lights and signs face those whom their tag names",
    arguments: [
      (["highway=traffic_signals"], 2, true, true, true),
      (["highway=traffic_signals", "direction=forward"], 2, true, false, false),
      (
        ["highway=traffic_signals", "direction=forward", "traffic_signals:direction=backward"], 2,
        false, true, false
      ),
      (["highway=stop", "direction=backward"], 2, false, true, false),
      (["highway=stop", "direction=both"], 2, true, true, false),
      (["highway=stop"], 2, true, true, true), (["highway=give_way"], 1, true, true, true),
    ] as [([String], Int, Bool, Bool, Bool)])
  func signs(
    tags: [String], seconds: Int, facesAhead: Bool, facesBack: Bool, isUndirected: Bool
  ) throws {
    let sign = try #require(Self.obstacle(tags))
    #expect(sign.seconds == seconds && sign.barred == 0)
    #expect(sign.facesAhead == facesAhead && sign.facesBack == facesBack)
    #expect(sign.isUndirected == isUndirected)
  }

  @Test("what is no obstacle is none")
  func nothing() {
    for tags in [["highway=crossing"], ["highway=bus_stop"], ["name=x"]] {
      #expect(Self.obstacle(tags) == nil)
    }
    #expect(Self.obstacle(["highway=stop", "stop=minor"])?.sign == .minorStop)
  }
}

@Suite("What turns take") struct TurnCostTests {
  private func seconds(
    _ angle: Double, _ mode: RoadMode = .car, isLeftHand: Bool = false, roads: Int = 4,
    isUTurn: Bool = false, isRoundabout: Bool = false
  ) -> Double {
    Double(
      TurnCosts.turn(
        angle: angle, mode: mode, isLeftHand: isLeftHand, roads: roads, isUTurn: isUTurn,
        isRoundabout: isRoundabout)) / 100
  }

  @Test("a turn of a car takes up to ten seconds, across the traffic longer, straight on nothing")
  func cars() {
    #expect(seconds(0) < 0.1)
    #expect(seconds(-90) > seconds(90) + 1.5 && seconds(-90) < 8)
    #expect(abs(seconds(90, isLeftHand: true) - seconds(-90)) < 0.02)
    #expect(abs(seconds(-90, isLeftHand: true) - seconds(90)) < 0.02)
    #expect(seconds(-90, isRoundabout: true) < seconds(-90) - 1.5)
    // Where no other road leaves, a bend is no turn.
    #expect(seconds(90, roads: 2) == 0)
    #expect(abs(seconds(180, roads: 1, isUTurn: true) - 27.5) < 0.1)
  }

  @Test("feet turn at once; bicycles lean out")
  func others() {
    #expect(seconds(170, .foot) == 0 && seconds(180, .foot, isUTurn: true) == 2)
    #expect(abs(seconds(-90, .bicycle) - 8.4) < 0.01)
    #expect(abs(seconds(90, .bicycle) - 4.29) < 0.01)
    #expect(seconds(180, .bicycle, isUTurn: true) > 30)
  }
}
