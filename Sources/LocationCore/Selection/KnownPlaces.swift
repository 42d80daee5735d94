import LocationModel

/// The places that are known though no source says one now, and the choice among them: a server's word, the set
/// place, the last place, the city of the time zone.
///
/// * They are told meanwhile: a client that needs better still waits for it.
/// * They are evidence for nothing: visits, regions, significant changes and the tracker never see them.
/// * The set place is set aside while receivers, or a server by the networks around, put the machine farther away than both radii.
/// * The last place is told by its age, since the machine may have been carried on.
struct KnownPlaces {
  /// By a person's word; it comes before the administrator's.
  private(set) var own: SetPlace?
  private var files: LocationService.FixedPlaces
  private var setPoint: Point?
  private var isSetAside = false
  /// The last place of the daemon before.
  private var restored: SourceSelection.NewestLocation?
  private var remembers: Bool
  /// Sources that only repeat a place of the configuration: no last place is theirs.
  private var fixed: [SourceID]
  private var isStored = false
  /// The questions to a named server, and its word.
  var locator = LocatorQuestions()
  /// When a place has to have come to be written.
  private var due = Boottime.start

  init(_ settings: LocationService.Settings, _ remembered: StoreSnapshot, at now: Instant) {
    (files, remembers, own) = (settings.places, settings.remembersPlace, remembered.here)
    fixed = Self.fixed(settings)
    locator.hearsCells = Self.hearsCells(settings)
    setPoint = set.map { Point($0.place.coordinate) }
    guard let bytes = remembered.records[Self.record], let json = StoredRecord.json(bytes) else {
      return
    }
    isStored = true
    restored = StoredRecord.lastPlace(json, at: now)
    let place = json["setAside"].flatMap(Coordinate.init(pair:))
    isSetAside = place != nil && place == set?.place.coordinate
    if let restored { due = restored.arrival + Self.pause }
  }

  mutating func configure(_ settings: LocationService.Settings) {
    let before = set?.place
    (files, remembers) = (settings.places, settings.remembersPlace)
    fixed = Self.fixed(settings)
    if set?.place != before { stand() }
    locator.askAgain()
    locator.hearsCells = Self.hearsCells(settings)
  }

  mutating func set(_ place: SetPlace?) {
    own = place
    stand()
  }

  private static func fixed(_ settings: LocationService.Settings) -> [SourceID] {
    settings.sources.filter { $0.kind == .fixed }.map(\.id)
  }

  private static func hearsCells(_ settings: LocationService.Settings) -> Bool {
    settings.sources.contains { $0.kind == .modem }
  }

  private func last(
    after newest: SourceSelection.NewestLocation?
  ) -> SourceSelection.NewestLocation? {
    newest.flatMap { fixed.contains($0.source) ? nil : $0 } ?? restored
  }

  /// A new word is believed until receivers speak against it.
  private mutating func stand() {
    setPoint = set.map { Point($0.place.coordinate) }
    isSetAside = false
    // The disk is to know it, too.
    if isStored { due = Boottime(nanoseconds: .min) }
  }

  private var set: (place: SetPlace, file: String?)? {
    own.map { ($0, nil) } ?? files.set.map { ($0, files.file) }
  }

  var status: HereStatus { HereStatus(set?.place, file: set?.file, isSetAside: isSetAside) }

  /// A fix of a receiver that is believed.
  mutating func note(_ location: Location, _ point: Point) {
    guard let setPoint, let radius = set?.place.horizontalAccuracy else { return }
    isSetAside = setPoint.chord(to: point) > radius + location.horizontalAccuracy
  }
}

// MARK: - The choice

extension KnownPlaces {
  /// The best that a client of this wish may be told, with the newest fix of this daemon.
  func best(
    for desiredAccuracy: Double, after newest: SourceSelection.NewestLocation?, at now: Instant
  ) -> Location? {
    let places = [
      locator.place(at: now), setPlace(at: now), lastPlace(after: newest, at: now),
      desiredAccuracy >= StandardRequest.city ? city(at: now) : nil,
    ]
    return places.compactMap { $0 }.min { $0.horizontalAccuracy < $1.horizontalAccuracy }
  }

  /// The better of the places that are said to be this machine's now.
  func present(at now: Instant) -> Location? {
    let places = [locator.place(at: now), setPlace(at: now)]
    return places.compactMap { $0 }.min { $0.horizontalAccuracy < $1.horizontalAccuracy }
  }

  func setPlace(at now: Instant) -> Location? {
    guard let (place, file) = set, !isSetAside else { return nil }
    return Location(
      coordinate: place.coordinate, horizontalAccuracy: place.horizontalAccuracy,
      timestamp: now.utc, source: PlaceKind.set.source(file ?? ""))
  }

  func lastPlace(
    after newest: SourceSelection.NewestLocation?, at now: Instant
  ) -> Location? {
    guard remembers, let last = last(after: newest) else { return nil }
    var location = Location(
      coordinate: last.location.coordinate,
      horizontalAccuracy: min(
        last.location.horizontalAccuracy + Self.reach(after: now.boottime - last.arrival),
        Self.farthest),
      timestamp: last.location.timestamp, source: PlaceKind.last.source(last.location.source))
    location.simulated = last.location.simulated
    return location
  }

  private func city(at now: Instant) -> Location? {
    files.city.map {
      Location(
        coordinate: $0.coordinate, horizontalAccuracy: Self.zoneAccuracy, timestamp: now.utc,
        source: PlaceKind.zone.source($0.zone))
    }
  }

  func statuses(
    after newest: SourceSelection.NewestLocation?, at now: Instant
  ) -> [PlaceStatus] {
    var statuses: [PlaceStatus] = []
    if let (place, file) = set {
      statuses.append(
        PlaceStatus(
          source: PlaceKind.set.source(file ?? ""), horizontalAccuracy: place.horizontalAccuracy,
          isSetAside: isSetAside))
    }
    if let asked = locator.place(at: now) {
      statuses.append(
        PlaceStatus(
          source: asked.source, horizontalAccuracy: asked.horizontalAccuracy,
          age: (now.utc - asked.timestamp).seconds))
    }
    if let last = lastPlace(after: newest, at: now) {
      let age = self.last(after: newest).map { now.boottime.seconds(since: $0.arrival) }
      statuses.append(
        PlaceStatus(source: last.source, horizontalAccuracy: last.horizontalAccuracy, age: age))
    }
    if let city = city(at: now) {
      statuses.append(
        PlaceStatus(source: city.source, horizontalAccuracy: city.horizontalAccuracy))
    }
    return statuses
  }

  /// Metres that 68 % of machines have gone by then: by car at first, and as people spread over the days.
  static func reach(after age: Duration) -> Double {
    let seconds = max(age.seconds, 0)
    return min(15 * seconds, 500 * seconds.squareRoot())
  }

  private static let farthest = 500_000.0
  private static let zoneAccuracy = 300_000.0
}

// MARK: - Over a restart

extension KnownPlaces {
  static let record = StoreSnapshot.Record(
    app: StoredRecord.global, kind: StoredRecord.place, key: "")

  /// Something may have to be written: asked at every input, so it copies nothing.
  func isDue(after newest: Boottime?) -> Bool {
    guard remembers else { return isStored }
    return (newest ?? restored?.arrival).map { $0 >= due } ?? false
  }

  /// The changes to write now: a place once in a while, none where none is to be remembered.
  mutating func drainDue(
    after newest: SourceSelection.NewestLocation?, isEnding: Bool = false, at now: Instant
  ) -> [Change] {
    guard remembers else { return isStored ? forget() : [] }
    guard let last = last(after: newest),
      isEnding ? last.arrival > due - Self.pause : last.arrival >= due
    else { return [] }
    due = last.arrival + Self.pause
    isStored = true
    return records(after: newest, at: now)
  }

  /// All that the disk is to have.
  func records(
    after newest: SourceSelection.NewestLocation?, at now: Instant
  ) -> [Change] {
    guard remembers, let last = last(after: newest) else { return [] }
    let arrival = Instant(
      boottime: last.arrival, utc: now.utc - (now.boottime - last.arrival), utcTrusted: false)
    let bytes = StoredRecord.bytes(
      of: last.location, told: arrival, setAside: isSetAside ? set?.place.coordinate : nil)
    return [.put(Self.record.app, kind: Self.record.kind, key: "", bytes)]
  }

  /// Forgets the last place; the change that takes it from the disk.
  mutating func forget() -> [Change] {
    locator.forget()
    restored = nil
    due = .start
    guard isStored else { return [] }
    isStored = false
    return [.remove(Self.record.app, kind: Self.record.kind, key: "")]
  }

  private static let pause: Duration = .seconds(600)
}
