import TestSupport

/// A night of a machine that lies still and is located by radio cells: each of a few places, said to
/// the last digit again and again, hundreds of metres off and as vague as it says.
struct CoarseNight {
  private(set) var fixes: [TraceFix] = []

  private struct Cell {
    var place: Spot
    var accuracy: Double
  }

  /// Where the machine lies.
  static let home = Spot()
  static let hours = 9.0

  init(seed: UInt64) {
    var dice = Dice(seed: seed)
    let startsWell = dice.chance(0.7)
    let hasGood = dice.chance(0.5)
    let speed: Double? = dice.chance(0.5) ? 0 : nil
    let cells = (0..<Int.random(in: 2...6, using: &dice)).map { _ in Self.cell(&dice) }
    var time = 10.0
    func say(_ cell: Cell) {
      fixes.append(TraceFix(time: time, place: cell.place, accuracy: cell.accuracy, speed: speed))
    }
    while startsWell, time < 900 {
      say(Self.good(&dice))
      time += dice.number(5...60)
    }
    while time < Self.hours * 3600 {
      let cell = hasGood && dice.chance(0.1) ? Self.good(&dice) : cells.randomElement(using: &dice)
      guard let cell else { break }
      let step = dice.chance(0.5) ? 5.0...60 : 60.0...320
      for _ in 0..<Int.random(in: 1...8, using: &dice) {
        say(cell)
        time += dice.number(step)
      }
      // The next cell comes at once, or after a silence.
      time += dice.chance(0.6) ? 0.5 : dice.number(60...2400)
    }
  }

  /// Most are as far off as they say at most, some by up to two fifths more.
  private static func cell(_ dice: inout Dice) -> Cell {
    let accuracy = Double(Int.random(in: 6...14, using: &dice) * 100)
    let off = dice.chance(0.2) ? dice.number(1...1.4) : dice.number(0.1...1)
    return Cell(place: dice.spot(off * accuracy...off * accuracy), accuracy: accuracy)
  }

  private static func good(_ dice: inout Dice) -> Cell {
    Cell(place: dice.spot(0...12), accuracy: dice.number(12...20))
  }
}
