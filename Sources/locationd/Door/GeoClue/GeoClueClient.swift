import DBus
import Geodesy
import LocationCore
import LocationModel
import Platform

/// A GeoClue client: what its owner set, and what it was told.
final class GeoClueClient {
  let caller: BusCaller
  let path: String
  let session: ServiceSession
  private unowned let door: GeoClueDoor
  private let listener: BusListener
  private(set) var object: BusObject?
  private(set) var told = ToldLocations()

  var distanceThreshold: UInt32 = 0
  /// Seconds.
  var timeThreshold: UInt32 = 0
  var wishedLevel = AccuracyLevel.city.rawValue {
    didSet { if isWanted { adjust() } }
  }
  /// The app's own word for itself, for people to see.
  var desktopID = ""

  /// It was started and not stopped.
  private(set) var isWanted = false
  private(set) var isActive = false {
    didSet {
      guard isActive != oldValue else { return }
      changed("Active")
      door.countActive()
    }
  }
  private var level = AccuracyLevel.none
  private var coarse: CoarsePlace?
  /// The location that the next one is measured against: none after a start, nor from an exact place to a
  /// coarse one.
  private var last: (coordinate: Coordinate, timestamp: Timestamp)?
  /// Its property `Location` has changed, and it has not been told.
  var hasUntoldLocation = false
  /// When it was told of that property, in boottime.
  var locationToldAt: Boottime?
  /// Calls of `Start` about which a person is being asked.
  private var starting: [BusInvocation] = []
  private var alarm: EventLoop.Timer?
  /// Libraries wait 25 seconds for an answer, and people may take longer.
  private static let patience: Duration = .seconds(20)
  private static let isOff = "the desktop has switched location off"

  init(
    of caller: BusCaller, at path: String, _ session: ServiceSession, door: GeoClueDoor,
    overflowing: @escaping () -> Void
  ) throws(BusError) {
    self.caller = caller
    self.path = path
    self.session = session
    self.door = door
    listener = try BusListener(caller.name, of: path, on: door.bus, overflowing: overflowing)
    object = BusObject(path, owner: caller.name, target: self, [GeoClue.clientInterface])
  }

  /// Tells its owner of a property.
  func changed(_ name: String) {
    if let object { door.changed([name], of: GeoClue.client, on: object) }
  }

  func start(for call: BusInvocation) {
    isWanted = true
    guard allowedLevel > .none else { return call.refuse(.accessDenied(Self.isOff)) }
    let introduction = Request.Introduction(name: desktopID.isEmpty ? nil : desktopID)
    guard case .hello(let greeting) = session.requestNow(.hello(introduction)),
      greeting.authorization == .notDetermined
    else { return begin { [unowned self] in conclude(call, $0) } }
    wait(call)
    session.ask(.requestAuthorization(.authorizedWhenInUse)) { [unowned self] answer in
      if case .failure = answer { return conclude(call, answer) }
      // It may have stopped while the person thought, or the desktop switched location off.
      guard isWanted else { return conclude(call, answer) }
      guard allowedLevel > .none else {
        return conclude(call, .failure(Refusal(.denied, Self.isOff)))
      }
      begin { [unowned self] in conclude(call, $0) }
    }
  }

  /// A program that would give up is told that it began; locations follow if the person allows it.
  private func wait(_ call: BusInvocation) {
    starting.append(call)
    guard alarm == nil else { return }
    alarm = try? EventLoop.Timer(slack: .milliseconds(100), on: door.bus.loop) { [unowned self] in
      for call in starting { call.answer([]) }
      alarm = nil
    }
    alarm?.set(Clock.boottime + Self.patience)
  }

  private func conclude(_ call: BusInvocation, _ answer: ServiceSession.Answer) {
    starting.removeAll { $0 === call }
    if starting.isEmpty { alarm = nil }
    switch answer {
    case .success: call.answer([])
    case .failure(let refusal):
      isWanted = false
      call.refuse(BusError(geoclue: refusal))
    }
  }

  /// Somebody has decided otherwise than before.
  func follow(_ authorization: Authorization) {
    if authorization.isAuthorized { adjust() } else { isActive = false }
  }

  func purge() {
    listener.purge()
    coarse = nil
    last = nil
    guard told.newest != nil else { return }
    told = ToldLocations()
    // The next one is told at once.
    hasUntoldLocation = false
    locationToldAt = nil
    changed("Location")
  }

  func stop() {
    isWanted = false
    end()
  }

  /// The desktop allows something else, or something else is wished.
  func adjust() {
    let ceiling = door.ceiling(of: caller)
    if ceiling == .none || ceiling < level { purge() }
    // A client that a person is asked about begins with what holds then.
    guard isWanted, starting.isEmpty else { return }
    if allowedLevel == .none {
      end()
    } else if !isActive || allowedLevel != level {
      begin { _ in }
    }
  }

  private var allowedLevel: AccuracyLevel {
    let wished = AccuracyLevel(rounding: wishedLevel)
    // One who wishes nothing in particular.
    return min(wished == .none ? .city : wished, door.ceiling(of: caller))
  }

  private func begin(answered: @escaping (ServiceSession.Answer) -> Void) {
    let isNarrowed = isActive && level.grain != allowedLevel.grain && allowedLevel < level
    if !isActive || level.grain != allowedLevel.grain { last = nil }
    level = allowedLevel
    if coarse?.grain != level.grain { coarse = nil }
    session.ask(.startUpdatingLocation(StandardRequest(desiredAccuracy: level.desiredAccuracy))) {
      [unowned self] answer in
      if case .success = answer { isActive = isWanted } else { isActive = false }
      answered(answer)
      // An exact place at hand is good enough for long, so that the next may be far off.
      if isActive, isNarrowed { door.deliverNewest(to: self) }
    }
  }

  private func end() {
    session.ask(.stopUpdatingLocation)
    isActive = false
  }
}

// MARK: - What it is told

extension GeoClueClient {
  /// Whether it may see only about where it is.
  var isCoarse: Bool { level.isCoarse }

  /// Whether it is to be told of a location there, then.
  func admits(_ coordinate: Coordinate, _ timestamp: Timestamp) -> Bool {
    guard let last else { return true }
    let passed = timestamp - last.timestamp
    if passed >= .zero, passed < .seconds(timeThreshold) { return false }
    return distanceThreshold == 0
      || last.coordinate.distance(to: coordinate) >= Double(distanceThreshold)
  }

  /// The location as it may see it, if that is news.
  func coarsened(_ location: Location, at now: Boottime) -> Location? {
    // The date is of no concern here.
    let now = Instant(boottime: now, utc: location.timestamp, utcTrusted: false)
    guard location.kind.isEvidence else {
      // A place that is told meanwhile does not stay for long.
      let seen = coarse?.location ?? CoarsePlace.place(of: location, level.grain ?? .city)
      return seen.coordinate == told.newest?.location.coordinate ? nil : seen
    }
    if coarse == nil { coarse = CoarsePlace(location, level.grain ?? .city, at: now) }
    coarse?.update(location, at: now)
    guard let seen = coarse?.location, seen.coordinate != last?.coordinate,
      admits(seen.coordinate, seen.timestamp)
    else { return nil }
    return seen
  }

  /// The one it knows of before it is told another: one that still waits to be sent is left out.
  func makeRoom() -> ToldLocation? {
    if listener.isHolding(Self.update) { told.removeNewest() }
    return told.newest
  }

  func send(_ told: ToldLocation, by signal: BusSignal) {
    self.told.add(told)
    last = told.isEvidence ? (told.location.coordinate, told.location.timestamp) : nil
    listener.send(signal, kind: Self.update)
  }

  /// False where it has yet to read that there is a newer one.
  func notifyLocation(by signal: BusSignal, at now: Boottime) -> Bool {
    guard !listener.isHolding(Self.update) else { return false }
    hasUntoldLocation = false
    locationToldAt = now
    listener.send(signal, kind: Self.property)
    return true
  }

  private static let update = 0
  private static let property = 1
}

extension BusError {
  /// As GeoClue's clients know errors. To start is all that they can ask with.
  init(geoclue refusal: Refusal) {
    let message = refusal.message(asking: nil)
    switch refusal.code {
    case .denied: self = .accessDenied(message)
    case .limitExceeded: self = .limitsExceeded(message)
    default: self = .failed(message)
    }
  }
}
