import LocationModel

/// The daemon's mind: what happens goes in, what is to be done comes out. It knows no machine.
///
/// What is asked after each fix is `mutating` though it changes nothing: all of this would be copied
/// to be only read.
package struct LocationService: ~Copyable {
  package struct Settings: Sendable {
    package var version: String
    /// The daemon's own user.
    package var uid: UInt32
    package var sources: [SourceDescription]
    package var limits = Limits()
    /// How long sources stay open after the last need, in nanoseconds: a client that asks every
    /// second reopens none.
    package var linger: Int64 = 5_000_000_000
    package var duty = Duty.Settings()
    /// Whether fixes that are physically impossible are left out, and vague ones calmed.
    package var isFiltered = true
    package var policy = Policy()
    package var use = UseRule.connected
    /// Nanoseconds that an app may stay in use though nobody looks.
    package var longestHold: Int64 = 14_400_000_000_000

    package init(version: String, uid: UInt32, sources: [SourceDescription]) {
      self.version = version
      self.uid = uid
      self.sources = sources
    }
  }

  var settings: Settings
  var clients = ClientRegistry()
  var sources: SourceSelection
  var delivery = Delivery()
  var registrations: [App: Registration] = [:]
  var undecided = UndecidedRegions()
  /// Apps without a decision that the disk still has records of.
  var undecidedRecords: Set<App> = []
  var regionTotals: [UInt32: RegionTotal] = [:]
  var eventTotals = EventTotals()
  var monitors = Monitors()
  var counters = Status.Counters()
  var wakeAsked: Int64?
  var book: PermissionBook
  var commits: CommitLog
  var use: UseBoard
  var questions = QuestionBoard()
  var consents = Consents()
  var listers = Listers()
  /// Apps with a provisional Always that have come to need it.
  var toConfirm: Set<App> = []
  var held = HeldEvents()
  var temporaryFull: Set<App> = []
  /// Those of the apps with something for as long as they are in use that have been in use since.
  var giftsInUse: Set<App> = []
  var unwrittenUsage: Set<App> = []
  var usageDue: Int64?
  var launches = LaunchBoard()
  var activations = Activations()
  var attendances: AttendanceBoard

  package init(_ settings: Settings, _ remembered: Remembered = .init(), at now: Instant) {
    self.settings = settings
    book = PermissionBook(remembered)
    use = UseBoard(rule: settings.use)
    commits = CommitLog(trouble: remembered.trouble)
    sources = SourceSelection(settings, at: now)
    attendances = AttendanceBoard(at: now)
    recall(remembered)
    recallLaunches(remembered, at: now)
  }

  package mutating func handle(
    _ input: Input, at now: Instant, into outputs: inout [Output]
  ) {
    let before = outputs.count
    route(input, at: now, into: &outputs)
    followUp(input, at: now, into: &outputs)
    for output in outputs[before...] { counters.count(output) }
  }

  /// What the input is about.
  private mutating func route(
    _ input: Input, at now: Instant, into outputs: inout [Output]
  ) {
    switch input {
    case .fix(let source, let fix): accept(fix, from: source, at: now, into: &outputs)
    case .heading(let source, let heading):
      guard let newest = sources.accept(heading, from: source, at: now) else { break }
      delivery.deliver(newest, by: &sources, to: clients, at: now, into: &outputs)
    case .called(let client, let call): answer(call, of: client, at: now, into: &outputs)
    case .connected(let id, let caller):
      welcome(id, caller)
      come(caller.owner, at: now, into: &outputs)
    case .finished(let client):
      if clients[client] != nil { clients.finished.insert(client) }
    case .gone(let client):
      leave(client, at: now, into: &outputs)
      forget(client, at: now, into: &outputs)
    case .found(let source): sources.find(source, at: now)
    case .failed(let source, let reason):
      let hadAllFailed = sources.haveAllFailed
      sources.fail(source, reason, at: now)
      if sources.haveAllFailed, !hadAllFailed { delivery.tellNoSource(into: &outputs) }
    case .configured(let settings): configure(settings, at: now, into: &outputs)
    case .answered(let agent, .question(let number), let answer):
      decide(number, by: agent, answer, at: now, into: &outputs)
    case .answered(let agent, .launch(let number), let answer):
      let trouble = answer == nil ? "its user's agent could not" : nil
      finishLaunch(number, by: agent, trouble, at: now, into: &outputs)
    case .answered(_, .program, _): break
    case .ownerFound(let number, let place):
      take(place, for: number, at: now, into: &outputs)
    case .launched(let number, let trouble):
      finishLaunch(number, by: nil, trouble, at: now, into: &outputs)
    case .consented(let number, let consent):
      take(consent, for: number, at: now, into: &outputs)
    case .present(let users): meet(users, at: now, into: &outputs)
    case .committed(let id):
      finish(id, nil, at: now, into: &outputs)
    case .commitFailed(let id, let trouble):
      finish(id, trouble, at: now, into: &outputs)
    case .timer: counters.wakeUps += 1
    }
  }

  /// What comes of it besides.
  private mutating func followUp(
    _ input: Input, at now: Instant, into outputs: inout [Output]
  ) {
    if case .fix = input {
      // The way of a fix is short: nobody's rights change by it.
    } else {
      giveUpLate(at: now, into: &outputs)
      endHolds(at: now, into: &outputs)
      endGifts(at: now, into: &outputs)
      tellHolds(into: &outputs)
      confirm(at: now, into: &outputs)
      forgetStay(at: now, into: &outputs)
    }
    monitorSilence(at: now, into: &outputs)
    if held.hasNews { confirm(at: now, into: &outputs) }
    delivery.expire(clients, at: now, into: &outputs)
    supply(at: now, into: &outputs)
    writeUsage(at: now, into: &outputs)
    writeAgain(at: now, into: &outputs)
    relaunch(after: input, at: now, into: &outputs)
    tellRegionsChanged(into: &outputs)
    hangUp(into: &outputs)
    askToWake(into: &outputs)
  }
}

extension LocationService {
  /// What is over a new limit already stays.
  private mutating func configure(
    _ settings: Settings, at now: Instant, into outputs: inout [Output]
  ) {
    let policy = self.settings.policy
    self.settings = settings
    if settings.policy != policy { tellListersOfAll(into: &outputs) }
    let hadAllFailed = sources.haveAllFailed
    sources.configure(settings, at: now, into: &outputs)
    if sources.haveAllFailed, !hadAllFailed { delivery.tellNoSource(into: &outputs) }
    use.rule = settings.use
    admit(at: now, into: &outputs)
  }

  mutating func askToWake(into outputs: inout [Output]) {
    var next = earliest(sources.wakesAt, delivery.wakesAt)
    next = earliest(next, questions.nextDeadline)
    next = earliest(next, use.holds.values.min())
    next = earliest(next, launchesDue)
    next = earliest(next, usageDue)
    next = earliest(next, commits.wakesAt)
    next = earliest(next, silenceEnds)
    guard next != wakeAsked else { return }
    wakeAsked = next
    outputs.append(.wake(at: next))
  }
}

// MARK: - Fixes

extension LocationService {
  private mutating func accept(
    _ fix: Fix, from source: SourceID, at now: Instant, into outputs: inout [Output]
  ) {
    counters.fixes += 1
    guard fix.location.isValid else {
      counters.refused += 1
      return
    }
    guard let fix = sources.accept(fix, from: source, at: now) else { return }
    // Detectors have their own ways to calm what they see.
    let sighting =
      monitors.isNeeded || delivery.mayPause
      ? monitors.sight(fix.seen, fix.seenPoint, at: now) : nil
    if let sighting { delivery.pause(after: sighting, into: &outputs) }
    delivery.deliver(fix.told, fix.toldPoint, to: clients, at: now, into: &outputs)
    if let sighting { monitor(fix.seen, sighting, at: now, into: &outputs) }
  }

  private mutating func supply(at now: Instant, into outputs: inout [Output]) {
    var demand = Demand(pace: sources.newest?.location.speed ?? 0)
    delivery.add(to: &demand)
    if let need = monitors.need { demand.add(need) }
    sources.supply(
      delivery.needsFixes || monitors.isNeeded ? demand : nil,
      headings: !delivery.headings.isEmpty, at: now, into: &outputs)
  }

  /// A client that asks nothing more is let go when nothing more is owed to it.
  private mutating func hangUp(into outputs: inout [Output]) {
    guard !clients.finished.isEmpty else { return }
    let busy = delivery.clients
    for client in clients.finished.subtracting(busy).sorted()
    where !commits.isWaiting(client) && !questions.isWaiting(client)
      && !consents.isWaiting(client) && !activations.isWaiting(client)
    {
      clients.finished.remove(client)
      outputs.append(.hangUp(client))
    }
  }
}

extension Status.Counters {
  fileprivate mutating func count(_ output: Output) {
    switch output {
    case .tell(let recipients, _), .report(let recipients, _, _): told += recipients.count
    case .launch, .ask(_, .launch, _): launches += 1
    default: break
    }
  }
}

/// The earlier of two moments, if there are any.
func earliest(_ a: Int64?, _ b: Int64?) -> Int64? {
  guard let a, let b else { return a ?? b }
  return min(a, b)
}
