import LocationModel

/// The judge of what zones and silence leave of the device's way.
struct Privacy: Sendable {
  private var silence = Silence()
  private var offset: Duration = .zero
  private(set) var isSilent = false
  /// The zone in which the device may be, and the one in which it is told to be.
  private(set) var hiding: Zone?
  private var told: Zone?

  /// `offset`: of local time from UTC.
  mutating func set(_ silence: Silence, _ offset: Duration) {
    (self.silence, self.offset) = (silence, offset)
  }

  /// True where the track falls silent.
  mutating func fallsSilent(at now: Timestamp) -> Bool {
    let wasSilent = isSilent
    isSilent = silence.reason(at: now, offset) != nil
    return isSilent && !wasSilent
  }

  func covers(_ date: Timestamp) -> Bool { isSilent || silence.covers(date, offset) }

  /// The device is there: `hiding` says whether a zone hides the place. The entries tell that it has come into a zone
  /// or left one, at places outside. `last`: the newest of those.
  mutating func move(to location: Location, _ zones: Zones, from last: Location?) -> [TrackEntry] {
    // Each fix of a track without zones comes here.
    guard !zones.all.isEmpty || told != nil || hiding != nil else { return [] }
    let place = location.coordinate
    hiding = zones.first { $0.mayContain(place, accuracy: location.horizontalAccuracy) }
    let before = told.flatMap { zones[$0.name] }
    told = zones.told(at: place) ?? (hiding == nil ? nil : before)
    guard told?.name != before?.name, var outside = hiding == nil ? location : last else {
      return []
    }
    (outside.timestamp, outside.speed, outside.course) = (location.timestamp, nil, nil)
    let edges = [(TrackEntry.Kind.leave, before), (.enter, told)]
    return edges.compactMap { kind, zone in
      zone.map { zone in
        var entry = TrackEntry(kind, outside)
        (entry.region, entry.regionID) = (zone.name, zone.name)
        return entry
      }
    }
  }

  /// Nil for a stay that is not kept; its beginning is left out where only that is silent.
  func shown(_ entry: TrackEntry) -> TrackEntry? {
    guard !covers(entry.timestamp) else { return nil }
    var entry = entry
    if let arrival = entry.arrivalDate, covers(arrival) { entry.arrivalDate = nil }
    return entry
  }

  /// The zone that hides a region, or the device while it crosses its edge.
  func hiding(_ region: Region?, _ zones: Zones) -> Zone? {
    hiding ?? region.flatMap(zones.first(hiding:))
  }
}
