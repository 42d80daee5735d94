import LocationModel

/// Finds stays in a track as it grows: when one has begun, and when it has ended.
///
/// It thinks in moments, one every ten seconds or rarer. Away, it looks whether the last minutes
/// lie at one place; staying, whether what comes is elsewhere and stays elsewhere.
struct VisitDetector: Detector, Sendable {
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

  init() {}

  mutating func observe(_ seen: Observation, into findings: inout [Finding]) {
    var made: [Sighting] = []
    moments.add(seen.sighting) { made.append($0) }
    if case .remembering(let stored) = state { state = .staying(Stay(stored, at: seen.sighting)) }
    for moment in made { think(moment, into: &findings) }
  }

  /// Whether someone stays and nothing speaks for leaving.
  var isSettled: Bool {
    if case .staying(let stay) = state { stay.wayOut.isEmpty } else { false }
  }

  /// Where someone is who stays, if this fix lies no further from there than it may be wrong: the
  /// middle of many fixes is nearer to the truth than the newest of them.
  func steadied(_ sighting: Sighting) -> Sighting {
    guard case .staying(let stay) = state else { return sighting }
    return stay.steadied(sighting)
  }

  mutating func wait(until time: Double, into findings: inout [Finding]) {
    guard case .away = state, let stay = trail.stay(silentUntil: time) else { return }
    begin(stay, into: &findings)
  }

  var wakesAt: Double? {
    if case .away = state { trail.silenceEnds } else { nil }
  }

  /// The receiver's clock was set anew: dates said before are said by the new one.
  mutating func shift(by step: Duration) {
    moments.shift(by: step)
    trail.shift(by: step)
    if case .staying(var stay) = state {
      state = .away
      stay.shift(by: step)
      state = .staying(stay)
    }
  }

  /// The stay, if there is one, which is remembered over a restart.
  var stay: StoredStay? {
    switch state {
    case .away: nil
    case .staying(let stay): stay.stored
    case .remembering(let stored): stored
    }
  }

  /// Goes on with a stay that was remembered.
  init(_ stored: StoredStay?) {
    if let stored { state = .remembering(stored) }
  }

  private mutating func begin(_ stay: Stay, into findings: inout [Finding]) {
    state = .staying(stay)
    findings.append(.visit(stay.visit))
  }

  private mutating func think(_ moment: Sighting, into findings: inout [Finding]) {
    switch state {
    case .away:
      if let stay = trail.stay(silentUntil: moment.time, seen: moment) {
        begin(stay, into: &findings)
        return think(moment, into: &findings)
      }
      trail.append(moment)
      if let stay = trail.stay() { begin(stay, into: &findings) }
    case .staying(var stay):
      state = .away
      stay.observe(moment)
      guard stay.hasEnded else {
        state = .staying(stay)
        return
      }
      findings.append(.visit(stay.finishedVisit))
      trail = Trail(after: stay)
    case .remembering: break
    }
  }
}
