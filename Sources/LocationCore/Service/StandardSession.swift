package import LocationModel

/// The standard service of one manager: which fixes it is told.
package struct StandardSession {
  package let recipient: Recipient
  /// What is wished may change while it runs.
  package var request: StandardRequest
  /// Whether it is told anything now, and if so, only a coarse place.
  package private(set) var isActive = false
  package private(set) var isCoarse = false
  private var last: Location?
  private var point = Point(x: 0, y: 0, z: 0)
  /// Nil where it does not want to be paused.
  private var pauses: PauseDetector?

  package init(_ recipient: Recipient, _ request: StandardRequest) {
    self.recipient = recipient
    self.request = request
    wish(request)
  }

  package mutating func wish(_ request: StandardRequest) {
    if request.pausesAutomatically != (pauses != nil)
      || request.activityType != self.request.activityType
    {
      pauses = request.pausesAutomatically ? PauseDetector(request.activityType) : nil
    }
    self.request = request
  }

  var mayPause: Bool { isActive && pauses != nil }
  var isPaused: Bool { pauses?.isPaused == true }
  var isResting: Bool { pauses?.isResting == true }

  mutating func rests(_ sighting: Sighting) -> PauseDetector.Change? { pauses?.take(sighting) }

  package mutating func allow(_ verdict: Verdict) {
    isActive = verdict.isAllowed
    let wasCoarse = isCoarse
    isCoarse = verdict == .allow(.reduced)
    // From a coarse place to a true one, or back, is no distance.
    if isCoarse != wasCoarse { last = nil }
  }

  /// Whether this one is to be told, which it then counts as.
  package mutating func takes(_ location: Location, _ point: Point) -> Bool {
    if let last, isChoosy {
      guard
        request.distanceFilter <= 0
          || isApart(
            (last.coordinate, self.point), (location.coordinate, point),
            by: request.distanceFilter),
        isGoodEnough(location) || betters(last, location, point)
      else { return false }
    }
    last = location
    self.point = point
    return true
  }

  /// Whether this coarse place is another than it was told last.
  mutating func takesCoarse(_ place: Location) -> Bool {
    guard place != last else { return false }
    last = place
    return true
  }

  /// Most take everything: for them no distance is measured.
  private var isChoosy: Bool { request.distanceFilter > 0 || request.desiredAccuracy >= 0 }

  private func isGoodEnough(_ location: Location) -> Bool {
    request.desiredAccuracy < 0 || location.horizontalAccuracy <= request.desiredAccuracy
  }

  /// A fix betters what was told if it is more accurate, or shows that place to be further off by
  /// now than the fix itself can be: someone who moves is not left behind by a modest receiver.
  private func betters(_ last: Location, _ location: Location, _ point: Point) -> Bool {
    location.horizontalAccuracy < max(last.horizontalAccuracy, point.chord(to: self.point))
  }
}
