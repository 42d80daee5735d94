package import LocationModel

/// A region of the track: one of the configuration, or one that a server has set.
package struct Waypoint: Equatable, Sendable {
  /// The uplink whose server has set it; nil where the configuration did.
  package var owner: String?
  /// OwnTracks' region ID; the name, where the configuration set it.
  package var id: String
  package var name: String
  package var made: Timestamp
  /// Nil for one of the configuration that was read from the disk: the configuration says it.
  package var shape: Region.Shape?
  package var isInside = false

  package init(owner: String?, id: String, name: String, made: Timestamp, _ shape: Region.Shape?) {
    self.owner = owner
    self.id = id
    self.name = name
    self.made = made
    self.shape = shape
  }

  /// Its name at the daemon.
  package var identifier: String { owner.map { "\($0)/\(id)" } ?? name }

  package var region: Region? { shape.map { Region(identifier: identifier, $0) } }

  package var label: TrackEntry.RegionLabel { .init(name: name, id: id) }
}

/// A server's wish about one of its waypoints.
package struct WaypointWish: Equatable, Sendable {
  package var id: String
  package var name: String
  package var made: Timestamp?
  /// Nil where the waypoint is to go.
  package var shape: Region.Shape?

  package init(id: String, name: String, made: Timestamp?, _ shape: Region.Shape?) {
    self.id = id
    self.name = name
    self.made = made
    self.shape = shape
  }
}
