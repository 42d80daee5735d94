import LocationModel
import Testing

@testable import TrackCore

@Suite("A broker to which nobody has subscribed") struct AudienceTests {
  private static func connected(retains: Bool = false) throws -> UplinkWorld {
    var world = try UplinkWorld("mqtt://b/t") { $0.isRetained = retains }
    world.handle(.begin)
    world.settle()
    return world
  }

  /// The track grows by an entry, and the broker says so of it.
  private static func tell(_ world: inout UplinkWorld, isHeard: Bool?) {
    world.grow(1)
    world.settle()
    answer(&world, isHeard: isHeard)
  }

  private static func answer(_ world: inout UplinkWorld, isHeard: Bool?) {
    if let receipt = world.underWay.keys.min() {
      world.underWay[receipt] = nil
      world.handle(.confirmed(receipt, isHeard: isHeard))
    }
    world.settle()
  }

  @Test("what it throws away waits for those that had subscribed, over a kill, too")
  func waits() throws {
    var world = try Self.connected()
    Self.tell(&world, isHeard: true)
    // The disk has it.
    world.rest()
    Self.tell(&world, isHeard: false)
    #expect(world.machine.backlog == 1)
    #expect(
      world.machine.status(at: world.now)["trouble"]?.string
        == "nobody has subscribed to what b:1883 is sent: do its consumers run?")
    world.crash()
    world.settle()
    Self.answer(&world, isHeard: false)
    #expect(world.machine.backlog == 1 && world.underWay.isEmpty)
    world.rest()
    Self.answer(&world, isHeard: true)
    #expect(world.machine.backlog == 0 && world.heard == [1, 2, 2, 2])
    #expect(world.machine.status(at: world.now)["trouble"] == nil)
  }

  @Test(
    "nobody is waited for who was never there, for longer than a day, or where a place is retained")
  func goesOn() throws {
    var world = try Self.connected()
    Self.tell(&world, isHeard: false)
    Self.tell(&world, isHeard: nil)
    #expect(world.machine.backlog == 0)
    world = try Self.connected(retains: true)
    Self.tell(&world, isHeard: true)
    Self.tell(&world, isHeard: false)
    #expect(world.machine.backlog == 0)
    world = try Self.connected()
    Self.tell(&world, isHeard: true)
    Self.tell(&world, isHeard: false)
    let begin = world.now.boottime
    while world.machine.backlog > 0, world.now.boottime - begin < .seconds(90_000) {
      world.rest()
      Self.answer(&world, isHeard: false)
    }
    #expect((86_400..<90_000).contains(world.now.boottime.seconds(since: begin)))
    Self.tell(&world, isHeard: false)
    #expect(world.machine.backlog == 0)
    // Somebody has come.
    Self.tell(&world, isHeard: true)
    Self.tell(&world, isHeard: false)
    #expect(world.machine.backlog == 1)
  }
}
