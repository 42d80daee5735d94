package import LocationModel

/// Finds stays in a track as it grows: when one has begun, and when it has ended.
///
/// It thinks in moments, one every ten seconds or rarer. Away, it looks whether the last minutes
/// lie at one place; staying, whether what comes is elsewhere and stays elsewhere.
package struct VisitDetector: Sendable {
  private enum State {
    case away
    case staying(Stay)
    /// A stay from before a restart: when it was is known once something comes.
    case remembering(StoredStay)
  }

  private var moments = Moments()
  private var state = State.away
  /// Away: the last moments, oldest first.
  private var trail = Trail()

  package init() {}

  package mutating func observe(_ sighting: Sighting, into visits: inout [Visit]) {
    var made: [Sighting] = []
    moments.add(sighting) { made.append($0) }
    if case .remembering(let stored) = state { state = .staying(Stay(stored, at: sighting)) }
    for moment in made { think(moment, into: &visits) }
  }

  /// Whether someone stays and nothing speaks for leaving.
  package var isSettled: Bool {
    if case .staying(let stay) = state { stay.wayOut.isEmpty } else { false }
  }

  /// Where someone is who stays, if this fix lies no further from there than it may be wrong: the
  /// middle of many fixes is nearer to the truth than the newest of them.
  package func steadied(_ sighting: Sighting) -> Sighting {
    guard case .staying(let stay) = state else { return sighting }
    return stay.steadied(sighting)
  }

  /// Nothing has come until now.
  package mutating func wait(until time: Double, into visits: inout [Visit]) {
    guard case .away = state, let stay = trail.stay(silentUntil: time) else { return }
    begin(stay, into: &visits)
  }

  /// When to be asked to wait, if nothing comes before.
  package var wakesAt: Double? {
    if case .away = state { trail.silenceEnds } else { nil }
  }

  /// The receiver's clock was set anew: dates said before are said by the new one.
  package mutating func shift(by step: Duration) {
    moments.shift(by: step)
    trail.shift(by: step)
    if case .staying(var stay) = state {
      state = .away
      stay.shift(by: step)
      state = .staying(stay)
    }
  }

  /// The stay, if there is one, which is remembered over a restart.
  package var stay: StoredStay? {
    switch state {
    case .away: nil
    case .staying(let stay): stay.stored
    case .remembering(let stored): stored
    }
  }

  /// Goes on with a stay that was remembered.
  package init(_ stored: StoredStay?) {
    if let stored { state = .remembering(stored) }
  }

  private mutating func begin(_ stay: Stay, into visits: inout [Visit]) {
    state = .staying(stay)
    visits.append(stay.visit)
  }

  private mutating func think(_ moment: Sighting, into visits: inout [Visit]) {
    switch state {
    case .away:
      if let stay = trail.stay(silentUntil: moment.time, seen: moment) {
        begin(stay, into: &visits)
        return think(moment, into: &visits)
      }
      trail.append(moment)
      if let stay = trail.stay() { begin(stay, into: &visits) }
    case .staying(var stay):
      state = .away
      stay.observe(moment)
      guard stay.hasEnded else {
        state = .staying(stay)
        return
      }
      visits.append(stay.finishedVisit)
      trail = Trail(after: stay)
    case .remembering: break
    }
  }
}
