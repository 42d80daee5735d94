package import LocationModel

extension UplinkMachine {
  /// The network and the budget are as the uplink wants them.
  package var maySend: Bool { gate.maySend }
  /// The server has all entries up to this one.
  package var confirmedUpTo: Int64 { queue.confirmed.start }
  package var backlog: Int64 { queue.backlog }
  /// The last that the server has.
  package var newestConfirmed: Int64 { queue.confirmed.ranges.last?.upperBound ?? 0 }
}

/// A person's view of an uplink.
extension UplinkMachine {
  /// The brokers that may still retain a place that was removed.
  private var mayRetain: [String] { toClear.sorted().map { plan.addresses[$0].server } }

  /// The first number that the server has not.
  package var firstMissing: Int64? {
    queue.confirmed.oldestGap(upTo: queue.newest, most: 1)?.lowerBound
  }

  /// `oldest`: the date of the first entry that the server has not.
  package func status(at now: Instant, oldest: Timestamp? = nil) -> JSON {
    let next = nextTry(at: now.boottime).map { now.utc + ($0 - now.boottime) }
    let bytes = backlog > 0 ? Int64(Double(backlog) * bytesOfEntry) : nil
    let known: JSON = [
      "name": .string(plan.name), "server": .string(plan.addresses[server].server),
      "state": .string(state), "backlog": .integer(backlog),
      "backlogBytes": bytes.map(JSON.integer), "oldest": oldest.map { .string($0.iso8601) },
      "parked": .integer(parked.count), "parkedAnswers": parked.count > 0 ? parked.json : nil,
      "parkedSince": parked.since.map { .string($0.iso8601) },
      "trouble": trouble.map { .string($0.reason) },
      "since": trouble.map { .string($0.since.iso8601) },
      "nextTry": trouble == nil ? nil : next.map { .string($0.iso8601) },
    ]
    let more: JSON = [
      "commands": plan.takesCommands ? commands.json : nil,
      "confirmed": (queue.confirmed.ranges.last?.upperBound).map(JSON.integer),
      "lastConfirmation": lastSuccess.map { .string($0.iso8601) },
      "waits": gate.blockedReason.map(JSON.string),
      "waitsSince": gate.blockedSince.map { .string($0.iso8601) },
      "connections": .integer(connections),
      "mayRetain": mayRetain.isEmpty ? nil : .array(mayRetain.map(JSON.string)),
      "keepsPlace": keepsPlace.map(JSON.string),
      "mqtt": (broker.version?.rawValue).map(JSON.string),
      "longMessages": broker.risk.longMessages > 0 ? .integer(broker.risk.longMessages) : nil,
      "caution": broker.caution(at: now.boottime, now.utc).map(JSON.string),
      "budget": gate.budget?.status(at: now.utc),
    ]
    return .object((known.members ?? []) + (more.members ?? []))
  }

  private var state: String {
    switch link {
    case .idle, .waiting: "waiting"
    case .marking, .dialing: "connecting"
    // To a web server there is no connection that lasts.
    case .open where trouble != nil && !plan.addresses[server].words.areForBroker: "waiting"
    case .open: "connected"
    }
  }

  private func nextTry(at now: Boottime) -> Boottime? {
    if case .waiting(let until) = link { return until }
    return queue.resumesAt(after: now)
  }

  /// The average size of a sent entry; before the first, that of an entry in JSON with its headers.
  private var bytesOfEntry: Double {
    sent.entries > 0 ? Double(sent.bytes) / Double(sent.entries) : 400
  }
}
