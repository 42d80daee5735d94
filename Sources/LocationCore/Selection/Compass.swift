import LocationModel

/// One heading out of many, with both norths where the place is known.
struct Compass {
  private var chosen: SourceID?
  private var arrival: Int64 = 0
  private var period: Int64 = 0
  private var accuracy = Double.infinity
  private var declination = Declination()
  private var coarseDeclination = Declination()

  /// The heading to tell to who may know the place, if its source is the one to believe now.
  mutating func believe(
    _ said: Heading, from source: SourceID, near place: Coordinate?, at now: Instant
  ) -> Heading? {
    guard said.isValid else { return nil }
    let heading = Self.joined(said, near: place, by: &declination, at: now)
    let accuracy = heading.accuracy ?? .infinity
    if chosen == source {
      let gap = now.boottime - arrival
      period = period == 0 ? gap : period + (min(gap, period.multiplied(clamping: 4)) - period) / 4
    } else if chosen == nil || isSilent(at: now.boottime) || accuracy < self.accuracy * 0.7 {
      chosen = source
      period = 0
    } else {
      return nil
    }
    arrival = now.boottime
    self.accuracy = accuracy
    return heading
  }

  private func isSilent(at now: Int64) -> Bool {
    now - arrival > max(period.multiplied(clamping: 3), Self.shortestSilence)
  }

  /// A source that is no longer configured does not keep others from being believed.
  mutating func keep(_ sources: [SourceDescription]) {
    if !sources.contains(where: { $0.id == chosen }) { chosen = nil }
  }

  /// A heading for a client that may know a coarse place: the difference of a source's two norths, and how
  /// far they may be off, would tell more.
  mutating func coarse(_ said: Heading, near place: Coordinate, at now: Instant) -> Heading {
    var said = said
    if said.magneticHeading != nil { said.trueHeading = nil }
    return Self.joined(said, near: place, by: &coarseDeclination, at: now)
  }

  /// Two norths that the source knows are its own; a missing one is found by the model.
  private static func joined(
    _ heading: Heading, near place: Coordinate?, by declination: inout Declination, at now: Instant
  ) -> Heading {
    guard heading.trueHeading == nil || heading.magneticHeading == nil, let place,
      let field = declination.field(at: place, now.utc), let declination = field.declination
    else { return heading }
    var heading = heading
    if let magnetic = heading.magneticHeading {
      heading.trueHeading = (magnetic + declination).turned
    } else {
      heading.magneticHeading = heading.trueHeading.map { ($0 - declination).turned }
    }
    // How far either may be off.
    heading.accuracy = heading.accuracy.map {
      ($0 * $0 + field.declinationAccuracy * field.declinationAccuracy).squareRoot()
    }
    return heading
  }

  private static let shortestSilence: Int64 = 2_500_000_000
}

/// The magnetic field where it was last asked for, which holds for some kilometres and days.
private struct Declination {
  private var kept: (field: MagneticField, place: Coordinate, day: Int)?

  mutating func field(at place: Coordinate, _ moment: Timestamp) -> MagneticField? {
    if let kept, kept.day == moment.dayNumber, kept.place.isNear(place) { return kept.field }
    let field = MagneticField(at: place, year: moment.year)
    kept = (field, place, moment.dayNumber)
    return field
  }
}

extension Coordinate {
  /// Within a kilometre or so, anywhere that compasses show something.
  fileprivate func isNear(_ other: Coordinate) -> Bool {
    (latitude - other.latitude).magnitude < 0.01 && (longitude - other.longitude).magnitude < 0.01
  }
}

extension Heading {
  /// Whether it says a direction, and nothing that is none.
  fileprivate var isValid: Bool {
    let said = [trueHeading, magneticHeading].compactMap { $0 }
    return !said.isEmpty && said.allSatisfy { (0..<360).contains($0) }
      && accuracy.map { $0 > 0 && $0 <= 180 } ?? true
  }
}
