import LocationModel

/// When a program that has registered something was last there, in days.
///
/// A clock may be wrong for a while, and a machine switched off for months: so it is not gone for long
/// before it has been missed on several days that are days of that clock, too.
struct Attendance: Equatable {
  /// Since the Unix epoch, UTC.
  var day: Int64
  /// Days since then on which it was looked for and not there.
  private(set) var absences = 0
  private var missedOn: Int64?

  static let longestAbsence: Int64 = 90
  static let fewestAbsences = 7

  init(on day: Int64) { self.day = day }

  /// Whether that says something new.
  mutating func see(on today: Int64) -> Bool {
    guard day != today || absences > 0 else { return false }
    self = Attendance(on: today)
    return true
  }

  mutating func miss(on today: Int64) -> Bool {
    // Nobody was there on a day to come: a clock was wrong, and it is counted anew.
    if today < day {
      self = Attendance(on: today)
      return true
    }
    guard today != day, today != missedOn else { return false }
    missedOn = today
    absences += 1
    return true
  }

  func hasLapsed(on today: Int64) -> Bool {
    today - day >= Self.longestAbsence && absences >= Self.fewestAbsences
  }
}

extension Attendance {
  var json: JSON {
    [
      "day": .integer(day), "absences": .integer(Int64(absences)),
      "missedOn": missedOn.map(JSON.integer),
    ]
  }

  init?(_ json: JSON) {
    guard let day = json["day"]?.integer, (0...1 << 40).contains(day) else { return nil }
    self.init(on: day)
    absences = Int(min(max(json["absences"]?.integer ?? 0, 0), Int64(Self.fewestAbsences)))
    missedOn = json["missedOn"]?.integer
  }
}

/// That of all of them, and when it is looked for them next.
struct AttendanceBoard {
  var entries: [App: Attendance] = [:]
  var looksAt: Int64

  init(at now: Instant) { looksAt = now.boottime + Self.first }

  /// By then whoever starts with the machine has come.
  private static let first: Int64 = 600_000_000_000
  private static let interval: Int64 = 72_000_000_000_000
  private static let untrusted: Int64 = 3_600_000_000_000

  mutating func looked(at now: Instant) {
    looksAt = now.boottime + (now.utcTrusted ? Self.interval : Self.untrusted)
  }
}
