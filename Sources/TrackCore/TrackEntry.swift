package import LocationModel

/// One line of the track: where the device was, or what happened there.
package struct TrackEntry: Equatable, Sendable {
  package enum Kind: Int64, Sendable, CaseIterable {
    case place, arrival, departure, enter, leave
  }

  /// Its place in the track, counted from 1; 0 until it is on the disk.
  package var number: Int64 = 0
  package var kind: Kind
  package var timestamp: Timestamp
  package var coordinate: Coordinate
  /// Metres, as every length here.
  package var horizontalAccuracy: Double
  package var altitude: Double?
  package var verticalAccuracy: Double?
  /// Metres per second.
  package var speed: Double?
  /// Degrees from true north.
  package var course: Double?
  /// The region that was entered or left: its name, OwnTracks' ID of it, and since when it is watched.
  package var region: String?
  package var regionID: String?
  package var regionMade: Timestamp?
  /// The regions that the device was in.
  package var inside: [RegionLabel] = []
  /// The stay's beginning, where the entry is its end.
  package var arrivalDate: Timestamp?
  package var circumstances = Circumstances()

  package init(_ kind: Kind, _ location: Location) {
    self.kind = kind
    timestamp = location.timestamp
    coordinate = location.coordinate
    horizontalAccuracy = location.horizontalAccuracy
    altitude = location.altitude
    verticalAccuracy = location.verticalAccuracy
    speed = location.speed
    course = location.course
  }

  /// The beginning and the end of the stay, as far as the entry knows them.
  var arrival: Timestamp? { kind == .arrival ? timestamp : arrivalDate }
  var departure: Timestamp? { kind == .departure ? timestamp : nil }

  package struct RegionLabel: Equatable, Sendable {
    package var name: String
    package var id: String

    package init(name: String, id: String) {
      self.name = name
      self.id = id
    }
  }

  /// The beginning or the end of a stay.
  package init(_ visit: Visit, at now: Timestamp) {
    let location = Location(
      coordinate: visit.coordinate, horizontalAccuracy: visit.horizontalAccuracy,
      timestamp: visit.departureDate ?? visit.arrivalDate ?? now)
    self.init(visit.departureDate == nil ? .arrival : .departure, location)
    if visit.departureDate != nil { arrivalDate = visit.arrivalDate }
  }
}

/// The state of the device when an entry was made; what is unknown is nil.
package struct Circumstances: Equatable, Sendable {
  package enum Network: Int64, Sendable, CaseIterable {
    case none, wifi, mobile, wired
  }

  package enum Power: Int64, Sendable, CaseIterable {
    case unplugged = 1
    case charging, full
  }

  /// Percent.
  package var battery: Int?
  package var power: Power?
  package var network: Network?

  package init() {}
}
