import Geodesy
import LocationModel
import Testing

@testable import TrackCore

@Suite("The place that a broker retains") struct RetainedPlaceTests {
  private static func connected(
    _ url: String = "mqtt://b/t", _ change: (inout UplinkPlan) -> Void = { _ in }
  ) throws -> UplinkWorld {
    var world = try UplinkWorld(url, change)
    world.handle(.begin)
    world.settle()
    return world
  }

  private static func clears(_ world: UplinkWorld, _ removal: Removal) -> Bool {
    world.machine.mayRetain(removal)
  }

  @Test("it is the last that the broker was told, whatever the track has got since")
  func last() throws {
    var world = try Self.connected()
    world.grow(5)
    world.answer { _ in false }
    world.handle(.closed(reason: "gone", .lost))
    world.grow(20)
    #expect(!Self.clears(world, .of(6...25)) && !Self.clears(world, .of(1...4)))
    #expect(Self.clears(world, .of(5...5)))
    // After a gap the newest comes first, and the last that is told is an older one.
    world = try Self.connected { $0.isNewestFirst = true }
    world.handle(.closed(reason: "gone", .lost))
    world.grow(100)
    world.rest()
    world.answer { _ in false }
    let told = try #require(world.heard.last)
    #expect(world.machine.backlog == 0 && told == 36)
    #expect(Self.clears(world, .of(36...36)) && !Self.clears(world, .of(100...100)))
  }

  @Test("entries that no broker retains say nothing of it, and each of a batch does")
  func kinds() throws {
    var world = try Self.connected()
    world.grow(1)
    world.answer { _ in false }
    var crossing = UplinkQueueTests.entry(2)
    crossing.kind = .enter
    world.handle(.extended([crossing]))
    world.answer { _ in false }
    #expect(world.taken == [1, 2] && Self.clears(world, .of(1...1)))
    #expect(!Self.clears(world, .of(2...2)))
    world = try Self.connected("mqtt://b/t?format=json")
    world.grow(3)
    world.answer { _ in false }
    for number in 1...3 as ClosedRange<Int64> { #expect(Self.clears(world, .of(number...number))) }
  }

  @Test("until the broker has confirmed the next it may be the one before")
  func underWay() throws {
    var world = try Self.connected()
    world.grow(1)
    world.answer { _ in false }
    world.grow(1)
    #expect(Self.clears(world, .of(1...1)) && Self.clears(world, .of(2...2)))
    world.handle(.closed(reason: "gone", .lost))
    #expect(Self.clears(world, .of(1...1)) && Self.clears(world, .of(2...2)))
    world.rest()
    world.answer { _ in false }
    #expect(!Self.clears(world, .of(1...1)) && Self.clears(world, .of(2...2)))
  }

  @Test("by MQTT 3.1.1 a heartbeat is one, by 5 it is none", arguments: [true, false])
  func heartbeats(isOld: Bool) throws {
    var world = try Self.connected("mqtt://b/t?version=\(isOld ? "3.1.1" : "5")") {
      $0.heartbeat = .seconds(60)
    }
    world.grow(1)
    world.answer { _ in false }
    world.position = 7
    world.pass(.seconds(61))
    world.handle(.timer)
    #expect(Self.clears(world, .of(7...7)) == isOld && Self.clears(world, .of(1...1)))
    world.handle(.confirmed(world.receipts))
    // The place has moved on meanwhile.
    world.position = 9
    #expect(Self.clears(world, .of(7...7)) == isOld && Self.clears(world, .of(1...1)) != isOld)
    #expect(!Self.clears(world, .of(9...9)))
  }

  @Test("a broker that was told nothing is asked for nothing, and nothing is said of it")
  func untold() throws {
    let other = try UplinkAddress("mqtt://c/t")
    var world = try Self.connected { $0.others = [other] }
    #expect(!world.handle(.forgotten(.all)).contains(.clearPlace))
    #expect(world.machine.toClear.isEmpty && world.machine.remains([]).isEmpty)
    world.grow(1)
    world.answer { _ in false }
    #expect(world.handle(.forgotten(.all)).contains(.clearPlace))
    let asked = world.machine.toClear
    world.handle(.cleared)
    #expect(
      world.machine.remains(asked) == [
        "fleet: the place that b retained is cleared; what it passed on stays there"
      ])
    // What is gone is not taken away again; what it was told before stays.
    #expect(!world.handle(.forgotten(.all)).contains(.clearPlace))
    #expect(
      world.machine.remains(world.machine.toClear) == ["fleet: what was sent to b stays there"])
    world.rest()
    world.crash()
    world.settle()
    #expect(!world.handle(.forgotten(.all)).contains(.clearPlace))
    #expect(world.machine.remains([]) == ["fleet: what was sent to b stays there"])
  }

  @Test("over a kill it is not known which it is, until the next is told")
  func killed() throws {
    var world = try Self.connected()
    world.grow(3)
    try #require(world.underWay.count == 3)
    // The disk has the first of its writes alone: that the broker is about to be told.
    while !world.writes.isEmpty, world.disk.broker?.contains("holds") != true { world.write() }
    #expect(world.disk.confirmed.ranges.isEmpty)
    world.crash()
    #expect(Self.clears(world, .of(50...60)))
    world.settle()
    world.answer { _ in false }
    #expect(!Self.clears(world, .of(50...60)) && Self.clears(world, .of(3...3)))
    // An older tracker did not write it down.
    world.disk.broker = #"{"server":"b:1883","version":"5","since":1,"said":false,"agreed":0}"#
    world.disk.confirmed.insert(1...3)
    world.crash()
    #expect(Self.clears(world, .of(50...60)))
  }

  @Test("a zone takes those that may lie in it")
  func zones() throws {
    var world = try Self.connected()
    world.grow(1)
    world.answer { _ in false }
    // Entries lie at 1° 2°, each within 3 metres.
    func zone(_ metres: Double) -> Removal {
      let centre = Coordinate(latitude: 1, longitude: 2).moved(metres, towards: 90)
      return .zone(Zone(name: "home", centre, radius: 100))
    }
    #expect(Self.clears(world, zone(0)) && Self.clears(world, zone(104)))
    #expect(!Self.clears(world, zone(110)))
  }

  @Test(
    "a broker that will not take it away is named with its reason, and asked again when it is back")
  func refused() throws {
    var world = try Self.connected()
    world.grow(1)
    world.answer { _ in false }
    world.handle(.forgotten(.all))
    let asked = world.machine.toClear
    #expect(world.machine.isClearing)
    world.handle(.uncleared(reason: "the broker answers Not authorized: may this user write?"))
    #expect(!world.machine.isClearing)
    #expect(
      world.machine.remains(asked) == [
        "fleet: b does not clear the place that it may retain, and is asked again on its next connection:"
          + " the broker answers Not authorized: may this user write?"
      ])
    let may = world.machine.status(at: world.now)["mayRetain"]?.array?.compactMap(\.string)
    #expect(may == ["b:1883"])
    #expect(world.machine.status(at: world.now)["keepsPlace"]?.string?.contains("Not") == true)
    world.settle()
    #expect(world.disk.broker?.contains("\"clears\":true") == true)
    world.handle(.closed(reason: "gone", .lost))
    world.rest()
    #expect(world.isOpen && world.machine.isClearing)
    world.handle(.cleared)
    #expect(world.machine.toClear.isEmpty && !Self.clears(world, .all))
  }
}
