internal import LocationModel

/// How a server fares, and when it may be asked next.
struct ServerRecord: Sendable {
  /// A public server is asked once a second, by all programs together.
  static let pause: Duration = .seconds(1)
  /// After a failure it is not asked for so long, twice as long after each more, and longer where it says so.
  static let firstRest: Duration = .seconds(1)
  static let longestRest: Duration = .seconds(300)
  /// A server that is asked too much rests for so long, where it does not say how long.
  static let restOfRefused: Duration = .seconds(60)

  private var requests: Int64 = 0
  private var answers: Int64 = 0
  private var failures: Int64 = 0
  var reused: Int64 = 0
  /// Answers from the disk in its place.
  var replaced: Int64 = 0
  /// Why it did not answer last; nil where it did.
  private(set) var trouble: String?
  private let isPublic: Bool
  private var next = Boottime.start
  private var restsUntil = Boottime.start
  private var failuresInRow = 0

  init(isPublic: Bool) { self.isPublic = isPublic }

  /// The moment at which it may be asked; nil where there is none before the deadline.
  mutating func reserveSlot(at now: Boottime, before deadline: Boottime) -> Boottime? {
    guard restsUntil <= now else { return nil }
    let turn = isPublic ? max(now, next) : now
    guard turn < deadline else { return nil }
    if isPublic { next = turn + Self.pause }
    requests += 1
    return turn
  }

  mutating func succeed() {
    answers += 1
    failuresInRow = 0
    trouble = nil
  }

  /// `wait`: its own wish.
  mutating func fail(_ reason: String, wait: Duration? = nil, at now: Boottime) {
    failures += 1
    trouble = reason
    let rest = min(Self.firstRest * (1 << min(failuresInRow, 10)), Self.longestRest)
    failuresInRow += 1
    restsUntil = max(restsUntil, now + max(rest, min(wait ?? .zero, .seconds(86_400))))
  }

  var json: JSON {
    [
      "requests": .integer(requests), "answers": .integer(answers), "failures": .integer(failures),
      "reused": .integer(reused), "replaced": .integer(replaced),
      "trouble": trouble.map(JSON.string),
    ]
  }
}
