import Console
import LocationModel
import Platform
import TrackCore
import TrackStore

// MARK: - Commands of a server

extension Tracker {
  func obey(_ command: OwnTracks.Command, of uplink: Uplink) -> Unfollowed {
    let name = uplink.plan.name
    switch command {
    case .reportLocation: record(.reportLocation)
    case .reportSteps: uplink.handle(.say(.steps))
    case .status: uplink.handle(.say(.status(details(of: uplink))))
    case .waypoints: uplink.handle(.say(.waypoints(waypoints(of: uplink))))
    case .clearWaypoints: waypoints?.clear(name)
    case .setWaypoints(let wishes, let unusable):
      return Unfollowed(count: unusable + (waypoints?.follow(wishes, of: name) ?? wishes.count))
    case .setConfiguration(let values):
      do throws(Unusable) {
        try take(ServerSettings(owner: name, values: values))
      } catch {
        return Unfollowed(count: 1, reason: error.what)
      }
    }
    return Unfollowed()
  }

  func waypoints(of uplink: Uplink) -> [Waypoint] {
    waypoints?.book.shown(to: uplink.plan.name) ?? []
  }

  private func details(of uplink: Uplink) -> JSON {
    let status = uplink.status()
    return [
      "version": .string(version),
      "locationAuthorization": (daemon?.authorization).map { .string($0.rawValue) },
      "backlog": status["backlog"], "parked": status["parked"],
      "waypoints": .integer(Int64(waypoints(of: uplink).count)),
      "settings": settings?.trial.status,
    ]
  }
}

// MARK: - locationctl track

extension Tracker {
  func answer(_ call: TrackCall, _ body: @escaping (Result<TrackReply, Refusal>) -> Void) {
    switch call {
    case .status: tellStatus(body)
    case .entries(let from, let to, let after, let limit):
      store.read(from: from, to: to, after: after, limit: limit) { result in
        switch result {
        case .success(let page): body(.success(.entries(page)))
        case .failure(let error):
          body(.failure(Refusal(.failed, "The track cannot be read: \(error).")))
        }
      }
    case .forget(let from, let to): forget(from, to, body)
    case .forgetZone(let name): forget(zone: name, body)
    case .pause(let time):
      pause(.init(from: Clock.utc, until: time.map { Clock.utc + $0 }), body)
    case .resume:
      guard var last = store.pause, last.until > Clock.utc else {
        return body(.success(.silence(silence)))
      }
      last.until = Clock.utc
      pause(last, body)
    case .flush:
      record(.rests)
      for uplink in uplinks { uplink.handle(.retryNow) }
      body(.success(.done))
    case .test(let name):
      guard let uplink = uplinks.first(where: { $0.plan.name == name }) else {
        return body(.failure(unknown(name)))
      }
      guard trials.allSatisfy(\.isOver) else {
        return body(.failure(Refusal(.failed, "Another test is under way.")))
      }
      trials = []
      test(uplink.plan.addresses[...], of: uplink.plan, [], body)
    case .retry(let name):
      let named = uplinks.filter { name == nil || $0.plan.name == name }
      guard !named.isEmpty || name == nil else { return body(.failure(unknown(name ?? ""))) }
      retry(named[...], after: 0, 0, body)
    case .drop(let name):
      let uplink = uplinks.first { $0.plan.name == name }
      guard uplink != nil || store.uplinks[name] != nil else {
        return body(.failure(unknown(name)))
      }
      store.forgetParked(of: name) { result in
        if case .success = result { uplink?.handle(.forgetParked) }
        body(result.map { .removed($0, remains: []) }.mapError(Self.cannotChange))
      }
    }
  }

  private func unknown(_ uplink: String) -> Refusal {
    let known = uplinks.map(\.plan.name).joined(separator: ", ")
    return Refusal(
      .invalidParameters,
      "There is no uplink '\(uplink.plain(atMost: 64))'"
        + (known.isEmpty ? "." : "; there are \(known)."))
  }

  static func cannotChange(_ error: DatabaseError) -> Refusal {
    Refusal(.failed, "The track cannot be changed: \(error).")
  }

  /// Each server of the uplink, one after the other.
  private func test(
    _ addresses: ArraySlice<UplinkAddress>, of plan: UplinkPlan, _ reports: [TrialReport],
    _ body: @escaping (Result<TrackReply, Refusal>) -> Void
  ) {
    guard let address = addresses.first else { return body(.success(.trials(reports))) }
    var server = plan
    (server.address, server.others) = (address, [])
    do throws(SystemError) {
      let resolver = if let known = self.resolver { known } else { try Resolver(on: loop) }
      self.resolver = resolver
      let network = surroundings?.network
      let run = try TrialRun(server, track: store.track, on: network, with: resolver) {
        [unowned self] in
        test(addresses.dropFirst(), of: plan, reports + [$0], body)
      }
      trials.append(run)
    } catch {
      body(.failure(Refusal(.failed, "The test cannot begin: \(error).")))
    }
  }

  /// Opens what is parked again, so many entries of one uplink at a time.
  private func retry(
    _ uplinks: ArraySlice<Uplink>, after number: Int64, _ count: Int64,
    _ body: @escaping (Result<TrackReply, Refusal>) -> Void
  ) {
    guard let uplink = uplinks.first else { return body(.success(.retried(count))) }
    store.parked(of: uplink.plan.name, after: number, limit: 1000) { [weak self] result in
      guard let self else { return }
      switch result {
      case .failure(let error): body(.failure(Self.cannotChange(error)))
      case .success(let entries) where entries.isEmpty:
        retry(uplinks.dropFirst(), after: 0, count, body)
      case .success(let entries):
        uplink.handle(.reopen(entries))
        let last = entries.last?.number ?? number
        retry(uplinks, after: last, count + Int64(entries.count), body)
      }
    }
  }

  private func pause(
    _ pause: Silence.Pause, _ body: @escaping (Result<TrackReply, Refusal>) -> Void
  ) {
    store.save(pause) { [weak self] error in
      guard let self else { return }
      body(error.map { .failure(Self.cannotChange($0)) } ?? .success(.silence(silence)))
    }
    observeSilence()
  }

  /// With the dates of the newest entry, and of the first that each server has not, and the daemon's obstacle.
  private func tellStatus(_ body: @escaping (Result<TrackReply, Refusal>) -> Void) {
    guard let daemon, silence == nil else { return tellStatus(nil, body) }
    daemon.askWhyNoFix { [weak self] in self?.tellStatus($0, body) }
  }

  private func tellStatus(
    _ noFix: String?, _ body: @escaping (Result<TrackReply, Refusal>) -> Void
  ) {
    let waiting = uplinks.map(\.firstMissing)
    store.dates(of: [store.newest] + waiting.compactMap(\.self)) { [weak self] dates in
      guard let self else { return }
      var rest = dates.dropFirst()
      let oldest = waiting.map { $0 == nil ? nil : rest.popFirst().flatMap { $0 } }
      body(.success(.status(status(newest: dates.first.flatMap { $0 }, oldest, noFix: noFix))))
    }
  }

  /// Why nothing is recorded, since when, and when that is tried again.
  private var trouble: (reason: String, since: Timestamp, next: Boottime?)? {
    if let error = store.trouble, let since = store.troubleSince {
      let reason = "the track cannot be written: \(error): is there room in \(folder)?"
      return (reason, since, recorder.retriesAt)
    }
    return (daemon?.trouble).map { ($0.reason, $0.since, daemon?.retriesAt) }
  }

  private func status(
    newest: Timestamp?, _ oldest: [Timestamp?], noFix: String?
  ) -> TrackStatus {
    let uplinks = zip(uplinks, oldest).map { $0.status(oldest: $1) }
    let trouble = trouble
    return TrackStatus(json: [
      "version": .string(version), "entries": .integer(store.count),
      "newest": .integer(store.newest), "syncs": .integer(Int64(store.syncs)),
      "trouble": (trouble?.reason).map(JSON.string),
      "since": (trouble?.since.iso8601).map(JSON.string),
      "nextTry": trouble.flatMap { $0.next }.map {
        .string((Clock.utc + ($0 - Clock.boottime)).iso8601)
      },
      "mended": mended.map(JSON.string), "silence": silence?.json,
      "noFix": noFix.map(JSON.string),
      "unwritten": recorder.unwrittenCount > 0 ? .integer(Int64(recorder.unwrittenCount)) : nil,
      "newestDate": newest.map { .string($0.iso8601) },
      "uplinks": .array(uplinks), "waypoints": waypoints?.status,
      "settings": settings?.trial.status, "certificate": renewal.status,
    ])
  }
}
