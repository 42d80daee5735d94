import LocationModel

// A person's pause: none of their programs is told a place until it ends. To programs it is the master switch.
extension LocationService {
  /// Nil where the answer comes later: with the disk.
  mutating func pause(
    _ request: PauseRequest, for client: ClientID, _ caller: Caller, _ call: JSON?,
    at now: Instant, into outputs: inout [Output]
  ) throws(Refusal) -> Reply? {
    var uid = caller.uid
    var end = now.boottime + Duration(clamping: request.seconds)
    let isPerson = caller.speaksForPerson || permissions.isAdministrator(caller)
    if isPerson {
      uid = try person(request.uid, of: caller)
    } else {
      guard caller.confinement == .none, request.uid ?? uid == uid else {
        throw Self.noAdministrator(caller)
      }
      guard !permissions.pauses.isResuming(uid) else { throw Self.resuming }
      // No program makes a pause shorter.
      end = max(end.roundedUp, permissions.pauses.wish(of: uid) ?? .start)
    }
    if permissions.pauses.isWritten(end, of: uid) {
      return .pause(pauseStatus(of: uid, at: now))
    }
    let isNew = end != permissions.pauses.end(of: uid)
    let hasRoom = permissions.pauses.hasRoom(for: uid, ofPerson: isPerson)
    permissions.pauses.begin(
      uid, until: end,
      for: hasRoom ? asker(client, call, isResuming: false, isPerson: isPerson) : nil,
      isUrgent: isPerson)
    if isNew {
      admit(at: now, into: &outputs)
      if permissions.pauses.mayTell(of: uid, at: now) {
        outputs.append(.note("location is paused for the programs of uid \(uid)"))
      }
    }
    // The pause holds all the same.
    guard hasRoom else { throw Self.tooManyWait }
    return nil
  }

  /// The pause ends once that is written.
  mutating func resume(
    _ request: PauseRequest, for client: ClientID, _ caller: Caller, _ call: JSON?
  ) throws(Refusal) -> Reply? {
    let uid = try person(request.uid, of: caller)
    if permissions.pauses.isWritten(nil, of: uid) { return .done }
    guard permissions.pauses.hasRoom(for: uid, ofPerson: true) else { throw Self.tooManyWait }
    permissions.pauses.resume(uid, for: asker(client, call, isResuming: true, isPerson: true))
    return nil
  }

  private func asker(
    _ client: ClientID, _ call: JSON?, isResuming: Bool, isPerson: Bool
  ) -> Pauses.Asker? {
    call.map { Pauses.Asker(client, $0, isResuming: isResuming, isPerson: isPerson) }
  }

  private static let resuming = Refusal(
    .denied, "The person is ending the pause just now; a program may pause again after that.")
  private static let tooManyWait = Refusal(
    .limitExceeded, "Too many pauses wait to be written; ask again later.")

  /// Has the disk told what people wish.
  mutating func writePauses(
    isEnding: Bool = false, at now: Instant, into outputs: inout [Output]
  ) {
    for (uid, turn) in permissions.pauses.drainDue(at: now, isEnding: isEnding) {
      commit(
        [permissions.pauses.record(of: uid, at: now)], then: .paused(uid, turn: turn),
        into: &outputs)
    }
  }

  /// The user's wish is written, or could not be.
  mutating func finishPause(
    of uid: UInt32, _ turn: Int, _ trouble: String?, at now: Instant, into outputs: inout [Output]
  ) {
    let (askers, end) = permissions.pauses.finish(uid, turn, isWritten: trouble == nil)
    // The client that wished it is answered before others are told of it.
    for asker in askers where clients[asker.client] != nil {
      outputs.append(
        trouble.map { .refuse(asker.client, id: asker.call, Self.unwritten($0)) }
          ?? .answer(
            asker.client, id: asker.call,
            asker.isResuming ? .done : .pause(end.map { pauseStatus(of: uid, until: $0, at: now) }))
      )
    }
    if permissions.pauses.isResumed(uid) { endPause(of: uid, at: now, into: &outputs) }
  }

  private mutating func endPause(
    of uid: UInt32, at now: Instant, into outputs: inout [Output]
  ) {
    permissions.pauses.end(uid)
    if permissions.pauses.mayTell(of: uid, at: now) {
      outputs.append(.note("location is no longer paused for the programs of uid \(uid)"))
    }
    admit(at: now, into: &outputs)
  }

  /// Ends the pauses whose time is up, and has what changed written.
  mutating func endPauses(at now: Instant, into outputs: inout [Output]) {
    for uid in permissions.pauses.over(at: now) { endPause(of: uid, at: now, into: &outputs) }
    writePauses(at: now, into: &outputs)
  }

  /// Nil where the user's programs are not paused.
  func pauseStatus(of uid: UInt32, at now: Instant) -> PauseStatus? {
    permissions.pauses.end(of: uid).map { pauseStatus(of: uid, until: $0, at: now) }
  }

  private func pauseStatus(of uid: UInt32, until end: Boottime, at now: Instant) -> PauseStatus {
    let left = end - now.boottime
    return PauseStatus(
      until: now.utc + left, seconds: max(left.seconds, 0), services: services(besides: uid),
      isEnabled: permissions.isEnabled)
  }

  /// The machine's services that know the place whatever this person pauses, and the share where an administrator's
  /// line tells everyone.
  func services(besides uid: UInt32) -> [MachineService] {
    let lines = lines.filter { $0.value.access.verdict(for: .standard).isAllowed }.keys
    let apps = clients.owners.union(monitoring.registeredApps).filter { app in
      app.uid != uid && AppName(app.name)?.kind == .unit
        && permissions.access(of: app, isInUse: false).verdict(for: .standard).isAllowed
    }.union(lines)
    // A unit may be several users'.
    return Set(apps.map(\.name)).sorted().map(MachineService.init(ofUnit:))
  }
}

extension MachineService {
  fileprivate init(ofUnit app: String) {
    self.init(app, stoppedBy: "")
    command =
      switch name {
      case "locationd-tracker.service": "locationctl track pause"
      case Caller.shareUnit:
        // A socket would start it again.
        "sudo systemctl stop locationd-share.socket locationd-share-nmea.socket \(name)"
      default: "sudo systemctl stop \(name.quoted)"
      }
  }
}

extension Boottime {
  /// The next whole second.
  fileprivate var roundedUp: Boottime {
    let part = nanoseconds % 1_000_000_000
    return part == 0 ? self : self + .nanoseconds(1_000_000_000 - part)
  }
}
