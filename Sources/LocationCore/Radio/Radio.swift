import LocationModel

/// The radios of this machine: the networks that they hear, what is learnt of those, and when a scan is
/// asked for.
struct Radio {
  private var networks: LearntNetworks
  private var schedule = ScanSchedule()
  private let secret: NetworkSalt
  /// The number of salts that came from the secret.
  private var salts: UInt64 = 0
  /// A radio is configured.
  private(set) var isOn = false
  private(set) var isLearning: Bool
  /// All that the disk has is known.
  private var isRestored: Bool
  /// The disk has the secret, and perhaps networks.
  private var isStored: Bool
  /// The networks of the disk are to go.
  private var mustForget = false
  /// The receivers that teach.
  private var teachers: [SourceID] = []
  /// When the last good fix of a receiver or a recording came.
  private var fixedAt: Boottime?
  /// When learnt networks are written.
  private(set) var writesAt: Boottime?
  /// The newest scan of networks that may stand for a place, and when it was made.
  private(set) var newest: (scan: NetworkScan, moment: Boottime)?

  init(_ settings: LocationService.Settings, _ remembered: StoreSnapshot) {
    secret = settings.secret
    isLearning = settings.learnsNetworks
    isRestored = !remembered.hasNetworks
    let stored = remembered.records[Self.record].flatMap(StoredRecord.json)
    let salt = stored.flatMap(NetworkSalt.init)
    isStored = salt != nil
    networks = LearntNetworks(
      salt: salt ?? secret.derived(0), scale: RadiusScale(stored?["scale"]?.double ?? 1))
    configure(settings)
  }

  mutating func configure(_ settings: LocationService.Settings) {
    isOn = settings.sources.contains { $0.kind == .radio }
    teachers = settings.sources.filter { $0.kind == .gnss && !$0.simulated }.map(\.id)
    isLearning = settings.learnsNetworks
    if !isLearning, isStored || networks.count > 0 { forgetNetworks() }
  }

  var knowsNetworks: Bool { networks.count > 0 }

  var status: WiFiStatus {
    WiFiStatus(isLearning: isLearning, networks: networks.count, mayScan: schedule.mayScan)
  }

  func scanAge(at now: Instant) -> Double? {
    schedule.newest.map { now.boottime.seconds(since: $0) }
  }

  /// The reason why networks tell no place, in words for clients that may know it.
  var whyNoPlace: String? {
    if !isLearning { return "nothing is learnt of the networks around, by the configuration" }
    if !knowsNetworks {
      return "no network around is known yet: receivers' good fixes teach their places"
    }
    return "too few of the networks around are known"
  }
}

// MARK: - Scans and fixes

extension Radio {
  /// Takes a scan, and returns the place that it says.
  mutating func handle(_ scan: NetworkScan, at now: Instant) -> Location? {
    let age = max(now.utc - scan.timestamp, .zero)
    // An old list is no scan, but says when there was one.
    let isNews = age <= Self.oldest
    if isNews { newest = (scan, now.boottime - age) }
    let place = isNews && isLearning ? networks.handle(scan, at: now) : nil
    let isWanted = isNews && !isPlaceKnown(at: now.boottime)
    schedule.noteScan(
      at: now.boottime - age, gavePlace: isWanted || place != nil ? place != nil : nil,
      now.boottime)
    return place
  }

  /// Takes a fix that is believed.
  mutating func handle(_ fix: Location, from source: SourceID, at now: Instant) {
    guard fix.horizontalAccuracy <= LearntNetworks.goodFix else { return }
    if fix.simulated { fixedAt = now.boottime }
    guard teachers.contains(source), !fix.simulated else { return }
    fixedAt = now.boottime
    guard isLearning, isRestored else { return }
    networks.handle(fix, at: now)
    if writesAt == nil, networks.hasChanged { writesAt = now.boottime + Self.pause }
  }

  mutating func noteAnswer(isGranted: Bool, at now: Boottime) {
    schedule.noteAnswer(isGranted: isGranted, at: now)
  }

  var wakesAt: Boottime? { schedule.wakesAt }

  /// A scan is due. `demand`: metres that will do, nil where no client needs a place.
  mutating func wantsScan(_ demand: Double?, at now: Boottime) -> Bool {
    schedule.update(demand, at: now)
    guard let due = schedule.wakesAt, due <= now else { return false }
    let isOfUse = !isPlaceKnown(at: now) || isRestored && networks.canLearn(at: now)
    return schedule.isDue(isOfUse: isOfUse, at: now)
  }

  /// A recent good fix tells the place.
  private func isPlaceKnown(at now: Boottime) -> Bool {
    fixedAt.map { now - $0 <= Self.freshFix } ?? false
  }

  private static let oldest: Duration = .seconds(5)
  private static let freshFix: Duration = .seconds(10)
}

// MARK: - Over a restart

extension Radio {
  static let record = StoreSnapshot.Record(
    app: StoredRecord.global, kind: StoredRecord.networks, key: "")

  /// Takes networks that the disk has.
  mutating func restore(_ rows: [NetworkRow], areAll: Bool) {
    // Without the secret by which they are found they are nothing.
    if isStored { networks.restore(rows) } else if !rows.isEmpty { mustForget = true }
    if areAll { isRestored = true }
    if mustForget { writesAt = .start }
  }

  /// The changes to write now.
  mutating func drainDue(isEnding: Bool = false, at now: Instant) -> [Change] {
    guard let due = writesAt, due <= now.boottime || isEnding else { return [] }
    writesAt = nil
    var changes: [Change] = []
    if mustForget {
      mustForget = false
      changes.append(.forgetNetworks)
      if !isStored { changes.append(.remove(Self.record.app, kind: Self.record.kind, key: "")) }
    }
    let (changed, dropped) = networks.drainChanges(most: Self.mostRows)
    guard !changed.isEmpty || !dropped.isEmpty else { return changes }
    isStored = true
    if networks.hasChanged { writesAt = now.boottime + Self.nextRows }
    return changes + records + [.networks(changed, dropped: dropped)]
  }

  /// The record beside the networks.
  var records: [Change] {
    guard isStored else { return [] }
    let json: JSON = [
      "salt": networks.salt.json, "scale": .number(networks.scale.factor),
    ]
    return [
      .put(Self.record.app, kind: Self.record.kind, key: "", StoredRecord.bytes(of: json))
    ]
  }

  /// Writes all networks anew, in place of whatever the disk has: some could not be written.
  mutating func rewrite(at now: Instant) -> [Change] {
    networks.markUnwritten()
    if networks.hasChanged { writesAt = now.boottime + Self.nextRows }
    return [.forgetNetworks]
  }

  /// Forgets all networks; the changes that take them from the disk.
  mutating func forget() -> [Change] {
    let wasStored = isStored || !isRestored
    forgetNetworks()
    guard wasStored else { return [] }
    mustForget = false
    writesAt = nil
    return [.forgetNetworks, .remove(Self.record.app, kind: Self.record.kind, key: "")]
  }

  private mutating func forgetNetworks() {
    salts += 1
    networks = LearntNetworks(salt: secret.derived(salts))
    newest = nil
    mustForget = true
    isStored = false
    writesAt = .start
  }

  /// Rows of one commit.
  private static let mostRows = 4096
  private static let pause: Duration = .seconds(600)
  private static let nextRows: Duration = .seconds(5)
}

extension NetworkSalt {
  fileprivate init?(_ json: JSON) {
    guard let words = json["salt"]?.array?.compactMap(\.integer), words.count == 2 else {
      return nil
    }
    self.init(UInt64(bitPattern: words[0]), UInt64(bitPattern: words[1]))
  }
}
