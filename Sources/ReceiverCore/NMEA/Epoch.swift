import Geodesy
import LocationModel

/// One epoch, as far as its sentences have said it.
struct Epoch {
  /// Since midnight, or none.
  var time: Duration
  /// Days since the Unix epoch, where one of its sentences says so.
  var day: Int?

  private(set) var place: Fields.Place?
  /// By how many more sentences it is said than another.
  private var agreeing = 0
  var altitude: Double?
  var separation: Double?
  /// Where the receiver says it by itself.
  var ellipsoidalAltitude: Double?
  /// Metres per second and degrees, of RMC, else of another sentence.
  var speed: Double?
  var course: Double?
  var movesByRMC = false

  var horizontalDilution: Double?
  var satellitesUsed: Int?
  var errors = StatedErrors()

  /// The kinds of sentences that have come; then those with a fix, and those that say there is none.
  private(set) var said: Voices = []
  /// Whether what spoke last had spoken before: it knows better now. So do receivers that say more
  /// places than their times tell apart.
  private var isCorrecting = false
  private var votes: (isFix: Voices, isNone: Voices) = ([], [])
  private(set) var kind: Fix.Kind?

  init(time: Duration, heard: Timestamp? = nil) {
    self.time = time
    self.heard = heard
  }

  /// Further from any time of day than stragglers and intervals reach.
  static let none: Duration = .seconds(-1_000_000_000)
  /// That of an epoch whose receiver says no time.
  static let timeless = none + .seconds(1)

  var isBegun: Bool { time != Self.none }
  var isTimeless: Bool { time == Self.timeless }
  /// On the boot clock, when its first sentence came.
  var begun: Boottime = .start
  /// The system's clock when the first byte of that sentence was read.
  var heard: Timestamp?
  /// The date is not what the receiver says: lost weeks were put back.
  var isRepaired = false
  /// Time and date are the receiver's own.
  var saysItsDate: Bool { day != nil && !isRepaired && !isStanding && !isTimeless }
  /// Whether the epoch before had the same time: the receiver's clock stands still.
  var isStanding = false

  /// Where sentences contradict each other, the place that most agree on is right; of those that
  /// agree, the one with the most decimals, from which others were rounded.
  mutating func add(_ place: Fields.Place?) {
    guard let place else { return }
    if let held = self.place, !held.agrees(with: place) {
      agreeing -= 1
      if agreeing >= 0 { return }
      self.place = place
      agreeing = 1
    } else {
      agreeing += 1
      let scale = self.place?.scale ?? 0
      if self.place == nil || place.scale > scale || isCorrecting && place.scale == scale {
        self.place = place
      }
    }
  }

  /// The sentence that says more of how the place came about is right.
  mutating func add(_ kind: Fix.Kind?) {
    guard let kind else { return }
    if let held = self.kind, held.weight >= kind.weight { return }
    self.kind = kind
  }

  /// The kinds of sentence that say a time and whether there is a place.
  struct Voices: OptionSet {
    let rawValue: UInt8
    static let rmc = Self(rawValue: 1)
    static let gga = Self(rawValue: 2)
    static let gns = Self(rawValue: 4)
    static let gll = Self(rawValue: 8)
    static let maker = Self(rawValue: 16)
  }

  mutating func hear(_ voice: Voices) { isCorrecting = !said.insert(voice).inserted }

  mutating func vote(_ voice: Voices, isFix: Bool) {
    if isFix { votes.isFix.insert(voice) } else { votes.isNone.insert(voice) }
  }

  /// One no is enough, but that of a constellation that has another of the same kind say yes.
  var isBelieved: Bool {
    place != nil && !votes.isFix.isEmpty && votes.isNone.isSubset(of: votes.isFix)
  }
}

extension Fields.Place {
  /// Whether no more than roundings lie between them.
  func agrees(with other: Self) -> Bool {
    let (a, b) = (coordinate, other.coordinate)
    if abs(a.latitude - b.latitude) < 0.001, abs(a.longitude - b.longitude) < 0.001 { return true }
    return a.distance(to: b) < 200
  }
}

extension Fix.Kind {
  /// The kind by NMEA's mode letter; nil for no fix and for any other letter.
  init?(mode: UInt8) {
    switch mode {
    case UInt8(ascii: "A"): self = .autonomous
    case UInt8(ascii: "D"): self = .differential
    case UInt8(ascii: "P"): self = .precise
    case UInt8(ascii: "F"): self = .rtkFloat
    case UInt8(ascii: "R"): self = .rtkFixed
    case UInt8(ascii: "E"): self = .estimated
    case UInt8(ascii: "M"): self = .manual
    case UInt8(ascii: "S"): self = .simulated
    default: return nil
    }
  }

  /// The kind by GGA's quality.
  init?(quality: Int) {
    switch quality {
    case 1: self = .autonomous
    case 2, 9: self = .differential
    case 3: self = .precise
    case 4: self = .rtkFixed
    case 5: self = .rtkFloat
    case 6: self = .estimated
    case 7: self = .manual
    case 8: self = .simulated
    default: return nil
    }
  }

  var weight: Int {
    switch self {
    case .autonomous: 0
    case .differential: 1
    case .precise: 2
    case .rtkFloat: 3
    case .rtkFixed: 4
    case .estimated: 5
    case .manual: 6
    case .simulated: 7
    }
  }
}

/// Learns which sentence a receiver ends its epochs with, so that a fix need not wait for the next.
///
/// Receivers that say less in some seconds than in others are told apart by the sentence that an
/// epoch begins with.
struct EpochEnd {
  /// A sentence, and the how many-th it is in a row of its own kind.
  private struct Mark: Equatable {
    var sentence: UInt64 = 0
    var row = 0
  }

  private struct Habit {
    var first: UInt64
    var last: Mark
    /// The first is believed at once, a change the second time.
    var isBelieved = true
    /// How the epoch before ended, if it said the last sentence more or less often than this: that is
    /// no news until it is said twice.
    var other: Mark?
  }

  private var habits: [Habit] = []
  /// The kind of sentence that began this epoch.
  private(set) var first: UInt64 = 0
  private var last = Mark()
  private var expected: Mark?

  private static let mostHabits = 8

  init() { habits.reserveCapacity(Self.mostHabits) }

  /// The line was lost: where it broke off, no epoch ended.
  mutating func breakOff() {
    first = 0
    last = Mark()
    expected = nil
  }

  /// A new epoch begins, thus the one before has ended; `note` follows for the same sentence.
  mutating func begin(with sentence: UInt64) {
    learn()
    first = sentence
    last = Mark()
    expected = habits.first { $0.first == sentence && $0.isBelieved }?.last
  }

  /// Whether the epoch ends with this sentence, as far as is known.
  mutating func note(_ sentence: UInt64) -> Bool {
    last = Mark(sentence: sentence, row: last.sentence == sentence ? last.row + 1 : 1)
    return last == expected
  }

  private mutating func learn() {
    guard first != 0 else { return }
    guard let i = habits.firstIndex(where: { $0.first == first }) else {
      if habits.count == Self.mostHabits { habits.removeFirst() }
      habits.append(Habit(first: first, last: last))
      return
    }
    if habits[i].last == last {
      habits[i].isBelieved = true
      habits[i].other = nil
    } else if habits[i].other == last {
      habits[i] = Habit(first: first, last: last)
    } else if habits[i].last.sentence == last.sentence {
      habits[i].other = last
    } else {
      habits[i] = Habit(first: first, last: last, isBelieved: false)
    }
  }
}

/// The last epochs, to know a straggler by.
struct RecentEpochs {
  private typealias Entry = (time: Duration, said: Epoch.Voices)
  private var last: (Entry, Entry, Entry, Entry) = (
    (Epoch.none, []), (Epoch.none, []), (Epoch.none, []), (Epoch.none, [])
  )

  mutating func add(_ epoch: Epoch) {
    last = ((epoch.time, epoch.said), last.0, last.1, last.2)
  }

  func said(at time: Duration) -> Epoch.Voices? {
    for entry in [last.0, last.1, last.2, last.3] where entry.time == time { return entry.said }
    return nil
  }
}
