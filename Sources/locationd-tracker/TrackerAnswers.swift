import Console
import LocationModel
import TrackCore
import TrackStore

// MARK: - Commands of a server

extension Tracker {
  /// Tells how many of a command's wishes are not followed.
  func obey(_ command: OwnTracks.Command, of uplink: Uplink) -> Int {
    let name = uplink.plan.name
    switch command {
    case .reportLocation: record(.reportLocation)
    case .reportSteps: uplink.handle(.say(.steps))
    case .status: uplink.handle(.say(.status(details(of: uplink))))
    case .waypoints: uplink.handle(.say(.waypoints(waypoints(of: uplink))))
    case .clearWaypoints: waypoints?.clear(name)
    case .setWaypoints(let wishes, let unusable):
      return unusable + (waypoints?.follow(wishes, of: name) ?? wishes.count)
    }
    return 0
  }

  private func details(of uplink: Uplink) -> JSON {
    let status = uplink.status
    return [
      "version": .string(version),
      "locationAuthorization": (daemon?.authorization).map { .string($0.rawValue) },
      "backlog": status["backlog"], "parked": status["parked"],
      "waypoints": .integer(Int64(waypoints(of: uplink).count)),
    ]
  }
}

// MARK: - locationctl track

extension Tracker {
  func answer(_ call: TrackCall, _ body: @escaping (Result<TrackReply, Refusal>) -> Void) {
    switch call {
    case .status: body(.success(.status(status)))
    case .entries(let from, let to, let after, let limit):
      store.read(from: from, to: to, after: after, limit: limit) { result in
        switch result {
        case .success(let entries):
          body(.success(.entries(TrackPage(entries, hasMore: entries.count == limit))))
        case .failure(let error):
          body(.failure(Refusal(.failed, "The track cannot be read: \(error).")))
        }
      }
    case .forget(let from, let to):
      store.forget(from: from, to: to) { result in
        switch result {
        case .success(let removed): body(.success(.removed(removed)))
        case .failure(let error):
          body(.failure(Refusal(.failed, "The track cannot be changed: \(error).")))
        }
      }
    case .flush:
      record(.rests)
      for uplink in uplinks { uplink.handle(.retryNow) }
      body(.success(.done))
    }
  }

  private var status: TrackStatus {
    TrackStatus(json: [
      "version": .string(version), "entries": .integer(store.count),
      "newest": .integer(store.newest), "syncs": .integer(Int64(store.syncs)),
      "trouble": (store.trouble.map { "the track cannot be written: \($0)" } ?? daemon?.trouble)
        .map(JSON.string),
      "mended": mended.map(JSON.string),
      "unwritten": recorder.unwrittenCount > 0 ? .integer(Int64(recorder.unwrittenCount)) : nil,
      "uplinks": .array(uplinks.map(\.status)), "waypoints": waypoints?.status,
    ])
  }
}
