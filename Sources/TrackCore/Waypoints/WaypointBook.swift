package import LocationModel

/// The waypoints that are watched. Those of the configuration come first; a server changes none of them,
/// and adds so many of its own.
package struct WaypointBook: Equatable, Sendable {
  package private(set) var waypoints: [Waypoint]
  /// No server is told of a region whose middle lies in one of these.
  package var zones = Zones()

  /// Bounds of one server's waypoints: their number, and the bytes of their names and IDs.
  static let mostOfOne = 100
  static let mostBytesOfOne = 8192
  /// An entry names so many regions that it lies in.
  static let mostLabels = 16

  /// `stored`: as they were on the disk.
  package init(_ stored: [Waypoint] = []) { waypoints = stored }

  package subscript(identifier: String) -> Waypoint? {
    waypoints.first { $0.identifier == identifier }
  }

  /// The regions to watch.
  package var regions: [Region] { waypoints.compactMap(\.region) }

  /// The regions that the device is in.
  package var inside: [TrackEntry.RegionLabel] {
    waypoints.lazy.filter { $0.isInside && !hides($0) }.prefix(Self.mostLabels).map(\.label)
  }

  /// The waypoints that a server may be told: the configuration's, and its own.
  package func shown(to owner: String) -> [Waypoint] {
    waypoints.filter { $0.owner == owner || $0.owner == nil && !hides($0) }
  }

  /// The names of those by which a server may say where the device is.
  package func found(by owner: String) -> [String] {
    var names: [String] = []
    for waypoint in shown(to: owner) where !hides(waypoint) && !names.contains(waypoint.name) {
      names.append(waypoint.name)
    }
    return names
  }

  func hides(_ waypoint: Waypoint) -> Bool { waypoint.region.map(zones.hide) ?? false }
}

// MARK: - Changes

extension WaypointBook {
  /// Takes the configuration over. `owners`: the uplinks whose servers may have waypoints; those of others
  /// go, and those that bear a name of the configuration's.
  package mutating func configure(_ regions: [Region], owners: Set<String>, at now: Timestamp) {
    var made = nextDate(at: now)
    let configured = regions.map { region in
      var waypoint = Waypoint(
        owner: nil, id: region.identifier, name: region.identifier, made: made, region.shape)
      if let before = waypoints.first(where: { $0.owner == nil && $0.name == waypoint.name }) {
        waypoint.made = before.made
        waypoint.isInside = before.isInside
      } else {
        made = made + .seconds(1)
      }
      return waypoint
    }
    let others = waypoints.filter { $0.owner.map(owners.contains) ?? false }
    waypoints = configured
    waypoints += others.filter { !isConfigured($0) }
  }

  /// Follows a server's wishes as far as they go; tells how many do not.
  package mutating func follow(
    _ wishes: [WaypointWish], of owner: String, at now: Timestamp
  ) -> Int {
    wishes.count { !follow($0, of: owner, at: now) }
  }

  package mutating func clear(_ owner: String) { waypoints.removeAll { $0.owner == owner } }

  /// The device is in the region, or is not.
  package mutating func note(_ isInside: Bool, _ identifier: String) {
    guard let i = waypoints.firstIndex(where: { $0.identifier == identifier }) else { return }
    waypoints[i].isInside = isInside
  }

  private mutating func follow(_ wish: WaypointWish, of owner: String, at now: Timestamp) -> Bool {
    let place = waypoints.firstIndex { $0.owner == owner && $0.id == wish.id }
    guard let shape = wish.shape else {
      guard let place else { return false }
      waypoints.remove(at: place)
      return true
    }
    var waypoint = Waypoint(
      owner: owner, id: wish.id, name: wish.name, made: wish.made ?? nextDate(at: now), shape)
    guard !isConfigured(waypoint) else { return false }
    var bytes = waypoint.bytes
    var count = 1
    for other in waypoints where other.owner == owner && other.id != wish.id {
      bytes += other.bytes
      count += 1
    }
    guard count <= Self.mostOfOne, bytes <= Self.mostBytesOfOne else { return false }
    if let place {
      let before = waypoints[place]
      if wish.made == nil { waypoint.made = before.made }
      waypoint.isInside = before.isInside && before.shape == shape
      waypoints[place] = waypoint
    } else {
      waypoints.append(waypoint)
    }
    return true
  }

  private func isConfigured(_ waypoint: Waypoint) -> Bool {
    waypoints.contains {
      $0.owner == nil && [waypoint.name, waypoint.id, waypoint.identifier].contains($0.name)
    }
  }

  /// OwnTracks tells waypoints apart by the second that they were made in.
  private func nextDate(at now: Timestamp) -> Timestamp {
    let newest = waypoints.lazy.filter { $0.owner == nil }.map(\.made.seconds).max() ?? 0
    return Timestamp(microseconds: max(now.seconds, newest + 1) * 1_000_000)
  }
}

extension Waypoint {
  fileprivate var bytes: Int { id.utf8.count + name.utf8.count }
}
