import LocationClient
import LocationModel
import Platform
import TrackCore

/// The connection to locationd: it says what is wanted each time it is made, and tells what comes.
final class DaemonLink {
  enum Event {
    case location(Location)
    /// The device rests: no more locations come until it moves.
    case rests
    /// The numbers of events are those of this ledger of the daemon's.
    case ledger(Int64)
    /// One that comes again until it is acknowledged.
    case numbered(LocationModel.Event, UInt64)
    /// The device is in a region, or is not, as nothing is crossed.
    case stands(isInside: Bool, region: String)
  }

  struct Wishes: Equatable {
    var mode = Configuration.Mode.move
    var followsVisits = true
    var regions: [Region] = []
  }

  private(set) var authorization: Authorization?
  /// Why no locations come; nil where they do.
  private(set) var trouble: Trouble? = .init("locationd has not answered yet", since: Clock.utc)
  let connection: PersistentConnection
  private var wishes: Wishes
  private let loop: EventLoop
  private let log: Log
  private let body: (Event) -> Void
  private var watch: EventLoop.Watch?
  private var retry: EventLoop.Timer?
  /// The regions that the daemon is asked to watch, or is asked about, by the request.
  private var starting: [Int64: [String]] = [:]
  private var asking: [Int64: String] = [:]
  /// The askers who wait for the daemon's reason to have no fix.
  var inquiries: [Int64: (String?) -> Void] = [:]
  var patience: EventLoop.Timer?

  init(
    at path: String, _ wishes: Wishes, on loop: EventLoop, _ log: Log,
    _ body: @escaping (Event) -> Void
  ) throws(SystemError) {
    connection = PersistentConnection(path: path)
    self.wishes = wishes
    self.loop = loop
    self.log = log
    self.body = body
    retry = try EventLoop.Timer(slack: .milliseconds(100), on: loop) { [unowned self] in turn() }
    patience = try EventLoop.Timer(slack: .milliseconds(100), on: loop) { [unowned self] in
      endInquiries()
    }
  }

  func begin() { turn() }

  /// The daemon need not tell it again.
  func acknowledge(_ number: UInt64) {
    send { (connection) throws(ConnectionError) in
      try connection.send(.acknowledge(event: number))
    }
  }

  private func turn() {
    for event in connection.step(at: Clock.boottime) {
      switch event {
      case .opened: greet()
      case .received(let message): if connection.descriptor != nil { handle(message) }
      case .lost(let error): lose(error)
      }
    }
    retry?.set(connection.retriesAt)
  }

  private func greet() {
    guard let descriptor = connection.descriptor else { return }
    watch = try? EventLoop.Watch(descriptor, for: .read, on: loop) { [unowned self] _ in turn() }
    send { (connection) throws(ConnectionError) in
      try connection.send(
        .hello(.init(name: "locationd-tracker", purpose: "to keep the track of this machine")))
      try connection.send(.monitoredRegions(after: nil, limit: 1000))
    }
  }

  /// Other wishes take the place of those before.
  func change(to new: Wishes) {
    let old = wishes
    wishes = new
    guard isAllowed, connection.descriptor != nil else { return }
    if old.mode != new.mode || old.followsVisits != new.followsVisits { follow() }
    let gone = Set(old.regions.map(\.identifier)).subtracting(new.regions.map(\.identifier))
    stop(gone.sorted())
    watch(new.regions.filter { !old.regions.contains($0) })
  }

  /// Says all that is wanted; the daemon takes each wish as often as it is said.
  private func wish() {
    follow()
    watch(wishes.regions)
  }

  private func follow() {
    send { (connection) throws(ConnectionError) in
      switch wishes.mode {
      case .move:
        var request = StandardRequest()
        request.pausesAutomatically = true
        try connection.send(.startUpdatingLocation(request))
      case .significant, .manual: try connection.send(.stopUpdatingLocation)
      }
      try connection.send(
        wishes.mode == .significant
          ? .startMonitoringSignificantLocationChanges : .stopMonitoringSignificantLocationChanges)
      try connection.send(wishes.followsVisits ? .startMonitoringVisits : .stopMonitoringVisits)
    }
  }

  private func watch(_ regions: [Region]) {
    guard !regions.isEmpty else { return }
    send { (connection) throws(ConnectionError) in
      starting[try connection.send(.startMonitoring(regions))] = regions.map(\.identifier)
    }
  }

  private func stop(_ identifiers: [String]) {
    guard !identifiers.isEmpty else { return }
    send { (connection) throws(ConnectionError) in
      try connection.send(.stopMonitoring(identifiers: identifiers))
    }
  }

  /// Whether the device is in them now: nothing says so before it crosses their edge.
  private func ask(about regions: [String]) {
    send { (connection) throws(ConnectionError) in
      for region in regions {
        asking[try connection.send(.requestState(identifier: region))] = region
      }
    }
  }

  var isAllowed: Bool {
    authorization == .authorizedAlways || authorization == .authorizedWhenInUse
  }

  func send(_ body: (PersistentConnection) throws(ConnectionError) -> Void) {
    guard connection.descriptor != nil else { return }
    do throws(ConnectionError) {
      try body(connection)
    } catch {
      connection.lose(at: Clock.boottime)
      lose(error)
      retry?.set(connection.retriesAt)
    }
  }

  private func lose(_ error: ConnectionError) {
    watch = nil
    starting = [:]
    asking = [:]
    endInquiries()
    complain("locationd is not there: \(error): does it run?")
  }

  private func complain(_ why: String) {
    if trouble?.reason != why { log.notice(why) }
    trouble = Trouble(why, after: trouble, at: Clock.utc)
  }
}

// MARK: - Words of the daemon

extension DaemonLink {
  private func handle(_ message: Message) {
    switch message {
    case .reply(_, .success(.hello(let greeting))):
      connection.succeed()
      if let ledger = greeting.ledger { body(.ledger(ledger)) }
      stand(greeting.authorization)
    case .reply(_, .success(.regions(let known, _))): stopOthers(known)
    case .reply(let id, let result):
      if let body = inquiries.removeValue(forKey: id) {
        guard case .success(.status(let status)) = result else { return body(nil) }
        return body(status.obstacle)
      }
      conclude(id, result)
    case .request, .farewell, .unknown: break
    case .event(_, let event): handle(event)
    case .numbered(_, let event, let number): body(.numbered(event, number))
    }
  }

  private func conclude(_ id: Int64, _ result: Result<Reply, Refusal>) {
    let regions = starting.removeValue(forKey: id)
    let region = asking.removeValue(forKey: id)
    switch result {
    case .success(let reply):
      if let regions { ask(about: regions) }
      if let region, let state = reply.state { stand(state, region) }
    // A region that is gone meanwhile is no trouble.
    case .failure(let refusal): if region == nil { complain(refusal.message) }
    }
  }

  private func stand(_ state: RegionState, _ region: String) {
    switch state {
    case .inside: body(.stands(isInside: true, region: region))
    case .outside: body(.stands(isInside: false, region: region))
    case .unknown: break
    }
  }

  private func handle(_ event: LocationModel.Event) {
    switch event {
    case .didUpdateLocations(let location, _):
      trouble = nil
      // A place that no receiver says now is none of the track's.
      if location.kind.isEvidence { body(.location(location)) }
    case .didPauseLocationUpdates: body(.rests)
    case .didChangeAuthorization(let authorization, _): stand(authorization)
    case .didDetermineState(let region, let state): stand(state, region)
    case .didFail(let refusal): complain(refusal.message)
    case .monitoringDidFail(_, let refusal): complain(refusal.message)
    default: break
    }
  }

  private func stand(_ authorization: Authorization) {
    self.authorization = authorization
    switch authorization {
    case .authorizedAlways, .authorizedWhenInUse:
      trouble = nil
      wish()
    default:
      complain("the tracker may not know where this machine is: 'locationctl grant' lets it")
    }
  }

  /// Regions of an earlier configuration end.
  private func stopOthers(_ known: [Region]) {
    let wanted = Set(wishes.regions.map(\.identifier))
    stop(known.map(\.identifier).filter { !wanted.contains($0) })
  }
}
