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

  struct Client {
    var caller: Caller
    var name: String?
    var purpose: String?
    var hasFinished = false
    /// What it may do, decided when something changes.
    var access: Access
    var listening = Listening()
  }

  /// A location, and when it came.
  struct Newest {
    var location: Location
    var arrival: Int64
    var source: SourceID
  }

  var settings: Settings
  var clients: [ClientID: Client] = [:]
  var sessions: [StandardSession] = []
  var oneShots: [OneShot] = []
  var headings: [HeadingSession] = []
  var sources: SourceBoard
  var whereabouts = Whereabouts()
  var newest: Newest?
  /// Who was told of it.
  var told: [Recipient] = []
  var registrations: [App: Registration] = [:]
  var undecided = UndecidedRegions()
  /// Apps without a decision that the disk still has records of.
  var undecidedRecords: Set<App> = []
  var regionTotals: [UInt32: RegionTotal] = [:]
  var eventTotals = EventTotals()
  var monitors = Monitors()
  var duty = Duty()
  var compass = Compass()
  var newestHeading: NewestHeading?
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
  var coarsePlaces: [App: CoarsePlace] = [:]
  var launches = LaunchBoard()
  var activations = Activations()
  var attendances: AttendanceBoard

  package init(_ settings: Settings, _ remembered: Remembered = .init(), at now: Instant) {
    self.settings = settings
    book = PermissionBook(remembered)
    use = UseBoard(rule: settings.use)
    commits = CommitLog(trouble: remembered.trouble)
    sources = SourceBoard(settings.sources, linger: settings.linger, at: now)
    attendances = AttendanceBoard(at: now)
    recall(remembered)
    recallLaunches(remembered, at: now)
  }

  package mutating func handle(
    _ input: Input, at now: Instant, into outputs: inout [Output]
  ) {
    route(input, at: now, into: &outputs)
    followUp(input, at: now, into: &outputs)
  }

  /// What the input is about.
  private mutating func route(
    _ input: Input, at now: Instant, into outputs: inout [Output]
  ) {
    switch input {
    case .fix(let source, let fix): take(fix, from: source, at: now, into: &outputs)
    case .heading(let source, let heading):
      take(heading, from: source, at: now, into: &outputs)
    case .called(let client, let call): answer(call, of: client, at: now, into: &outputs)
    case .connected(let id, let caller):
      welcome(id, caller)
      come(caller.owner, at: now, into: &outputs)
    case .finished(let client):
      clients[client]?.hasFinished = true
      hangUpIfDone(client, into: &outputs)
    case .gone(let client):
      leave(client, at: now, into: &outputs)
      forget(client, at: now, into: &outputs)
    case .found(let source): sources.find(source, at: now)
    case .failed(let source, let reason): fail(source, reason, at: now, into: &outputs)
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
    expire(at: now, into: &outputs)
    settle(at: now, into: &outputs)
    writeUsage(at: now, into: &outputs)
    writeAgain(at: now, into: &outputs)
    relaunch(after: input, at: now, into: &outputs)
    tellRegionsChanged(into: &outputs)
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
    // What a source said that is no longer to be believed is not either.
    if let source = newest?.source, !settings.sources.contains(where: { $0.id == source }) {
      newest = nil
    }
    compass.keep(settings.sources)
    let hadAllFailed = sources.haveAllFailed
    sources.configure(settings.sources, linger: settings.linger, at: now, into: &outputs)
    tellIfAllHaveFailed(unless: hadAllFailed, into: &outputs)
    use.rule = settings.use
    admit(at: now, into: &outputs)
  }

  /// Ends the waits whose time is up.
  mutating func expire(at now: Instant, into outputs: inout [Output]) {
    for i in oneShots.indices.reversed() where oneShots[i].deadline <= now.boottime {
      let late = oneShots.remove(at: i)
      answer(late, late.best, at: now, into: &outputs)
    }
  }

  mutating func askToWake(into outputs: inout [Output]) {
    var next = sources.closesAt
    if let deadline = questions.nextDeadline { next = min(next ?? .max, deadline) }
    if !use.holds.isEmpty, let end = use.holds.values.min() { next = min(next ?? .max, end) }
    if let due = launchesDue { next = min(next ?? .max, due) }
    if let usageDue { next = min(next ?? .max, usageDue) }
    if let again = commits.wakesAt { next = min(next ?? .max, again) }
    if let silenceEnds { next = min(next ?? .max, silenceEnds) }
    if let duty = duty.wakes(settings.duty) { next = min(next ?? .max, duty) }
    for oneShot in oneShots { next = min(next ?? .max, oneShot.deadline) }
    guard next != wakeAsked else { return }
    wakeAsked = next
    outputs.append(.wake(at: next))
  }
}
