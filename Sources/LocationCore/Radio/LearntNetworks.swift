package import LocationModel

/// The Wi-Fi networks that this machine has heard where good fixes told its place, and the place that
/// they give back.
///
/// A scan between two fixes is learnt from when the second comes; the answer to it was made before,
/// and shows how good answers are. To forget everything is to begin with another salt.
package struct LearntNetworks {
  private var table = NetworkTable()
  let salt: NetworkSalt
  package private(set) var scale: RadiusScale
  private var last: (place: PackedPlace, accuracy: Double, moment: Boottime)?
  /// The scan since the last fix, with the answer to it.
  private var scan: (networks: [HeardNetwork], answer: Answer?, moment: Boottime)?
  /// Where and when it learnt last.
  private var lesson: (place: PackedPlace, moment: Boottime)?
  /// Where the answer before a lesson was right.
  private var known: PackedPlace?
  private(set) var hasChanged = false

  private struct Answer {
    var place: PackedPlace
    var radius: Double
  }

  package init(
    salt: NetworkSalt, scale: RadiusScale = .init(), _ rows: some Sequence<NetworkRow> = []
  ) {
    self.salt = salt
    self.scale = scale
    restore(Array(rows))
  }

  package var count: Int { table.networks.count }

  /// The rows that the disk does not have as they are, so many at most, and those that it is to forget.
  mutating func drainChanges(most: Int = .max) -> (changed: [NetworkRow], dropped: [Int64]) {
    let changes = table.drainChanges(most: most)
    hasChanged = changes.changed.count == most
    return changes
  }

  /// Takes rows that the disk has.
  mutating func restore(_ rows: [NetworkRow]) {
    for row in rows { if let network = row.network { table.insert(network) } }
  }

  /// The disk has none of them.
  mutating func markUnwritten() {
    table.markUnwritten()
    hasChanged = count > 0
  }
}

// MARK: - Answers

extension LearntNetworks {
  /// Takes a scan that was made now, and returns what it says of the place.
  package mutating func handle(_ scan: NetworkScan, at now: Instant) -> Location? {
    let networks = Self.fresh(scan)
    let answer = answer(networks)
    self.scan = (networks, answer, now.boottime)
    return answer.map {
      Location(
        coordinate: $0.place.coordinate, horizontalAccuracy: $0.radius, timestamp: scan.timestamp)
    }
  }

  private func answer(_ networks: [HeardNetwork]) -> Answer? {
    let known = networks.compactMap { heard in
      table[salt.hash(heard.address)].flatMap { $0.standsForPlace ? (heard, $0.place) : nil }
    }
    guard let first = known.first else { return nil }
    let plane = PackedPlane(around: first.1)
    let boxes = known.map { heard, place in
      BoxVote.Box(address: heard.address, spot: plane.spot(place), weight: heard.strength)
    }
    return BoxVote(boxes).map {
      Answer(place: plane.place($0.spot), radius: $0.radius * scale.factor)
    }
  }

  /// The strongest of the networks that this scan has heard: a radio also tells those of the last
  /// minutes.
  private static func fresh(_ scan: NetworkScan) -> [HeardNetwork] {
    let fresh = scan.networks.filter { $0.age < oldest }
    guard fresh.count > most else { return fresh }
    return Array(fresh.sorted { $0.signal > $1.signal }.prefix(most))
  }

  private static let oldest: Duration = .seconds(6)
  /// More is no city, but somebody who makes them up.
  private static let most = 128
}

// MARK: - Lessons

extension LearntNetworks {
  /// Takes a fix of a receiver that was accepted now.
  package mutating func handle(_ fix: Location, at now: Instant) {
    guard fix.isValid, fix.horizontalAccuracy <= Self.goodFix else { return }
    let place = PackedPlace(fix.coordinate)
    if let last, let scan, last.moment <= scan.moment {
      let seconds = now.boottime.seconds(since: last.moment)
      if Self.isWayKnown(last.place.distance(to: place), in: seconds) {
        let share = scan.moment.seconds(since: last.moment) / seconds
        learn(
          scan.networks, scan.answer, at: last.place.moved(by: share, towards: place),
          accuracy: max(last.accuracy, fix.horizontalAccuracy),
          on: UInt16(clamping: fix.timestamp.dayNumber), now.boottime)
      }
    }
    last = (place, fix.horizontalAccuracy, now.boottime)
    scan = nil
  }

  private mutating func learn(
    _ networks: [HeardNetwork], _ answer: Answer?, at place: PackedPlace, accuracy: Double,
    on day: UInt16, _ now: Boottime
  ) {
    // A machine that stays hears the same again and again, which proves nothing more.
    if let lesson, now - lesson.moment < Self.sameLesson,
      lesson.place.distance(to: place) < max(Self.samePlace, accuracy)
    {
      return
    }
    lesson = (place, now)
    known = nil
    if let answer {
      let error = answer.place.distance(to: place)
      scale.check(error, of: answer.radius, byFixOf: accuracy)
      if error <= answer.radius + accuracy { known = place }
    }
    hasChanged = hasChanged || !networks.isEmpty
    for heard in networks {
      table.hear(
        salt.hash(heard.address),
        .init(place: place, accuracy: accuracy, strength: heard.strength, day: day))
    }
  }

  /// A scan would teach something where the last good fix was.
  func canLearn(at now: Boottime) -> Bool {
    guard let last else { return false }
    if let known, known.distance(to: last.place) < Self.knownAround { return false }
    guard let lesson, now - lesson.moment < Self.sameLesson else { return true }
    return lesson.place.distance(to: last.place) >= max(Self.samePlace, last.accuracy)
  }

  /// The place between two fixes is known where they are close in time, or in space.
  private static func isWayKnown(_ metres: Double, in seconds: Double) -> Bool {
    seconds > 0 && metres <= fastest * seconds
      && (seconds <= shortWait || seconds <= longWait && metres <= shortWay)
  }

  static let goodFix = 50.0
  private static let fastest = 40.0
  private static let shortWait = 10.0
  private static let longWait = 120.0
  private static let shortWay = 60.0
  private static let sameLesson: Duration = .seconds(1800)
  private static let samePlace = 30.0
  /// Metres around a place that its networks gave back within which they are taken for known.
  private static let knownAround = 200.0
}

extension HeardNetwork {
  /// How much the network says of the place: 1 at -90 dBm, 256 at -60.
  fileprivate var strength: Double {
    let tens = max(signal + 100, 5) / 10
    return tens * tens * tens * tens
  }
}
