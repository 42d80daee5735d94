import LocationModel

/// The sources, whose fixes are accepted, and what is known by them: the newest location and heading.
struct SourceSelection {
  /// A fix of the source that is best now.
  struct Accepted {
    var seen: Location
    var seenPoint: Point
    /// The same, smoothed where it is vague.
    var told: Location
    var toldPoint: Point
  }

  /// A location, and when it came.
  struct NewestLocation {
    var location: Location
    var arrival: Boottime
    var source: SourceID
  }

  /// A heading, and when it came.
  struct NewestHeading {
    /// As its source said it.
    var said: Heading
    /// With both norths, where the place is known.
    var heading: Heading
    var arrival: Boottime
  }

  private(set) var newest: NewestLocation?
  private(set) var newestHeading: NewestHeading?
  private(set) var duty = Duty()
  private(set) var longestPause: Duration
  var table: SourceTable
  var known: KnownPlaces
  private var whereabouts = Whereabouts()
  private var compass = Compass()
  private var isFiltered: Bool
  private var dutySettings: Duty.Settings

  private static let freshHeading: Duration = .seconds(1)

  init(
    _ settings: LocationService.Settings, _ remembered: StoreSnapshot = .init(), at now: Instant
  ) {
    known = KnownPlaces(settings, remembered, at: now)
    table = SourceTable(settings.sources, linger: settings.linger, at: now)
    isFiltered = settings.isFiltered
    dutySettings = settings.duty
    longestPause = settings.duty.longestPause
  }

  /// When something is due.
  var wakesAt: Boottime? {
    earliest(earliest(table.closesAt, duty.wakes(dutySettings)), known.locator.wakesAt)
  }
}

// MARK: - Readings

extension SourceSelection {
  mutating func accept(_ fix: Fix, from source: SourceID, at now: Instant) -> Accepted? {
    let point = Point(fix.location.coordinate)
    guard let seen = table.accept(fix, point, from: source, at: now, filtered: isFiltered) else {
      return nil
    }
    let smoothed = isFiltered ? whereabouts.smooth(seen, point, from: source) : nil
    let (told, toldPoint) = smoothed ?? (seen, point)
    newest = NewestLocation(location: told, arrival: now.boottime, source: source)
    known.note(seen, point)
    return Accepted(seen: seen, seenPoint: point, told: told, toldPoint: toldPoint)
  }

  mutating func accept(_ said: Heading, from source: SourceID, at now: Instant) -> NewestHeading? {
    guard table.isHeading(source, at: now),
      let heading = compass.believe(
        said, from: source, near: newest?.location.coordinate, at: now)
    else { return nil }
    newestHeading = NewestHeading(said: said, heading: heading, arrival: now.boottime)
    return newestHeading
  }

  /// The newest location, if it is not older than that.
  func location(within age: Duration, at now: Instant) -> Location? {
    newest.flatMap { now.boottime - $0.arrival <= age ? $0.location : nil }
  }

  /// The newest location, or where it is old the best place that is known.
  func place(at now: Instant) -> Location? {
    location(within: max(longestPause, Delivery.freshToStart), at: now) ?? known.best(
      for: -1, after: newest, at: now)
      ?? newest?.location
  }

  /// Forgets where the machine was; what is to go from the disk.
  mutating func forget() -> [Change] {
    newest = nil
    return known.forget()
  }

  mutating func drainDue(isEnding: Bool = false, at now: Instant) -> [Change] {
    guard isEnding || known.isDue(after: newest?.arrival) else { return [] }
    return known.drainDue(after: newest, isEnding: isEnding, at: now)
  }

  func freshHeading(at now: Instant) -> NewestHeading? {
    newestHeading.flatMap { now.boottime - $0.arrival <= Self.freshHeading ? $0 : nil }
  }

  /// The heading with the norths of a coarse place.
  mutating func heading(_ said: Heading, near place: Location, at now: Instant) -> Heading {
    compass.coarse(said, near: place.coordinate, at: now)
  }
}

// MARK: - Open and closed

extension SourceSelection {
  /// Opens the sources that are needed now, and closes those that are not.
  mutating func supply(
    _ demand: Demand?, headings: Bool, beacons: SourceDemand? = nil, at now: Instant,
    into outputs: inout [Output]
  ) {
    table.supply(beacons: beacons, at: now, into: &outputs)
    if let demand {
      duty.update(demand, since: newest, at: now.boottime, dutySettings)
    } else {
      duty.end()
    }
    table.supply(
      fixes: demand == nil ? .never : duty.restsUntil == nil ? .now : .later,
      SourceDemand(
        accuracy: demand?.accuracy, pause: demand == nil ? 0 : duty.pause, headings: headings,
        cells: known.locator.wantsCells),
      at: now, into: &outputs)
  }

  /// Another list of sources. What a source said that is gone is not known any more.
  mutating func configure(
    _ settings: LocationService.Settings, at now: Instant, into outputs: inout [Output]
  ) {
    isFiltered = settings.isFiltered
    dutySettings = settings.duty
    longestPause = settings.duty.longestPause
    if let source = newest?.source, !settings.sources.contains(where: { $0.id == source }) {
      newest = nil
    }
    known.configure(settings)
    compass.keep(settings.sources)
    table.configure(settings.sources, linger: settings.linger, at: now, into: &outputs)
  }
}
