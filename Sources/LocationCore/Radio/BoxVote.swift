/// Where most of the boxes around stand, if enough of them agree.
///
/// A box is a voice, however many networks it has. The vote begins at the box with which most of the
/// weight agrees, and goes on to the middle of those that agree.
struct BoxVote {
  typealias Spot = PackedPlane.Spot

  /// A network, or the networks of one box.
  struct Box {
    var address: UInt64
    var spot: Spot
    var weight: Double
  }

  private var boxes: [Box] = []
  private(set) var spot = Spot()
  /// Metres, 68 %.
  private(set) var radius = 0.0

  /// Nil where fewer than two boxes agree, or fewer than half of them.
  init?(_ networks: [Box]) {
    for network in networks.sorted(by: { $0.address < $1.address }) { add(network) }
    var most = 0.0
    for box in boxes {
      let weight = boxes.reduce(0) { $0 + (agree($1, with: box.spot) ? $1.weight : 0) }
      if weight > most { (most, spot) = (weight, box.spot) }
    }
    for _ in 0..<Self.rounds { spot = middle() }
    let voters = boxes.filter { agree($0, with: spot) }
    guard voters.count >= Self.leastVoters, voters.count * 2 >= boxes.count else { return nil }
    radius = expectedError(of: voters)
  }

  /// The addresses of a box follow each other.
  private mutating func add(_ network: Box) {
    guard var box = boxes.last, network.address - box.address <= Self.longestStep else {
      return boxes.append(network)
    }
    let share = network.weight / (box.weight + network.weight)
    box.spot.x += (network.spot.x - box.spot.x) * share
    box.spot.y += (network.spot.y - box.spot.y) * share
    box.weight = max(box.weight, network.weight)
    box.address = network.address
    boxes[boxes.count - 1] = box
  }

  private func agree(_ box: Box, with spot: Spot) -> Bool {
    box.spot.distance(to: spot) <= Self.reach
  }

  private func middle() -> Spot {
    var (sum, weight) = (Spot(), 0.0)
    for box in boxes where agree(box, with: spot) {
      sum.x += box.spot.x * box.weight
      sum.y += box.spot.y * box.weight
      weight += box.weight
    }
    return weight > 0 ? Spot(x: sum.x / weight, y: sum.y / weight) : spot
  }

  /// Few boxes show too little of their spread: hence the part that falls with the square of their
  /// number.
  private func expectedError(of voters: [Box]) -> Double {
    var (sum, weight) = (0.0, 0.0)
    for box in voters {
      let distance = box.spot.distance(to: spot)
      sum += distance * distance * box.weight
      weight += box.weight
    }
    let count = Double(voters.count)
    let spread = Self.perSpread * sum / weight + Self.unseenSpread / count
    return (Self.leastRadius * Self.leastRadius + spread / count).squareRoot()
  }

  private static let leastVoters = 2
  private static let longestStep: UInt64 = 8
  private static let rounds = 6
  /// Metres. Fixed with the numbers of the radius by eight simulated towns.
  private static let reach = 150.0
  private static let leastRadius = 10.0
  private static let perSpread = 2.0
  private static let unseenSpread = 230.0 * 230.0
}
