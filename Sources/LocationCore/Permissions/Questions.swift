import LocationModel

/// Questions that people have been asked and have not answered.
struct Questions {
  struct Asker: Equatable {
    var client: ClientID
    var call: JSON
  }

  struct Question {
    var asked: AgentQuestion
    /// A client of the app that it is about.
    var caller: Caller
    var agent: ClientID
    var deadline: Boottime
    /// The clients that wait for it; none where the daemon itself wants to know.
    var askers: [Asker]
    /// Asked for by the daemon: it goes on though nobody waits.
    var isOurs: Bool
    /// The ways by which its askers came; none where the daemon asks.
    var entries: Set<Caller.Entry>

    var app: App { caller.owner }
  }

  /// An app whose question was closed or let be: for a while nobody is asked about it again.
  struct Rest {
    var until: Boottime
    var length: Duration
  }

  /// The agent that tells the programs of a user apart.
  var agents: [UInt32: ClientID] = [:] { didSet { note(agents, oldValue) } }
  /// The agent that asks that user: the first, unless the question is about its kin.
  var askers: [UInt32: [ClientID]] = [:] { didSet { note(askers, oldValue) } }
  /// Users whose agents are others now.
  var changed: Set<UInt32> = []
  var open: [Int64: Question] = [:]
  var rests: [App: Rest] = [:]
  private var last: Int64 = 0

  static let mostAskers = 64
  /// Apps of one user that are not asked about for a while.
  private static let mostRests = 64
  static let patience: Duration = .seconds(120)
  private static let firstRest: Duration = .seconds(10)
  /// Where it is the app that went away.
  static let firstRestOfGone: Duration = .seconds(2)
  private static let longestRest: Duration = .seconds(3600)

  private mutating func note<Agents: Equatable>(
    _ new: [UInt32: Agents], _ old: [UInt32: Agents]
  ) {
    for uid in Set(new.keys).union(old.keys) where new[uid] != old[uid] { changed.insert(uid) }
  }

  mutating func nextNumber() -> Int64 {
    last += 1
    return last
  }

  func isAgent(_ client: ClientID, _ app: App) -> Bool {
    agents[app.uid] == client || askers[app.uid]?.contains(client) == true
  }

  func isWaiting(_ client: ClientID) -> Bool {
    !open.isEmpty && open.values.contains { $0.askers.contains { $0.client == client } }
  }

  func isResting(_ app: App, at now: Instant) -> Bool { restEnd(of: app, after: now) != nil }

  func restEnd(of app: App, after now: Instant) -> Boottime? {
    rests[app].flatMap { $0.until > now.boottime ? $0.until : nil }
  }

  /// How many are open about apps of the user.
  func count(of uid: UInt32) -> Int { open.values.count { $0.app.uid == uid } }

  var nextDeadline: Boottime? { open.isEmpty ? nil : open.values.lazy.map(\.deadline).min() }

  /// Each time it is not answered, twice as long.
  mutating func rest(_ app: App, first: Duration = firstRest, at now: Instant) {
    let length = min((rests[app]?.length ?? first / 2) * 2, Self.longestRest)
    rests[app] = Rest(until: now.boottime + length, length: length)
    // Rests that ended long ago are forgotten. If a user's are too many, so is the one that ends first.
    rests = rests.filter { $0.value.until + Self.longestRest > now.boottime }
    let ofUser = rests.filter { $0.key.uid == app.uid }
    guard ofUser.count > Self.mostRests,
      let first = ofUser.min(by: { $0.value.until < $1.value.until })
    else { return }
    rests[first.key] = nil
  }
}
