/// How long the rest of an import takes, by what is done and what it has taken.
struct ImportPace {
  private let start: Double

  /// Shares of the phases in their order, as a made country of a million junctions has them. Names are few there.
  private static let shares: [(phase: String, share: Double)] = [
    ("relations", 0.01), ("nodes", 0.01), ("ways", 0.20), ("sorting", 0.09), ("streets", 0.01),
    ("words", 0.01), ("roads", 0.51), ("ground", 0.16),
  ]
  /// Seconds, and the share done, before anything is said.
  private static let least = (seconds: 4.0, done: 0.01)

  init(at now: Double) { start = now }

  /// `, about 4 min left`; nil where it is too early to say, or in a phase that is not known.
  func left(in phase: String, _ percent: Int64, at now: Double) -> String? {
    guard let index = Self.shares.firstIndex(where: { $0.phase == phase }) else { return nil }
    let before = Self.shares[..<index].reduce(0) { $0 + $1.share }
    let done = before + Self.shares[index].share * Double(percent) / 100
    let passed = now - start
    guard passed >= Self.least.seconds, done >= Self.least.done, done < 1 else { return nil }
    return ", about \(Self.text(passed * (1 - done) / done)) left"
  }

  private static func text(_ seconds: Double) -> String {
    let seconds = seconds.isFinite ? min(max(seconds, 1), 1e7) : 1e7
    if seconds < 90 { return "\(Int((seconds / 5).rounded(.up)) * 5) s" }
    let minutes = Int((seconds / 60).rounded())
    return minutes < 100 ? "\(minutes) min" : "\((minutes + 30) / 60) h"
  }
}
