import LocationModel

/// When a scan is asked for: as seldom as clients can do with, for it takes power and the radio's time.
///
/// * None is asked for while no client needs a place, nor sooner than half a minute after the last
///   one, whoever had that made.
/// * None while a receiver's good fix is at hand and the networks around would teach nothing.
/// * Clients that are content with a coarse place have one seldom, and so do all where the last ones
///   gave no place.
/// * Where the machine refuses, it is tried again after a while.
struct ScanSchedule {
  /// Metres that will do; nil where nobody needs a place.
  private var demand: Double?
  private(set) var newest: Boottime?
  private var asked: Boottime?
  /// Nil as long as none was asked for.
  private(set) var mayScan: Bool?
  /// Scans in a row that gave no place.
  private var barren = 0
  /// The time at which the next scan is due.
  private(set) var wakesAt: Boottime?

  mutating func update(_ demand: Double?, at now: Boottime) {
    guard demand != self.demand else { return }
    if self.demand == nil { barren = 0 }
    self.demand = demand
    plan(at: now)
  }

  /// A scan was made. `gavePlace`: nil where none was wanted of it.
  mutating func noteScan(at moment: Boottime, gavePlace: Bool?, _ now: Boottime) {
    newest = max(newest ?? moment, moment)
    if let gavePlace { barren = gavePlace ? 0 : min(barren + 1, Self.mostBarren) }
    plan(at: now)
  }

  mutating func noteAnswer(isGranted: Bool, at now: Boottime) {
    mayScan = isGranted
    plan(at: now)
  }

  /// A scan is to be asked for now. A scan of no use is put off.
  mutating func isDue(isOfUse: Bool, at now: Boottime) -> Bool {
    guard let wakesAt, wakesAt <= now else { return false }
    guard isOfUse else {
      self.wakesAt = now + Self.shortest
      return false
    }
    asked = now
    plan(at: now)
    return true
  }

  private mutating func plan(at now: Boottime) {
    guard let demand else {
      wakesAt = nil
      return
    }
    let pause = min(
      Self.pause(for: demand) * (1 << barren), max(Self.pause(for: demand), Self.long))
    var next = now
    if let newest { next = max(next, newest + pause) }
    if let asked { next = max(next, asked + (mayScan == false ? Self.refused : pause)) }
    wakesAt = next
  }

  private static func pause(for accuracy: Double) -> Duration {
    accuracy <= 100 ? shortest : accuracy <= 1000 ? long : longest
  }

  private static let shortest: Duration = .seconds(30)
  private static let long: Duration = .seconds(120)
  private static let longest: Duration = .seconds(300)
  private static let refused: Duration = .seconds(600)
  private static let mostBarren = 2
}
