import TestSupport

/// A day with stays, between them walks, rides and waits at lights, as a receiver of some kind sees it.
struct StayTrace {
  enum Receiver: CaseIterable {
    /// A phone's fixes, each second, with its speed.
    case satellites
    /// Wi-Fi, each few seconds, 65 m.
    case wifi
    /// Each half minute: good ones while it moves, and while it stands a few places by turns, up to
    /// 100 m off.
    case thrifty
    /// Each half minute, and so vague that a place of work is as large as its error.
    case vague
  }

  let way: Way
  private(set) var fixes: [TraceFix] = []

  init(seed: UInt64, _ receiver: Receiver) {
    var dice = Dice(seed: seed)
    way = Self.day(&dice)
    var sight = Sight(receiver, &dice)
    var time = 0.0
    while time < Double(way.seconds) {
      let isStaying = way.isStaying(at: time)
      let before = way.place(at: max(0, time - 1))
      let place = way.place(at: time)
      fixes.append(
        sight.see(place, pace: (place - before).length, isStaying, at: time, &dice))
      time += sight.pause(&dice, isStaying)
    }
  }

  private static func day(_ dice: inout Dice) -> Way {
    var way = Way(from: Spot())
    way.go(to: dice.spot(1500...3000), 9)
    for _ in 0..<4 {
      // A ride with red lights and a change of buses, then on foot to the door.
      let door = way.here + dice.spot(1800...5000)
      let parking = door + dice.spot(40...200)
      for share in [0.2, 0.5, 0.8] where dice.chance(0.6) {
        way.go(to: way.here + (parking - way.here) * share, dice.number(6...14))
        way.wait(Int(share == 0.5 ? dice.number(120...270) : dice.number(15...80)))
      }
      way.go(to: parking, dice.number(6...14))
      way.wait(Int(dice.number(10...90)))
      way.go(to: door, dice.number(0.7...1.4))
      way.stay(Int(dice.number(900...4500)))
      way.go(to: parking, dice.number(0.9...1.4))
    }
    way.go(to: way.here + dice.spot(3000...4000), 9)
    return way
  }

  /// A receiver's fix of a true place.
  private struct Sight {
    private let receiver: Receiver
    private var drift: Drift
    private var last = 0.0
    /// Where a thrifty one believes to be by turns, while it stands.
    private var hops: [TraceFix] = []
    private var hop = 0

    init(_ receiver: Receiver, _ dice: inout Dice) {
      self.receiver = receiver
      drift = Drift(lasting: receiver == .satellites ? 60 : 200, &dice)
    }

    func pause(_ dice: inout Dice, _ isStaying: Bool) -> Double {
      switch receiver {
      case .satellites: 1
      case .wifi: isStaying && dice.chance(0.05) ? dice.number(30...285) : dice.number(5...8)
      case .thrifty: isStaying && dice.chance(0.1) ? dice.number(60...300) : dice.number(28...32)
      case .vague: dice.number(20...35)
      }
    }

    mutating func see(
      _ place: Spot, pace: Double, _ isStaying: Bool, at time: Double, _ dice: inout Dice
    ) -> TraceFix {
      let error = drift.after(time - last, &dice)
      last = time
      var fix = TraceFix(time: time, place: place, accuracy: 65, speed: nil)
      switch receiver {
      case .satellites:
        fix.accuracy = isStaying ? 12 : 6
        fix.speed = max(0, pace + 0.2 * dice.normal())
      case .wifi: break
      case .thrifty:
        fix.accuracy = dice.number(12...28)
        fix.speed = isStaying ? 0 : pace
        if isStaying { return standing(fix, &dice) }
        hops = []
      case .vague: fix.accuracy = dice.number(50...110)
      }
      fix.place = place + error * (fix.accuracy / 1.51)
      return fix
    }

    private mutating func standing(_ fix: TraceFix, _ dice: inout Dice) -> TraceFix {
      if hops.isEmpty {
        hops = (0..<4).map { _ in
          var hop = fix
          let isVague = dice.chance(0.25)
          hop.accuracy = isVague ? 96 : dice.number(14...28)
          hop.place = fix.place + dice.spot(isVague ? 20...110 : 5...60)
          return hop
        }
        hop = 0
      }
      if dice.chance(0.35) { hop = Int.random(in: hops.indices, using: &dice) }
      var seen = hops[hop]
      seen.time = fix.time
      if dice.chance(0.6) { seen.place = seen.place + dice.spot(0...8) }
      return seen
    }
  }
}
