import LocationModel

/// A location that was told to GeoClue clients, and the number it is called by.
final class ToldLocation {
  let number: UInt64
  let location: Location
  /// Boottime.
  let since: Boottime
  /// Another one is measured against it.
  let isEvidence: Bool

  init(_ number: UInt64, _ location: Location, since: Boottime) {
    self.number = number
    self.location = location
    self.since = since
    isEvidence = location.kind.isEvidence
  }

  static let folder: StaticString = "/org/freedesktop/GeoClue2/Location"

  var path: String { "\(Self.folder)/\(number)" }
}

/// The locations that one client was told last: it may read them when it gets to it.
struct ToldLocations {
  /// Oldest first; those before `head` are forgotten.
  private var all: [ToldLocation] = []
  private var head = 0
  /// More than the bus and the kernel hold for one who does not read.
  private static let most = 512
  private static let longest: Duration = .seconds(60)

  var newest: ToldLocation? { all.count > head ? all.last : nil }

  mutating func add(_ told: ToldLocation) {
    all.append(told)
    while all.count - head > Self.most || told.since - all[head].since > Self.longest { head += 1 }
    if head > 64, head * 2 > all.count {
      all.removeFirst(head)
      head = 0
    }
  }

  /// For one that will never be sent.
  mutating func removeNewest() { if all.count > head { all.removeLast() } }

  subscript(number: UInt64) -> ToldLocation? {
    all[head...].last { $0.number == number }
  }
}
