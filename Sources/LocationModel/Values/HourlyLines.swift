/// Lines for the journal that others can cause: so many in an hour, from the first of them on.
package struct HourlyLines: Equatable, Sendable {
  private var began = Boottime.start
  private var told = 0

  /// Enough to see what happens, and too few to fill a disk.
  package static let most = 20
  private static let hour: Duration = .seconds(3600)

  package init() {}

  package mutating func mayTell(at now: Boottime) -> Bool {
    if told == 0 || now - began >= Self.hour { (began, told) = (now, 0) }
    guard told < Self.most else { return false }
    told += 1
    return true
  }
}
