import LocationModel

// A person's pause: none of their programs is told a place until it ends. To programs it is the master switch.
extension LocationService {
  mutating func pause(
    _ request: PauseRequest, for client: ClientID, _ caller: Caller, _ call: JSON?,
    at now: Instant, into outputs: inout [Output]
  ) throws(Refusal) {
    var uid = caller.uid
    var end = now.boottime + Duration(clamping: request.seconds)
    if caller.speaksForPerson || permissions.isAdministrator(caller) {
      uid = try person(request.uid, of: caller)
    } else {
      guard caller.confinement == .none, request.uid ?? uid == uid else {
        throw Self.noAdministrator(caller)
      }
      // No program makes a pause shorter, and a program that asks in a loop has little written.
      end = max(end.roundedUp, permissions.pauses.end(of: uid) ?? .start)
    }
    if end == permissions.pauses.end(of: uid), commits.trouble == nil {
      commit([], then: .paused(uid), for: client, call, into: &outputs)
      return
    }
    permissions.pauses.begin(uid, until: end)
    admit(at: now, into: &outputs)
    if permissions.pauses.mayTell(of: uid, at: now) {
      outputs.append(.note("location is paused for the programs of uid \(uid)"))
    }
    commit(
      [permissions.pauses.record(of: uid, at: now)], then: .paused(uid), for: client, call,
      into: &outputs)
  }

  /// The pause ends once that is written.
  mutating func resume(
    _ request: PauseRequest, for client: ClientID, _ caller: Caller, _ call: JSON?,
    into outputs: inout [Output]
  ) throws(Refusal) {
    let uid = try person(request.uid, of: caller)
    commit(
      [Pauses.removal(of: uid)], then: .resumed(uid, permissions.pauses.end(of: uid)),
      for: client, call, into: &outputs)
  }

  /// The end of the pause which was to end then is written.
  mutating func finishPause(
    of uid: UInt32, _ end: Boottime?, at now: Instant, into outputs: inout [Output]
  ) {
    guard let end, permissions.pauses.end(of: uid) == end else { return }
    permissions.pauses.end(uid)
    if permissions.pauses.mayTell(of: uid, at: now) {
      outputs.append(.note("location is no longer paused for the programs of uid \(uid)"))
    }
    admit(at: now, into: &outputs)
  }

  /// Ends the pauses whose time is up.
  mutating func endPauses(at now: Instant, into outputs: inout [Output]) {
    for uid in permissions.pauses.over(at: now) {
      finishPause(of: uid, permissions.pauses.end(of: uid), at: now, into: &outputs)
      commit([Pauses.removal(of: uid)], into: &outputs)
    }
  }

  /// Nil where the user's programs are not paused.
  func pauseStatus(of uid: UInt32, at now: Instant) -> PauseStatus? {
    permissions.pauses.end(of: uid).map { end in
      let left = end - now.boottime
      return PauseStatus(
        until: now.utc + left, seconds: max(left.seconds, 0), services: services(besides: uid),
        isEnabled: permissions.isEnabled)
    }
  }

  /// The machine's services that know the place whatever this person pauses.
  private func services(besides uid: UInt32) -> [String] {
    clients.owners.union(monitoring.registeredApps).filter { app in
      app.uid != uid && AppName(app.name)?.kind == .unit
        && permissions.access(of: app, isInUse: false).verdict(for: .standard).isAllowed
    }.map(\.name).sorted()
  }
}

extension Boottime {
  /// The next whole second.
  fileprivate var roundedUp: Boottime {
    let part = nanoseconds % 1_000_000_000
    return part == 0 ? self : self + .nanoseconds(1_000_000_000 - part)
  }
}
