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

  package init(_ recipient: Recipient, _ request: StandardRequest) {
    self.recipient = recipient
    self.request = request
  }

  package mutating func allow(_ verdict: Verdict) {
    isActive = verdict.isAllowed
    let wasCoarse = isCoarse
    isCoarse = verdict == .allow(.reduced)
    // From a coarse place to a true one, or back, is no distance.
    if isCoarse != wasCoarse { last = nil }
  }

  /// Whether this one is to be told, which it then counts as.
  package mutating func takes(_ location: Location) -> Bool {
    if let last {
      let distance = last.coordinate.distance(to: location.coordinate)
      guard distance >= request.distanceFilter,
        isGoodEnough(location) || betters(last, distance, location)
      else { return false }
    }
    last = location
    return true
  }

  /// Whether this coarse place is another than it was told last.
  mutating func takesCoarse(_ place: Location) -> Bool {
    guard place != last else { return false }
    last = place
    return true
  }

  private func isGoodEnough(_ location: Location) -> Bool {
    request.desiredAccuracy < 0 || location.horizontalAccuracy <= request.desiredAccuracy
  }

  /// A fix betters what was told if it is more accurate, or shows that place to be further off by
  /// now than the fix itself can be: someone who moves is not left behind by a modest receiver.
  private func betters(_ last: Location, _ distance: Double, _ location: Location) -> Bool {
    location.horizontalAccuracy < max(last.horizontalAccuracy, distance)
  }
}
