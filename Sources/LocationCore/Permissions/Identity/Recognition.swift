import LocationModel

/// Programs without a name of their own, which their user's agent is asked about once more.
///
/// * Only the agent of the same user is asked, never kin of the program, and about each process once: about each of
///   its connections, where the kernel tells them apart.
/// * A process is looked at as long as it is the one that connected: its number and the moment of its start are compared.
/// * A name is only ever taken on; a program that has one keeps it.
/// * While a program is looked at, no person is asked about it by the name that it is about to lose.
/// * An agent that comes and goes is given `rounds` rounds in a `pause`, and `mostUnderWay` questions at a time.
struct Recognition {
  struct Program: Hashable, Comparable {
    var uid: UInt32
    var process: ProcessID
    /// The connection that it was looked at by: another may have been made before the process ran this program.
    var socket: UInt32?

    static func < (a: Self, b: Self) -> Bool {
      (a.uid, a.process.pid, a.process.startTime, a.socket ?? 0)
        < (b.uid, b.process.pid, b.process.startTime, b.socket ?? 0)
    }
  }

  private struct Round {
    /// The agent whose round it is.
    var agent: ClientID?
    /// The agent that waits for its round, and until when.
    var next: (agent: ClientID, at: Boottime)?
    var begun: [Boottime] = []
  }

  private var rounds: [UInt32: Round] = [:]
  private var underWay: [UInt32: Set<Program>] = [:]
  /// Users with programs that may be looked at.
  private(set) var waiting: Set<UInt32> = []
  /// Programs that are told by now, and are renamed as soon as nothing about them is being written.
  private(set) var found: [Program: ProgramClue] = [:]
  /// Calls that have a person asked, of clients that are looked at.
  private(set) var held: [(client: ClientID, call: Call)] = []

  static let mostRounds = 4
  static let pause: Duration = .seconds(10)
  static let mostUnderWay = 64
  static let mostHeld = 64
}

// MARK: - Rounds

extension Recognition {
  /// The user has another agent now, or none.
  mutating func turn(_ uid: UInt32, to agent: ClientID?, at now: Instant) {
    var round = rounds[uid] ?? Round()
    if let agent, agent == round.agent ?? round.next?.agent { return }
    round.begun.removeAll { $0 + Self.pause <= now.boottime }
    round.agent = nil
    round.next = nil
    if let agent {
      if round.begun.count < Self.mostRounds {
        begin(agent, &round, of: uid, at: now)
      } else {
        round.next = (agent, round.begun[round.begun.count - Self.mostRounds] + Self.pause)
      }
    }
    rounds[uid] = agent == nil && round.begun.isEmpty ? nil : round
  }

  private mutating func begin(
    _ agent: ClientID, _ round: inout Round, of uid: UInt32, at now: Instant
  ) {
    round.agent = agent
    round.next = nil
    round.begun.append(now.boottime)
    waiting.insert(uid)
  }

  var wakesAt: Boottime? {
    rounds.isEmpty ? nil : rounds.values.lazy.compactMap(\.next?.at).min()
  }

  mutating func beginDue(at now: Instant) {
    for (uid, round) in rounds {
      guard let next = round.next, next.at <= now.boottime else { continue }
      var round = round
      begin(next.agent, &round, of: uid, at: now)
      rounds[uid] = round
    }
  }

  /// The agent that may be asked now.
  func agent(of uid: UInt32) -> ClientID? { rounds[uid]?.agent }

  /// Somebody may be there to look at.
  mutating func wait(_ uid: UInt32) { waiting.insert(uid) }

  mutating func drainWaiting() -> [UInt32] {
    defer { waiting = [] }
    return waiting.sorted()
  }
}

// MARK: - Looks

extension Recognition {
  func isUnderWay(_ program: Program) -> Bool {
    underWay[program.uid]?.contains(program) == true
  }

  /// Whether it is time to look for more: each search goes through all clients.
  func hasRoom(for uid: UInt32) -> Bool { underWay[uid]?.count ?? 0 <= Self.mostUnderWay / 2 }

  /// False where enough of the user's programs are being looked at.
  mutating func begin(_ program: Program) -> Bool {
    guard underWay[program.uid]?.count ?? 0 < Self.mostUnderWay else { return false }
    underWay[program.uid, default: []].insert(program)
    return true
  }

  mutating func end(_ program: Program, _ clue: ProgramClue?) {
    guard underWay[program.uid]?.remove(program) != nil else { return }
    if underWay[program.uid]?.isEmpty == true { underWay[program.uid] = nil }
    if let clue { found[program] = clue }
    waiting.insert(program.uid)
  }

  mutating func conclude(_ program: Program) { found[program] = nil }

  mutating func hold(
    _ call: Call, of client: ClientID, _ caller: Caller, _ clients: ClientRegistry
  ) throws(Refusal) {
    guard clients.count(of: caller.uid, in: held.lazy.map(\.client)) < Self.mostHeld else {
      throw Refusal(.limitExceeded, "Too many of your programs are asked about at once.")
    }
    held.append((client, call))
  }

  mutating func release(_ free: Set<ClientID>) -> [(client: ClientID, call: Call)] {
    defer { held.removeAll { free.contains($0.client) } }
    return held.filter { free.contains($0.client) }
  }

  func isHolding(_ client: ClientID) -> Bool { held.contains { $0.client == client } }

  mutating func forget(_ client: ClientID) { held.removeAll { $0.client == client } }
}
