import LocationModel

/// The standard service of one manager: which fixes it is told.
struct StandardSession {
  let recipient: Recipient
  /// The wishes may change while it runs.
  var request: StandardRequest
  /// Whether it is told anything now, and if so, only a coarse place.
  private(set) var isActive = false
  private(set) var isCoarse = false
  /// Whether it may be told more than a coarse place.
  private var mayBeExact = true
  /// The location that it was told last.
  private var last: Told?
  private var coarsePlace: Location?
  /// Nil where it does not want to be paused.
  private var pauses: PauseDetector?
  /// While it is paused, the way since the device was last where it stands.
  private var way: [Location] = []

  private static let longestWay = 64

  init(_ recipient: Recipient, _ request: StandardRequest) {
    self.recipient = recipient
    self.request = request
    wish(request)
  }

  mutating func wish(_ request: StandardRequest) {
    // A paused session that starts again does not wait until the device has moved on.
    if request.pausesAutomatically != (pauses != nil) || isPaused
      || request.activityType != self.request.activityType
    {
      pauses = request.pausesAutomatically ? PauseDetector(request.activityType) : nil
      way = []
    }
    self.request = request
    setCoarse()
  }

  var mayPause: Bool { isActive && pauses != nil }
  var isPaused: Bool { pauses?.isPaused == true }
  var isResting: Bool { pauses?.isResting == true }

  var need: Need {
    if isCoarse { return .coarsePlace }
    // A look each minute shows that the device moves, too.
    if isResting { return .rest }
    return request.desiredAccuracy <= 0 ? .all : Need(accuracy: request.desiredAccuracy)
  }

  mutating func rests(_ sighting: Sighting) -> PauseDetector.Transition? {
    pauses?.observe(sighting)
  }

  /// A location that a paused session is not told, unless it turns out to be the beginning of a way.
  mutating func withhold(_ location: Location, _ point: Point) {
    guard let pauses, !isCoarse else { return }
    if pauses.isThere(point, accuracy: location.horizontalAccuracy) { way = [] }
    way.append(location)
    guard way.count > Self.longestWay else { return }
    way = way.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
  }

  /// The beginning of the way, once the session is resumed.
  mutating func takeWay() -> [Location] {
    let beginning = way
    way = []
    return beginning.filter { admits($0, Point($0.coordinate)) }
  }

  mutating func allow(_ verdict: Verdict) {
    isActive = verdict.isAllowed && (!request.isForReceiver || verdict == .allow(.full))
    if !isActive { way = [] }
    mayBeExact = verdict != .allow(.reduced)
    setCoarse()
  }

  private mutating func setCoarse() {
    let wasCoarse = isCoarse
    isCoarse = !mayBeExact || request.isReduced
    // From a coarse place to a true one, or back, is no distance.
    guard isCoarse != wasCoarse else { return }
    last = nil
    coarsePlace = nil
    way = []
  }

  /// Whether this one is to be told, which it then counts as.
  mutating func admits(_ location: Location, _ point: Point) -> Bool {
    let new = Told(
      coordinate: location.coordinate, point: point, accuracy: location.horizontalAccuracy)
    if let last, isChoosy {
      guard
        request.distanceFilter <= 0
          || isApart(
            (last.coordinate, last.point), (new.coordinate, new.point),
            by: request.distanceFilter),
        isGoodEnough(new) || new.betters(last)
      else { return false }
    }
    last = new
    return true
  }

  /// True where this coarse place is another than it was told last, and far enough from that.
  mutating func admitsCoarse(_ place: Location) -> Bool {
    if let told = coarsePlace {
      let places = [told, place].map { ($0.coordinate, Point($0.coordinate)) }
      guard place != told,
        request.distanceFilter <= 0 || isApart(places[0], places[1], by: request.distanceFilter)
      else { return false }
    }
    coarsePlace = place
    return true
  }

  /// Most take everything: for them no distance is measured.
  private var isChoosy: Bool { request.distanceFilter > 0 || request.desiredAccuracy >= 0 }

  private func isGoodEnough(_ new: Told) -> Bool {
    request.desiredAccuracy < 0 || new.accuracy <= request.desiredAccuracy
  }
}

/// A location that was told, as far as the next one is measured against it.
private struct Told {
  var coordinate: Coordinate
  var point: Point
  var accuracy: Double

  /// A fix betters what was told if it is more accurate, or shows that place to be further off by
  /// now than the fix itself can be: someone who moves is not left behind by a modest receiver.
  func betters(_ last: Told) -> Bool {
    accuracy < max(last.accuracy, point.chord(to: last.point))
  }
}
