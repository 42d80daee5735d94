/// Makes epochs of the sentences that ModemManager keeps: the newest of each kind, in any order, some of them old.
///
/// An epoch is taken once, by its time, and only when each kind that still comes has said it: until then ModemManager
/// was asked in the midst of one. Sentences without a time are those of the newest epoch.
struct ModemEpochs: Sendable {
  enum Outcome: Equatable {
    /// The sentences of a new epoch, each with its line end.
    case epoch(String)
    /// No epoch has come since.
    case same
    /// A part of the epoch is still to come: another look is due soon.
    case half
  }

  /// The time of the last epoch, and how many there were.
  private var last: Double?
  private var count = 0
  private var halves = 0
  /// The newest time of each kind, and before which epoch it came.
  private var heard: [Substring: (time: Double, epoch: Int)] = [:]

  private static let timed: Set<Substring> = ["RMC", "GGA", "GNS", "GLL", "GST", "ZDA"]
  private static let untimed: Set<Substring> = ["GSA", "GSV"]
  private static let places: Set<Substring> = ["RMC", "GGA", "GNS", "GLL"]
  private static let mostHalves = 3
  /// Epochs after which a kind that has not come is not waited for.
  private static let patience = 1
  private static let longest = 16 << 10

  mutating func read(_ text: String) -> Outcome {
    guard text.utf8.count <= Self.longest else { return .same }
    let lines = text.split(whereSeparator: \.isNewline).compactMap(Line.init)
    let timed = lines.filter { Self.timed.contains($0.kind) && $0.time != nil }
    let places = timed.filter { Self.places.contains($0.kind) }
    for line in places where heard[line.kind]?.time != line.time {
      heard[line.kind] = line.time.map { ($0, count) }
    }
    // ModemManager keeps a kind that the receiver says no longer.
    let alive = places.filter { count - (heard[$0.kind]?.epoch ?? count) <= Self.patience }
    guard let time = alive.compactMap(\.time).max(by: isOlder), time != last else { return .same }
    if alive.contains(where: { $0.time != time }), halves < Self.mostHalves {
      halves += 1
      return .half
    }
    halves = 0
    last = time
    count += 1
    let others = lines.filter { Self.untimed.contains($0.kind) }
    let whole = timed.filter { $0.time == time } + others
    return .epoch(whole.map { $0.text + "\r\n" }.joined())
  }

  /// Begins anew: the receiver may be another, or the same after a pause.
  mutating func begin() {
    self = ModemEpochs()
  }

  /// Compares times of day: half a day back is a day on.
  private func isOlder(_ a: Double, _ b: Double) -> Bool {
    (a < b) == ((a - b).magnitude < 120_000)
  }
}

/// A sentence, as far as its kind and its time go.
private struct Line {
  let text: Substring
  let kind: Substring
  /// The time of day as HHMMSS.SS.
  let time: Double?

  init?(_ text: Substring) {
    let fields = text.split(separator: ",", maxSplits: 6, omittingEmptySubsequences: false)
    guard text.hasPrefix("$"), let name = fields.first, name.utf8.count >= 6 else { return nil }
    self.text = text
    kind = name.suffix(3)
    let place = kind == "GLL" ? 5 : 1
    time = fields.count > place ? Double(fields[place].prefix { $0 != "*" }) : nil
  }
}
