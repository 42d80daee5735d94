package import LocationModel

/// Words to a server that are no part of the track.
package enum Saying: Equatable, Sendable {
  /// The waypoints that there are, each alone, until they are confirmed.
  case announcement([Waypoint])
  /// Answers to commands.
  case waypoints([Waypoint])
  case status(JSON)
  case steps
}

/// The waypoints that a server may be told, those that it was told on this connection, and those that it has.
struct Announcements: Sendable {
  private var shown: [Waypoint] = []
  private var told: [Waypoint] = []
  private var known: [Waypoint] = []

  mutating func show(_ waypoints: [Waypoint]) {
    shown = waypoints
    for i in shown.indices { shown[i].isInside = false }
  }

  /// Each waypoint that is new, or another.
  mutating func takeNews() -> [Waypoint] {
    guard shown != told else { return [] }
    defer { told = shown }
    return shown.filter { !told.contains($0) }
  }

  mutating func confirm() { known = told }
  mutating func forget() { told = known }
}
