import LocationModel

/// When the service of places is asked where the networks and cells around are. It asks the server that an
/// administrator named, so every question tells somebody where the machine is.
///
/// * A question is put only while a client wants a place, none better is fresh, and something is heard.
/// * The same networks again are the same place: the answer holds, and nothing is asked.
/// * Networks come first. Where nobody knows them, the cell is asked about.
/// * Where no server is named the first refusal says so, and it rests for an hour or until the configuration is read
///   anew. A modem is asked for its cell only once it is known that one is named: an empty question tells.
struct LocatorQuestions {
  /// The clients' wish, and what they have instead.
  struct Want: Equatable {
    /// Metres that will do.
    var accuracy: Double
    /// When a place came that is as good as a server's, if one did.
    var betterAt: Boottime?
  }

  private enum Subject {
    case networks, cells
    /// An empty question: the answer says that a server is named, or that none is.
    case probe

    var kind: PlaceKind { self == .networks ? .askedNetworks : .askedCells }
  }

  private struct Heard {
    var question: GeolocateRequest
    var at: Instant
    var isSimulated: Bool
  }

  private struct Pending {
    var number: Int64
    var subject: Subject
    var heard: Heard
    var deadline: Boottime
  }

  private var heard: [Subject: Heard] = [:]
  private var pending: Pending?
  private var answer: (subject: Subject, place: RadioPlace, heard: Heard)?
  /// Questions that nobody could answer, the newest last.
  private var unknown: [(question: GeolocateRequest, at: Boottime)] = []
  private var wantedSince: Boottime?
  private var nextAt = Boottime.start
  private var restsUntil = Boottime.start
  private var failures = 0
  /// A modem is there.
  var hearsCells = false
  /// A server is named; nil where it is not known.
  private var isOn: Bool?
  private var isWaiting = false
  private var lastNumber: Int64 = 0
  private(set) var wakesAt: Boottime?

  var isIdle: Bool { heard.isEmpty && pending == nil && !hearsCells }
  /// A cell is heard for nothing where nobody can say where it is.
  var wantsCells: Bool { hearsCells && isWaiting && isOn == true }

  /// No server is named, or none answers.
  func isResting(at now: Boottime) -> Bool { restsUntil > now }
}

// MARK: - What is heard

extension LocatorQuestions {
  mutating func hear(_ scan: NetworkScan, simulated: Bool, at now: Instant) {
    let fresh = scan.networks.filter { $0.age < Self.oldest }.sorted { $0.signal > $1.signal }
    let networks = fresh.prefix(Self.most).compactMap(AccessPoint.init)
    guard networks.count >= GeolocateRequest.leastNetworks else {
      heard[.networks] = nil
      return
    }
    hear(GeolocateRequest(networks: networks), .networks, simulated, now)
  }

  /// Nil where the modem is in no cell.
  mutating func hear(_ cell: CellTower?, at now: Instant) {
    guard let cell else {
      heard[.cells] = nil
      return
    }
    hear(GeolocateRequest(cells: [cell]), .cells, false, now)
  }

  private mutating func hear(
    _ question: GeolocateRequest, _ subject: Subject, _ isSimulated: Bool, _ now: Instant
  ) {
    heard[subject] = Heard(question: question, at: now, isSimulated: isSimulated)
    if let answer, answer.subject == subject, question.hearsSame(as: answer.heard.question) {
      self.answer?.heard.at = now
    }
  }
}

// MARK: - Questions

extension LocatorQuestions {
  /// The next question, if it is to be put now. `want`: nil where no client wants a place.
  mutating func next(for want: Want?, at now: Boottime) -> (number: Int64, GeolocateRequest)? {
    if let late = pending, late.deadline <= now { fail(late, at: now) }
    wakesAt = pending?.deadline
    if isOn == false, restsUntil <= now { isOn = nil }
    isWaiting = want.map { ($0.betterAt ?? .start) + Self.freshness <= now } ?? false
    guard let want else {
      wantedSince = nil
      return nil
    }
    let since = wantedSince ?? now
    wantedSince = since
    guard pending == nil, let (subject, heard) = subject(at: now) ?? probe else { return nil }
    var moment = max(since + Self.patience, nextAt, restsUntil)
    if let better = want.betterAt { moment = max(moment, better + Self.freshness) }
    guard moment <= now else {
      wakesAt = moment
      return nil
    }
    lastNumber += 1
    nextAt = now + (want.accuracy < Self.coarse ? Self.pause : Self.longPause)
    pending = Pending(
      number: lastNumber, subject: subject, heard: heard, deadline: now + Self.longestWait)
    wakesAt = pending?.deadline
    return (lastNumber, heard.question)
  }

  private var probe: (Subject, Heard)? {
    guard hearsCells, isOn == nil else { return nil }
    let now = Instant(boottime: .start, utc: Timestamp(microseconds: 0), utcTrusted: false)
    return (.probe, Heard(question: GeolocateRequest(), at: now, isSimulated: false))
  }

  /// The radio hears nothing. `isWanted`: a client wants a place.
  mutating func wait(_ isWanted: Bool, at now: Boottime) {
    wantedSince = isWanted ? wantedSince ?? now : nil
  }

  /// The best that is heard now and not answered: nil where nothing is, or it is known that nobody knows.
  private mutating func subject(at now: Boottime) -> (Subject, Heard)? {
    heard = heard.filter { now - $0.value.at.boottime < Self.lasting }
    unknown.removeAll { now - $0.at >= Self.rest }
    for subject in [Subject.networks, .cells] {
      guard let heard = heard[subject] else { continue }
      if let answer, answer.subject == subject,
        heard.question.hearsSame(as: answer.heard.question)
      {
        return nil
      }
      guard !unknown.contains(where: { $0.question.hearsSame(as: heard.question) }) else {
        continue
      }
      return (subject, heard)
    }
    return nil
  }

  /// True where a place is known by it that was not before.
  mutating func conclude(
    _ number: Int64, _ result: Result<RadioPlace, Refusal>, at now: Boottime
  ) -> Bool {
    guard let asked = pending, asked.number == number else { return false }
    pending = nil
    switch result {
    case .success(let place):
      (failures, isOn) = (0, true)
      answer = (asked.subject, place, asked.heard)
      return true
    case .failure(let refusal):
      switch refusal.code {
      case .invalidParameters where asked.subject == .probe:
        (failures, isOn, nextAt) = (0, true, now)
      case .geocodeFoundNoResult, .invalidParameters:
        (failures, isOn) = (0, true)
        unknown.append((asked.heard.question, now))
        if unknown.count > Self.mostUnknown { unknown.removeFirst() }
        // The cell need not wait for the next scan.
        if asked.subject == .networks { nextAt = now }
      case .unknownMethod, .denied: (isOn, restsUntil) = (false, now + Self.rest)
      default: fail(asked, at: now)
      }
      return false
    }
  }

  private mutating func fail(_ asked: Pending, at now: Boottime) {
    pending = nil
    let rest = min(Self.firstRest * (1 << min(failures, 10)), Self.rest)
    failures += 1
    restsUntil = now + rest
  }

  /// The configuration is read anew: it may name a server by now.
  mutating func askAgain() {
    restsUntil = .start
    failures = 0
    isOn = nil
  }

  /// Forgets where the machine was.
  mutating func forget() {
    heard = [:]
    answer = nil
    unknown = []
    pending = nil
    wakesAt = nil
  }
}

// MARK: - The answer

extension LocatorQuestions {
  /// The place by a server's word, as long as it may hold.
  func place(at now: Instant) -> Location? {
    guard let (subject, place, heard) = answer else { return nil }
    let age = now.boottime - heard.at.boottime
    guard age < Self.lasting else { return nil }
    var location = Location(
      coordinate: place.coordinate,
      horizontalAccuracy: place.horizontalAccuracy
        + KnownPlaces.reach(after: age - Self.freshness),
      timestamp: heard.at.utc, source: subject.kind.source())
    location.simulated = heard.isSimulated
    return location
  }

  /// A receiver that is about to say better is given so long.
  private static let patience: Duration = .seconds(2)
  /// A place that is no older needs no other, and does not grow.
  private static let freshness: Duration = .seconds(30)
  private static let pause: Duration = .seconds(30)
  private static let longPause: Duration = .seconds(120)
  /// A wish of so many metres or more is for the longer pause.
  private static let coarse = 1000.0
  /// The service gives up on its server long before.
  private static let longestWait: Duration = .seconds(15)
  private static let firstRest: Duration = .seconds(60)
  private static let rest: Duration = .seconds(3600)
  private static let lasting: Duration = .seconds(600)
  private static let oldest: Duration = .seconds(60)
  /// Ten are enough for a place; more would only tell more.
  private static let most = 20
  private static let mostUnknown = 64
  /// A place that is worse than this is not better than a server's word.
  static let better = 100.0
}
