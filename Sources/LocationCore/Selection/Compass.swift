import Geodesy
import LocationModel
import ReceiverCore

/// One heading out of many, with both norths where the place is known.
struct Compass {
  private var chosen: SourceID?
  private var arrival: Boottime = .start
  private var period: Duration = .zero
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
      period = period == .zero ? gap : period + (min(gap, period * 4) - period) / 4
    } else if chosen == nil || isSilent(at: now.boottime)
      || accuracy < self.accuracy * Self.clearlyBetter
    {
      chosen = source
      period = .zero
    } else {
      return nil
    }
    arrival = now.boottime
    self.accuracy = accuracy
    return heading
  }

  private func isSilent(at now: Boottime) -> Bool {
    now - arrival > max(period * 3, Self.shortestSilence)
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

  private static let clearlyBetter = 0.7
  private static let shortestSilence: Duration = .milliseconds(2500)
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
    (latitude - other.latitude).magnitude < Self.near
      && (longitude - other.longitude).magnitude < Self.near
  }

  /// Degrees.
  private static let near = 0.01
}

extension Heading {
  /// Whether it says a direction, and nothing that is none.
  fileprivate var isValid: Bool {
    let said = [trueHeading, magneticHeading].compactMap { $0 }
    return !said.isEmpty && said.allSatisfy { (0..<360).contains($0) }
      && accuracy.map { $0 > 0 && $0 <= 180 } ?? true
  }
}
