import LocationModel
import Platform
import TrackCore
import TrackStore

extension Tracker {
  /// Silence begins and ends so late at most where the clock or the zone of time has jumped.
  private static let listening: Duration = .seconds(60)

  func hides(_ entry: TrackEntry) -> Bool { waypoints?.book.zones.hide(entry) ?? false }

  func zone(_ name: String) -> Zone? { waypoints?.book.zones[name] }

  /// Why nothing is kept now.
  var silence: Silence.Reason? { rules.reason(at: Clock.utc, Clock.localOffset) }

  private var rules: Silence {
    var silence = Silence()
    (silence.hours, silence.pause) = (configuration.hours, store.pause)
    return silence
  }

  /// The daemon is asked for nothing while nothing is kept.
  func observeSilence() {
    record(.silence(rules, Clock.localOffset))
    let reason = silence
    if isSilent != (reason != nil) {
      isSilent = reason != nil
      log.info(isSilent ? "nothing is kept for now" : "the track goes on")
      daemon?.change(to: wishes)
    }
    let end: Timestamp? =
      switch reason {
      case .pause(let until), .hours(let until): until
      case nil: nil
      }
    let next = end.map { min(max($0 - Clock.utc, .milliseconds(100)), Self.listening) }
    let isNeeded = reason != nil || !configuration.hours.isEmpty
    bell?.set(isNeeded ? Clock.boottime + (next ?? Self.listening) : nil)
  }
}
