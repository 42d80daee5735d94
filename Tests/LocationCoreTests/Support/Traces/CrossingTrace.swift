import Glibc
import LocationModel
import TestSupport

/// A walk or a drive around a town, a fix each one to five seconds that says no speed, and circles on
/// the way.
struct CrossingTrace {
  struct Circle {
    var identifier: String
    var centre: Spot
    var radius: Double

    func depth(of place: Spot) -> Double { radius - (place - centre).length }

    var region: Region {
      Region(identifier: identifier, .circle(centre.coordinate, radius: radius))
    }
  }

  let way: Way
  private(set) var fixes: [TraceFix] = []
  private(set) var circles: [Circle] = []

  init(seed: UInt64) {
    var dice = Dice(seed: seed)
    way = dice.chance(0.5) ? Self.tour(&dice, 0.9...1.6) : Self.tour(&dice, 5...14)
    let radii = [50.0, 100, 100, 150, 200, 300, 500]
    for (i, radius) in radii.enumerated() {
      let near = way.places[Int.random(in: way.places.indices, using: &dice)]
      circles.append(
        Circle(
          identifier: "\(i)", centre: near + dice.spot(0...0.9 * radius), radius: radius))
    }
    see(every: Double.random(in: 1...5, using: &dice), &dice)
  }

  /// Along streets, with corners and lights.
  private static func tour(_ dice: inout Dice, _ paces: ClosedRange<Double>) -> Way {
    var way = Way(from: Spot())
    var heading = dice.number(0...(2 * .pi))
    while way.seconds < 7200 {
      let block = dice.number(60...350) * (paces.upperBound > 3 ? 3 : 1)
      heading += [0, 0, .pi / 2, -.pi / 2].randomElement(using: &dice) ?? 0
      // Homeward where it has come far.
      if way.here.length > 3000 { heading = atan2(-way.here.east, -way.here.north) }
      let goal = way.here + Spot(north: block * cos(heading), east: block * sin(heading))
      way.go(to: goal, dice.number(paces))
      if dice.chance(0.25) { way.wait(Int(dice.number(5...50))) }
      if dice.chance(0.03) { way.wait(Int(dice.number(200...900))) }
    }
    return way
  }

  private mutating func see(every seconds: Double, _ dice: inout Dice) {
    var drift = Drift(lasting: 45, &dice)
    let accuracy = dice.number(5...15)
    let gaps = (0..<4).map { _ in
      let start = dice.number(0...7000)
      return start...start + dice.number(30...180)
    }
    var wrong: (left: Int, place: Spot, accuracy: Double) = (0, Spot(), 0)
    for time in stride(from: 0.0, to: Double(way.seconds), by: seconds) {
      let error = drift.after(seconds, &dice)
      guard !dice.chance(0.02), !gaps.contains(where: { $0.contains(time) }) else { continue }
      let own = Spot(north: dice.normal(), east: dice.normal()) * 0.3
      var fix = TraceFix(
        time: time, place: way.place(at: time) + (error + own) * (accuracy / 1.6),
        accuracy: accuracy, speed: nil)
      if wrong.left == 0, dice.chance(1 / 900) {
        let far = dice.number(80...600)
        wrong = (
          Int.random(in: 1...7, using: &dice), dice.spot(far...far), dice.chance(0.6) ? far : 15
        )
      }
      if wrong.left > 0 {
        wrong.left -= 1
        fix.place = fix.place + wrong.place
        fix.accuracy = wrong.accuracy
      }
      fixes.append(fix)
    }
  }
}
