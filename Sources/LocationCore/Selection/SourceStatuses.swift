import LocationModel

extension SourceTable {
  func status(at now: Instant) -> [SourceStatus] {
    // A compass is no reason for a location or none, until somebody wants it.
    let believed = entries.first { $0.source.id == chosen }
    let shown = entries.filter { $0.source.kind.givesFixes || $0.isOpen }
    return shown.map { (entry) -> SourceStatus in
      var status = SourceStatus(
        name: entry.source.name, state: entry.state, stateAge: seconds(since: entry.stateSince, now)
      )
      status.fixes = entry.fixes
      status.doubted = entry.doubted
      status.headings = entry.headings
      status.isChosen = entry.source.id == chosen && entry.isOpen
      status.lastFixAge = entry.accuracy.map { _ in seconds(since: entry.lastAt, now) }
      status.horizontalAccuracy = entry.accuracy
      if let believed, believed.source.id != entry.source.id {
        status.contradiction = entry.contender.contradiction(
          to: believed.contender, at: now.boottime
        ).map { Contradiction(name: believed.source.name, metres: $0) }
      }
      return status
    }
  }

  func secondsSinceFix(of source: SourceID, at now: Instant) -> Double? {
    entries.first { $0.source.id == source && $0.accuracy != nil }.map {
      seconds(since: $0.lastAt, now)
    }
  }

  private func seconds(since then: Boottime, _ now: Instant) -> Double {
    now.boottime.seconds(since: then)
  }
}
