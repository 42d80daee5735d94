import LocationModel
import Testing

@testable import TrackCore

@Suite("An uplink beside its entries") struct UplinkSayingTests {
  @Test("without news the newest place is told again, so often and no more")
  func heartbeat() throws {
    var world = try UplinkWorld.running(entries: 1) { $0.heartbeat = .seconds(10) }
    world.pass(.seconds(10))
    #expect(!world.handle(.timer).contains(.sendHeartbeat), "an entry is under way")
    world.pass(.seconds(4))
    world.confirm()
    world.settle()
    world.pass(.seconds(9))
    #expect(!world.handle(.timer).contains(.sendHeartbeat))
    world.pass(.seconds(1))
    #expect(world.handle(.timer).contains(.sendHeartbeat))
    #expect(!world.handle(.timer).contains(.sendHeartbeat))
  }

  @Test("waypoints are told when they are others, and again until the broker has them")
  func waypoints() throws {
    var world = try UplinkWorld.running()
    let circle = Region.Shape.circle(Coordinate(latitude: 1, longitude: 2), radius: 3)
    var one = Waypoint(owner: nil, id: "1", name: "1", made: .epoch, circle)
    let two = Waypoint(owner: nil, id: "2", name: "2", made: .epoch, circle)
    #expect(world.handle(.waypoints([one], found: ["1"])).contains(.say(.announcement([one]))))
    world.handle(.announced)
    #expect(
      world.handle(.waypoints([one, two], found: ["1", "2"])).contains(.say(.announcement([two]))))
    let plain = one
    one.isInside = true
    #expect(
      world.handle(.waypoints([one, two], found: ["1", "2"])).isEmpty,
      "where the device is, is not told")
    world.handle(.closed(reason: "gone", .lost))
    world.handle(.retryNow)
    #expect(world.open().contains(.say(.announcement([two]))))
    #expect(plain.isInside == false)
  }

  @Test("a server's commands are followed up to a number, and counted")
  func commands() throws {
    var world = try UplinkWorld.running { $0.takesCommands = true }
    #expect(world.handle(.commanded(.success(.status))) == [.obey(.status)])
    #expect(world.handle(.commanded(.failure(Unusable(what: "it is not JSON")))).isEmpty)
    world.handle(.unfollowed(2))
    for _ in 0..<40 { world.handle(.commanded(.success(.status))) }
    let counts = world.machine.status(at: world.now)["commands"]
    #expect(counts?["followed"]?.integer == 30 && counts?["refused"]?.integer == 14)
    #expect(counts?["lastRefusal"]?.string == "there are too many of them")
  }
}
