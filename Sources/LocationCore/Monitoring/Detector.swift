import LocationModel

/// The face of a detector. There is one for each kind of condition that apps monitor.
protocol Detector {
  /// When something is found though nothing more comes, in the track's time.
  var wakesAt: Double? { get }
  mutating func observe(_ seen: Observation, into findings: inout [Finding])
  /// Nothing has come until now.
  mutating func wait(until time: Double, into findings: inout [Finding])
}

/// An accepted fix that says something new, as detectors see it.
struct Observation {
  var location: Location
  var sighting: Sighting
  var now: Instant
}

/// The number of a region among those of its detector.
enum RegionSlot: Hashable {
  case place(Int32)
  case beacon(Int32)
}

/// The result of a detector, before it is known which apps are told.
enum Finding {
  /// The app is to be told that it is somewhere else.
  case change(App)
  case visit(Visit)
  /// The region in the slot has another state than before.
  case crossing(RegionSlot, from: RegionState)

  var isVisit: Bool { if case .visit = self { true } else { false } }
}
