import LocationModel

/// One `requestLocation` waiting for its location.
struct OneShot {
  let client: ClientID
  let id: JSON
  let deadline: Boottime
  let desiredAccuracy: Double
  /// A coarse place is enough.
  let isReduced: Bool
  private(set) var best: Location?
  /// The answer if nobody decides about the app in time; nil once it may know.
  var undecided: Refusal?

  init(
    client: ClientID, id: JSON, _ request: OneShotRequest, undecided: Refusal? = nil,
    at now: Instant
  ) {
    self.client = client
    self.id = id
    self.undecided = undecided
    desiredAccuracy = request.desiredAccuracy
    isReduced = request.desiredAccuracy >= StandardRequest.reduced
    deadline = now.boottime + Duration(clamping: request.timeout)
  }

  var isActive: Bool { undecided == nil }

  /// Whether the wish is met by this one; if not, it may still be the best when time is up.
  mutating func isMet(by location: Location) -> Bool {
    guard isActive else { return false }
    let before = best?.horizontalAccuracy ?? .infinity
    if location.horizontalAccuracy <= before { best = location }
    guard desiredAccuracy < 0 else { return location.horizontalAccuracy <= desiredAccuracy }
    // The best there is: good anyway, or no longer getting better.
    if location.horizontalAccuracy <= Self.surelyBest { return true }
    guard before.isFinite, location.horizontalAccuracy > before * Self.settled else { return false }
    best = location
    return true
  }

  /// A known place meets the wish.
  func isSatisfied(by place: Location) -> Bool {
    isActive && desiredAccuracy >= 0 && place.horizontalAccuracy <= desiredAccuracy
  }

  private static let surelyBest = 10.0
  /// A fix that is no less than this part of the best one so far gets no better.
  private static let settled = 0.9
}
