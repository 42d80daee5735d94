import LocationModel

/// The services that run while a client is connected: locations, one location, headings.
struct Delivery {
  var sessions: [StandardSession] = []
  var oneShots: [OneShot] = []
  var headings: [HeadingSession] = []
  var coarsePlaces = CoarsePlaces()
  /// The recipients of the newest location; the array's storage is used again.
  var due: [Recipient] = []

  static let noSource = Event.didFail(
    Refusal(.locationUnknown, "No source can give a location now; locationd keeps trying."))

  static let noPlace = "No location came in time. 'locationctl status' shows the sources."
  static let onlyCity =
    "No location came in time. Only the city of the time zone is known, for programs that 15 km are"
    + " enough for; 'locationctl doctor' says what would say a place."

  /// How old a location may be to begin with, and to be the answer to a request.
  static let freshToStart: Duration = .seconds(10)
  static let freshAtOnce: Duration = .seconds(2)

  var needsFixes: Bool {
    sessions.contains(where: \.isActive) || oneShots.contains(where: \.isActive)
  }
  var mayPause: Bool { sessions.contains(where: \.mayPause) }
  /// When the next request is late, in boottime.
  var wakesAt: Boottime? { oneShots.isEmpty ? nil : oneShots.lazy.map(\.deadline).min() }

  /// The clients that wait for something or are told it.
  var clients: Set<ClientID> {
    var clients = Set(sessions.lazy.map(\.recipient.client))
    clients.formUnion(oneShots.lazy.map(\.client))
    clients.formUnion(headings.lazy.map(\.recipient.client))
    return clients
  }

  func isActive(_ client: ClientID) -> Bool {
    sessions.contains { $0.recipient.client == client && $0.isActive }
  }

  func add(to demand: inout Demand) {
    for session in sessions where session.isActive { demand.add(session.need) }
    if oneShots.contains(where: \.isActive) { demand.add(.all) }
  }

  mutating func forget(_ client: ClientID) {
    sessions.removeAll { $0.recipient.client == client }
    oneShots.removeAll { $0.client == client }
    headings.removeAll { $0.recipient.client == client }
  }
}

// MARK: - Locations

extension Delivery {
  /// Tells the location to each client that is due.
  mutating func deliver(
    _ location: Location, _ point: Point, to clients: ClientRegistry, at now: Instant,
    into outputs: inout [Output]
  ) {
    due.removeAll(keepingCapacity: true)
    for i in sessions.indices where sessions[i].isActive {
      if sessions[i].isPaused {
        sessions[i].withhold(location, point)
      } else if sessions[i].isCoarse {
        deliverCoarse(location, i, to: clients, at: now, into: &outputs)
      } else if sessions[i].admits(location, point) {
        due.append(sessions[i].recipient)
      }
    }
    outputs.tell(due, .didUpdateLocations(location, .standard))
    for i in oneShots.indices.reversed() where oneShots[i].isMet(by: location) {
      let met = oneShots.remove(at: i)
      answer(met, location, clients, at: now, into: &outputs)
    }
  }

  mutating func deliverCoarse(
    _ location: Location, _ i: Int, to clients: ClientRegistry, at now: Instant,
    into outputs: inout [Output]
  ) {
    let recipient = sessions[i].recipient
    guard let app = clients.owner(of: recipient.client) else { return }
    let place = coarsePlaces.place(location, of: app, at: now)
    guard sessions[i].admitsCoarse(place) else { return }
    outputs.tell([recipient], .didUpdateLocations(place, .standard))
  }

  /// Pauses the sessions whose device stands still, and resumes those whose device moves.
  mutating func pause(after sighting: Sighting, into outputs: inout [Output]) {
    for i in sessions.indices where sessions[i].mayPause {
      switch sessions[i].rests(sighting) {
      case .paused: outputs.tell([sessions[i].recipient], .didPauseLocationUpdates)
      case .resumed:
        outputs.tell([sessions[i].recipient], .didResumeLocationUpdates)
        for location in sessions[i].takeWay() {
          outputs.tell([sessions[i].recipient], .didUpdateLocations(location, .standard))
        }
      case nil: break
      }
    }
  }

  /// Starting twice is one service: the wishes change, and what was told still counts. False where the
  /// manager has none yet.
  mutating func change(_ session: StandardSession) -> Bool {
    guard let i = sessions.firstIndex(where: { $0.recipient == session.recipient }) else {
      return false
    }
    sessions[i].wish(session.request)
    return true
  }

  mutating func start(_ session: StandardSession, _ verdict: Verdict) {
    var session = session
    session.allow(verdict)
    sessions.append(session)
  }

  mutating func stop(_ recipient: Recipient) { sessions.removeAll { $0.recipient == recipient } }

  /// Tells what is at hand, to begin with.
  mutating func begin(
    _ recipient: Recipient, _ sources: SourceSelection, _ clients: ClientRegistry, at now: Instant,
    into outputs: inout [Output]
  ) {
    guard let i = sessions.firstIndex(where: { $0.recipient == recipient }) else { return }
    // A session that needs little begins with what others would wait for.
    let pause = sessions[i].need.pause(at: sources.newest?.location.speed ?? 0)
    let length = min(Duration(clamping: pause), sources.longestPause)
    if let fresh = sources.location(within: max(Self.freshToStart, length), at: now) {
      if sessions[i].isCoarse {
        deliverCoarse(fresh, i, to: clients, at: now, into: &outputs)
      } else if sessions[i].admits(fresh, Point(fresh.coordinate)) {
        outputs.tell([recipient], .didUpdateLocations(fresh, .standard))
      }
    } else {
      deliverMeanwhile([i], sources, clients, at: now, into: &outputs)
      if sources.table.haveAllFailed, sources.known.present(at: now) == nil {
        outputs.tell([recipient], Self.noSource)
      }
    }
  }

  /// The client may do something else now: its sessions go on or stop. Gives those that begin; `refusal`
  /// is told to those that end.
  mutating func admit(
    _ client: ClientID, _ verdict: Verdict, _ refusal: Refusal?, into outputs: inout [Output]
  ) -> [Recipient] {
    var begun: [Recipient] = []
    for i in sessions.indices where sessions[i].recipient.client == client {
      let wasActive = sessions[i].isActive
      let wasCoarse = sessions[i].isCoarse
      sessions[i].allow(verdict)
      if sessions[i].isActive, !wasActive || wasCoarse != sessions[i].isCoarse {
        begun.append(sessions[i].recipient)
      } else if wasActive, let refusal {
        outputs.tell([sessions[i].recipient], .didFail(refusal))
      }
    }
    return begun
  }
}

// MARK: - One location

extension Delivery {
  mutating func wait(_ oneShot: OneShot) { oneShots.append(oneShot) }

  /// The client may know now: takes its requests that wait for that.
  mutating func takeUndecided(of client: ClientID) -> [OneShot] {
    let taken = oneShots.filter { $0.client == client && !$0.isActive }
    if !taken.isEmpty { oneShots.removeAll { $0.client == client && !$0.isActive } }
    return taken
  }

  /// Ends the waits whose time is up.
  mutating func expire(
    _ sources: SourceSelection, _ clients: ClientRegistry, at now: Instant,
    into outputs: inout [Output]
  ) {
    guard !oneShots.isEmpty else { return }
    for i in oneShots.indices.reversed() where oneShots[i].deadline <= now.boottime {
      let late = oneShots.remove(at: i)
      if let refusal = late.undecided {
        outputs.append(.refuse(late.client, id: late.id, refusal))
        continue
      }
      let known = sources.known.best(for: late.desiredAccuracy, after: sources.newest, at: now)
      let best = [late.best, known].compactMap { $0 }.min {
        $0.horizontalAccuracy < $1.horizontalAccuracy
      }
      let city = sources.known.best(for: StandardRequest.city, after: sources.newest, at: now)
      let hint = best == nil && city != nil ? Self.onlyCity : Self.noPlace
      answer(late, best, because: hint, clients, at: now, into: &outputs)
    }
  }

  mutating func refuseOneShots(
    of client: ClientID, _ refusal: Refusal, into outputs: inout [Output]
  ) {
    for i in oneShots.indices.reversed() where oneShots[i].client == client {
      outputs.append(.refuse(client, id: oneShots.remove(at: i).id, refusal))
    }
  }

  mutating func answer(
    _ oneShot: OneShot, _ location: Location?, because reason: String = Self.noPlace,
    _ clients: ClientRegistry, at now: Instant, into outputs: inout [Output]
  ) {
    if let location = location.flatMap({
      seen($0, isReduced: oneShot.isReduced, by: oneShot.client, clients, at: now)
    }) {
      outputs.append(.answer(oneShot.client, id: oneShot.id, .location(location)))
    } else {
      outputs.append(
        .refuse(oneShot.client, id: oneShot.id, Refusal(.locationUnknown, reason)))
    }
  }

  /// A location as the client may see it now; nil where it may not.
  mutating func seen(
    _ location: Location, isReduced: Bool = false, by id: ClientID, _ clients: ClientRegistry,
    at now: Instant
  ) -> Location? {
    guard let client = clients[id] else { return nil }
    return switch client.access.verdict(for: .standard) {
    case .allow(.full) where !isReduced: location
    case .allow: coarsePlaces.place(location, of: client.caller.owner, at: now)
    default: nil
    }
  }
}
