import LocationModel
import TestSupport

/// A town of Wi-Fi boxes and the walks of a person in it, who has two hotspots along.
///
/// On twelve days the receiver has good fixes; then there are walks without a fix, and an hour on a
/// meadow where only the hotspots are heard.
struct NetworkTown {
  enum Event {
    case fix(Location)
    /// The true place of a scan that is asked about.
    case scan(NetworkScan, at: Spot?)
  }

  private(set) var events: [Event] = []
  private var networks: [TownNetwork] = []
  private var dice: Dice
  private var time = 0.0

  static let begin = Timestamp(microseconds: 1_750_032_000_000_000)
  static let meadow = Spot(north: 9000, east: 4000)
  private static let size = 1000.0
  private static let street = 100.0

  init(seed: UInt64) {
    dice = Dice(seed: seed)
    for box in 0..<600 {
      let place = Spot(north: dice.number(0...Self.size), east: dice.number(0...Self.size))
      let strength = -30 + 4 * dice.normal()
      for radio in 0..<Int.random(in: 1...3, using: &dice) {
        networks.append(
          TownNetwork(
            address: 0x1000_0000_0000 + UInt64(box) << 8 + UInt64(radio), place: place,
            strength: strength - Double(radio) * 6))
      }
    }
    for hotspot in UInt64(0)..<2 {
      networks.append(
        TownNetwork(address: 0x2000_0000_0000 + hotspot << 8, place: nil, strength: -30))
    }
    for day in 0..<15 {
      time = Double(day) * 86_400
      walk(isAsked: day >= 12)
    }
    for _ in 0..<60 {
      time += 60
      scan(at: Self.meadow, isAsked: true)
    }
  }

  private mutating func walk(isAsked: Bool) {
    var way = Way(from: corner())
    for _ in 0..<4 {
      let goal = corner()
      way.go(to: Spot(north: way.here.north, east: goal.east), 1.3)
      way.go(to: goal, 1.3)
    }
    var drift = Drift(lasting: 90, &dice)
    for second in stride(from: 0, to: way.seconds, by: 5) {
      time += 5
      let place = way.place(at: Double(second))
      if !isAsked { fix(place + drift.after(5, &dice) * (Self.accuracy / 1.51)) }
      if second % 30 == 0 { scan(at: place, isAsked: isAsked) }
    }
  }

  private mutating func corner() -> Spot {
    func street() -> Double { (dice.number(0...Self.size) / Self.street).rounded() * Self.street }
    return Spot(north: street(), east: street())
  }

  private mutating func fix(_ place: Spot) {
    events.append(
      .fix(
        Location(
          coordinate: place.coordinate, horizontalAccuracy: Self.accuracy, timestamp: timestamp)))
  }

  private static let accuracy = 8.0

  private mutating func scan(at place: Spot, isAsked: Bool) {
    let heard = networks.compactMap { $0.heard(at: place, &dice) }
    events.append(
      .scan(NetworkScan(heard, timestamp: timestamp), at: isAsked ? place : nil))
  }

  private var timestamp: Timestamp { Self.begin + .seconds(time) }
}
