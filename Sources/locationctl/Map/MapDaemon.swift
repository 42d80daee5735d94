import Console
import Geodesy
import LocationClient
import LocationModel
import Platform

/// The daemon's side of the map: the position as it moves, the track since the map was opened, visits and regions.
/// News that does not come is told with its reason.
final class MapDaemon {
  private enum Purpose {
    case hello, updating, turning, status, visits
    case regions(before: [Region])
    case state(String)
    case change(MapHelper.Request)
  }

  private let helper: MapHelper
  private let link: PersistentConnection
  private let path: String
  private let say: Speech
  private var purposes: [Int64: Purpose] = [:]
  private var heardAt = Double.seconds
  private var askedAt = 0.0
  private var isUpdating = false
  /// Why the map may not know, until it is heard that the person has paused.
  private var denial: String?
  private var isPaused = false
  private var shown: JSON?
  private var last: Coordinate?
  /// When the position that the map shows was taken.
  private var positionDate: Timestamp?
  private var regions: [Region] = []
  private var states: [String: RegionState] = [:]
  private var visits: [Visit] = []
  private var acknowledged: UInt64 = 0

  /// Metres between two points of the track: standing still draws no knot.
  private static let stride = 3.0
  /// Seconds without a location until the reason is asked for.
  private static let patience = 2.0
  /// Seconds until a pause is looked at again: another may have made it longer.
  private static let pausePatience = 20.0
  private static let mostVisits = 1000

  init(_ helper: MapHelper, path: String, in say: Speech) {
    self.helper = helper
    self.path = path
    self.say = say
    link = PersistentConnection(path: path)
  }

  var descriptor: Int32? { link.descriptor }

  func step() throws(Failure) {
    for event in link.step(at: Clock.boottime) {
      switch event {
      case .opened:
        acknowledged = 0
        try ask(.hello(.init(name: "locationctl map")), .hello)
        try start()
      case .lost(let error):
        isUpdating = false
        for case .change(let request) in purposes.values { try answer(request, error) }
        purposes = [:]
        try report(
          obstacle: error.isAbsence ? "noDaemon" : "daemonGone",
          Peer.daemon.message(error, at: path))
        try hidePosition()
      case .received(let message):
        link.succeed()
        try receive(message)
      }
    }
    let isSilent = isUpdating && .seconds - heardAt > Self.patience
    guard isSilent || isPaused,
      .seconds - askedAt > (isPaused ? Self.pausePatience : Self.patience)
    else { return }
    try askForReason()
  }

  /// Visits are monitored for the map alone.
  func end() {
    _ = try? ask(.stopMonitoringVisits, .visits)
  }

  private func start() throws(Failure) {
    heardAt = .seconds
    try ask(.startUpdatingLocation(StandardRequest()), .updating)
    try ask(.startUpdatingHeading(HeadingRequest()), .turning)
    try ask(.startMonitoringVisits, .visits)
    try askForRegions()
  }

  private func askForReason() throws(Failure) {
    askedAt = .seconds
    try ask(.status, .status)
  }

  private func askForRegions() throws(Failure) {
    try ask(.monitoredRegions(after: nil, limit: 1000), .regions(before: []))
  }

  private func ask(_ request: Request, _ purpose: Purpose) throws(Failure) {
    // A failure here is told by the next step.
    guard let id = try? link.send(request) else { return }
    purposes[id] = purpose
  }
}

// MARK: - What the daemon says

extension MapDaemon {
  private func receive(_ message: Message) throws(Failure) {
    switch message {
    case .reply(let id, let result):
      guard let purpose = purposes.removeValue(forKey: id) else { return }
      try receive(result, purpose)
    case .event(_, let event): try receive(event)
    case .numbered(_, let event, let number):
      guard number > acknowledged else { return }
      acknowledged = number
      try receive(event)
      _ = try? link.send(.acknowledge(event: number))
    case .request, .farewell, .unknown: break
    }
  }

  private func receive(_ result: Result<Reply, Refusal>, _ purpose: Purpose) throws(Failure) {
    switch (purpose, result) {
    // That there is no compass is no reason for no location.
    case (.hello, .success), (.turning, _): break
    case (.visits, .success): try helper.set("visitsNote", .null)
    case (.updating, .success):
      (isUpdating, isPaused, denial) = (true, false, nil)
      heardAt = .seconds
    case (.hello, .failure(let refusal)), (.updating, .failure(let refusal)):
      if refusal.code == .denied { return try explain(denial: refusal.message) }
      try report(obstacle: "refused", refusal.message)
    case (.visits, .failure(let refusal)):
      try helper.set("visitsNote", .string(say(said: refusal.message)))
    case (.status, let result): try receive((try? result.get())?.status)
    case (.regions(let before), .success(.regions(let page, let more))):
      try receive(page, hasMore: more, after: before)
    case (.regions, .success): break
    case (.regions, .failure(let refusal)):
      try helper.set("regionsNote", .string(say(said: refusal.message)))
    case (.state(let identifier), .success(let reply)):
      states[identifier] = reply.state
      try showRegions()
    case (.state, .failure): break
    case (.change(let request), .success):
      try helper.answer(request, MapAnswer.done)
      try askForRegions()
    case (.change(let request), .failure(let refusal)):
      try helper.answer(request, MapAnswer.refused(refusal, in: say))
    }
  }

  private func receive(_ event: Event) throws(Failure) {
    switch event {
    case .didUpdateLocations(let location, _): try receive(location)
    case .didUpdateHeading(let heading): try helper.set("heading") { $0.append(heading) }
    case .didVisit(let visit):
      visits.removeAll { $0.arrivalDate != nil && $0.arrivalDate == visit.arrivalDate }
      visits.append(visit)
      if visits.count > Self.mostVisits { visits.removeFirst() }
      try helper.set("visits", .array(visits.map(\.json)))
    case .didEnterRegion(let identifier, let moment):
      try cross(identifier, .inside, moment)
    case .didExitRegion(let identifier, let moment):
      try cross(identifier, .outside, moment)
    case .didDetermineState(let identifier, let state):
      states[identifier] = state
      try showRegions()
    case .didChangeAuthorization(let authorization, _):
      if authorization.isAuthorized { return try start() }
      isUpdating = false
      try hidePosition()
      try explain(
        denial:
          "locationctl may not know where this machine is. 'sudo locationctl grant' says how to allow it."
      )
    case .didFail(let refusal):
      if refusal.code == .denied { try explain(denial: refusal.message) }
    case .didStartMonitoring, .monitoringDidFail, .didPauseLocationUpdates,
      .didResumeLocationUpdates, .didRangeBeacons, .rangingDidFail, .didStartAdvertising,
      .advertisingDidFail:
      break
    }
  }

  private func receive(_ location: Location) throws(Failure) {
    heardAt = .seconds
    positionDate = location.timestamp
    try helper.set("position") { $0.append(location) }
    if shown != nil {
      shown = nil
      try helper.set("obstacle", .null)
    }
    let place = location.coordinate
    if let last, last.distance(to: place) < Self.stride { return }
    last = place
    try helper.add(
      "track",
      .array([
        .number(place.latitude), .number(place.longitude),
        .integer(location.timestamp.microseconds / 1_000_000),
      ]))
  }

  private func hidePosition() throws(Failure) {
    positionDate = nil
    try helper.set("position", .null)
  }

  /// The map is told nothing now: the person may have paused.
  private func explain(denial reason: String) throws(Failure) {
    denial = reason
    try askForReason()
  }

  private func receive(_ status: Status?) throws(Failure) {
    isPaused = !isUpdating && status?.pause != nil
    if isPaused, let pause = status?.pause {
      denial = nil
      return try report(obstacle: "paused", PauseReport(pause, in: say).sentences)
    }
    if let denial {
      self.denial = nil
      return try report(obstacle: "denied", denial)
    }
    guard isUpdating, let reason = status?.obstacle, .seconds - heardAt > Self.patience else {
      return
    }
    let advice = ObstacleWatch.advice(reason)
    guard let positionDate else { return try report(obstacle: "noFix", advice) }
    let silence = say("No new position since \(Describe.localTime(positionDate)).")
    try report(obstacle: "silence", silence + " " + say(said: advice))
  }

  /// A sentence about what is missing, and what to do; once.
  private func report(obstacle kind: String, _ text: String) throws(Failure) {
    let news: JSON = ["kind": .string(kind), "text": .string(say(said: text).plain())]
    guard news != shown else { return }
    shown = news
    try helper.set("obstacle", news)
  }
}

// MARK: - Regions

extension MapDaemon {
  /// Registers a region that the person has drawn.
  func register(_ json: JSON, _ request: MapHelper.Request) throws(Failure) {
    let region: Region
    do throws(Refusal) { region = try Region(json) } catch {
      return try helper.answer(request, MapAnswer.refused(error, in: say))
    }
    try change(.startMonitoring([region]), request)
  }

  /// Says where this machine stands; polkit may ask the person whether that is theirs to say.
  func stand(_ json: JSON, _ request: MapHelper.Request) throws(Failure) {
    let call: Request
    do throws(Refusal) {
      call = try Request(method: "here.set", parameters: Parameters(json))
    } catch {
      return try helper.answer(request, MapAnswer.refused(error, in: say))
    }
    try change(call, request)
  }

  func remove(_ identifier: String, _ request: MapHelper.Request) throws(Failure) {
    try change(.stopMonitoring(identifiers: [identifier]), request)
  }

  private func change(_ call: Request, _ request: MapHelper.Request) throws(Failure) {
    guard link.descriptor != nil else {
      return try answer(request, .noDaemon(path: path, reason: "it does not listen"))
    }
    do throws(ConnectionError) {
      purposes[try link.send(call)] = .change(request)
    } catch {
      try answer(request, error)
    }
  }

  /// Answers a request that the daemon answers no more.
  private func answer(_ request: MapHelper.Request, _ error: ConnectionError) throws(Failure) {
    try helper.answer(
      request, MapAnswer.unanswered("noDaemon", Peer.daemon.message(error, at: path), in: say))
  }

  private func receive(
    _ page: [Region], hasMore: Bool, after before: [Region]
  ) throws(Failure) {
    let all = before + page
    if hasMore, let last = page.last?.identifier {
      return try ask(
        .monitoredRegions(after: last, limit: 1000), .regions(before: all))
    }
    // Beacons have no place on a map.
    regions = all.filter { if case .beacon = $0.shape { false } else { true } }
    for region in regions {
      try ask(.requestState(identifier: region.identifier), .state(region.identifier))
    }
    try showRegions()
  }

  private func showRegions() throws(Failure) {
    try helper.set(
      "regions",
      .array(
        regions.map { region in
          var members = region.json.members ?? []
          let state = states[region.identifier] ?? .unknown
          members.append(.init(key: "state", value: .string(state.rawValue)))
          return .object(members)
        }))
  }

  private func cross(
    _ identifier: String, _ state: RegionState, _ moment: Timestamp
  ) throws(Failure) {
    guard regions.contains(where: { $0.identifier == identifier }) else { return }
    states[identifier] = state
    try showRegions()
    try helper.add(
      "crossings",
      [
        "identifier": .string(identifier), "state": .string(state.rawValue),
        "timestamp": .string(Describe.universalTime(moment)),
      ])
  }
}

extension ConnectionError {
  fileprivate var isAbsence: Bool { if case .noDaemon = self { true } else { false } }
}

extension Visit {
  fileprivate var json: JSON {
    [
      "latitude": .number(coordinate.latitude), "longitude": .number(coordinate.longitude),
      "horizontalAccuracy": .number(horizontalAccuracy),
      "arrivalDate": arrivalDate.map { .string(Describe.universalTime($0)) },
      "departureDate": departureDate.map { .string(Describe.universalTime($0)) },
    ]
  }
}
