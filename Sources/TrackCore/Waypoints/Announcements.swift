package import LocationModel

/// Words to a server that are no part of the track.
package enum Saying: Equatable, Sendable {
  /// The waypoints that there are, each alone, until they are confirmed.
  case announcement([Waypoint])
  /// The device and its regions are there to be found, and some regions no more.
  case discovery(regions: [String], gone: [String])
  /// Answers to commands.
  case waypoints([Waypoint])
  case status(JSON)
  case steps
}

/// The waypoints that a server may be told, those that it was told on this connection, and those that it has.
struct Announcements: Sendable {
  private var shown: [Waypoint] = []
  private var names: [String] = []
  private var told: [Waypoint] = []
  private var known: [Waypoint] = []
  /// The names of the regions that are there to be found, on this connection and at the server.
  private var found: [String]?
  private var knownFound: [String]?

  /// `names`: those of the regions that are there to be found.
  mutating func show(_ waypoints: [Waypoint], found names: [String]) {
    (shown, self.names) = (waypoints, names)
    for i in shown.indices { shown[i].isInside = false }
  }

  /// Each waypoint that is new, or another.
  mutating func takeNews() -> [Waypoint] {
    guard shown != told else { return [] }
    defer { told = shown }
    return shown.filter { !told.contains($0) }
  }

  /// The words by which the device is found, where they are others.
  mutating func takeDiscovery() -> Saying? {
    guard names != found else { return nil }
    defer { found = names }
    return .discovery(regions: names, gone: (found ?? []).filter { !names.contains($0) })
  }

  mutating func confirm() { (known, knownFound) = (told, found) }
  mutating func forget() { (told, found) = (known, knownFound) }
}
