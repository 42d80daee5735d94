import LocationModel

/// Gives times of day their days.
struct ReceiverClock {
  /// The newest moment that is sure, from a date or by nearness to one.
  private(set) var last: Timestamp?
  /// On the boot clock, when it was heard.
  private var heard: Boottime = .start
  /// Whether the receiver ever said a date.
  private var isDated = false

  private static let day: Duration = .seconds(86_400)
  private static let halfDay: Duration = .seconds(43_200)
  private static let hour: Duration = .seconds(3600)
  /// After 1024 weeks a receiver's count of weeks begins anew.
  private static let rollover = 1024 * 7

  /// The beginning of 2025, before this program was written: a clock that shows less was not set since
  /// the machine started, and a receiver that says less has lost weeks.
  static var earliest: Timestamp { Timestamp(microseconds: 1_735_689_600_000_000) }

  /// The moment of a day and a time that a receiver says together.
  ///
  /// Some turn the date a while after midnight: time that wraps goes on, though the date does not.
  @discardableResult
  mutating func set(day: Int, time: Duration, heard: Boottime) -> Timestamp {
    var result = Timestamp(day: day) + time
    if let last, result < last, result + Self.day >= last, result + Self.day - last < Self.hour {
      result = result + Self.day
    }
    last = result
    self.heard = heard
    isDated = true
    return result
  }

  /// The moment of that time which is nearest to what the receiver's clock must show by now; without
  /// a date from it, nearest to the guess.
  mutating func moment(time: Duration, heard: Boottime, live: Bool, guess: Timestamp?) -> Timestamp?
  {
    let known = live ? last.map { $0 + (heard - self.heard) } : last
    guard let reference = isDated ? known : guess ?? known else { return nil }
    let result = Self.nearest(time: time, to: reference)
    last = result
    self.heard = heard
    return result
  }

  mutating func start(at moment: Timestamp) { last = moment }

  /// However often the time of day goes round, the date stays a plausible one.
  static func nearest(time: Duration, to moment: Timestamp) -> Timestamp {
    let sameDay = Timestamp(day: moment.dayNumber) + time
    var result = sameDay
    if sameDay - moment > halfDay { result = sameDay - day }
    if moment - sameDay > halfDay { result = sameDay + day }
    return result.isPlausible ? result : moment
  }

  /// The day with as many rollovers put back as keep it from lying in the future.
  static func repaired(day: Int, today: Int) -> Int {
    let behind = today + 1 - day
    return behind < rollover ? day : day + behind / rollover * rollover
  }

  /// The day with as few rollovers put back as bring it to the earliest one that is possible.
  static func repaired(day: Int, notBefore earliest: Int) -> Int {
    day + max(0, earliest - day + rollover - 1) / rollover * rollover
  }
}
