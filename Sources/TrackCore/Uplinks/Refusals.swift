/// The entries that a server has refused, until the fault is found. A server that takes others refuses the entry,
/// which is parked; a server that takes none is wrong itself, and everything waits.
struct Refusals: Equatable, Sendable {
  enum Finding: Equatable, Sendable {
    /// Another entry shows whether the server takes any.
    case open
    /// The server has taken others between the refusals of this one.
    case entry
    case server
  }

  private struct Suspect: Equatable {
    /// Times that it was refused after another had been taken.
    var proofs = 0
    /// The server has taken another entry since the last refusal.
    var isAlone = false
  }

  /// The suspects by the number of the entry.
  private var suspects: [Int64: Suspect] = [:]
  /// Times in a row at which the server took nothing.
  private var holds = 0

  /// So many refusals without a success are the server's. Each time that it takes nothing adds one, so that
  /// bad entries in a row do not stop the uplink for good.
  private static let fewest = 3
  private static let most = 16
  /// A server may refuse now one, now another by mistake.
  private static let enough = 2

  mutating func refuse(_ number: Int64) -> Finding {
    var suspect = suspects[number] ?? Suspect()
    if suspect.isAlone { suspect.proofs += 1 }
    guard suspect.proofs < Self.enough else {
      suspects[number] = nil
      return .entry
    }
    suspect.isAlone = false
    suspects[number] = suspect
    let isFew = suspects.values.count { !$0.isAlone } < min(Self.fewest + holds, Self.most)
    return isFew ? .open : .server
  }

  /// True where entries that wait aside are to be tried once more.
  mutating func confirm(_ numbers: ClosedRange<Int64>) -> Bool {
    for number in suspects.keys where numbers.contains(number) { suspects[number] = nil }
    if suspects.isEmpty { holds = 0 }
    let isNews = suspects.values.contains { !$0.isAlone }
    for number in suspects.keys { suspects[number]?.isAlone = true }
    return isNews
  }

  /// Everything waits.
  mutating func hold() {
    holds += 1
    beginAnew()
  }

  /// All is sent again: a success before says nothing any more.
  mutating func beginAnew() {
    for number in suspects.keys { suspects[number]?.isAlone = false }
  }
}
