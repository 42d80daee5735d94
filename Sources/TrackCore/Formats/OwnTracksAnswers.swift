package import LocationModel

// Answers to a server, and the waypoints that it is told of by itself.
extension OwnTracks {
  /// One circle; nil for a polygon, for which OwnTracks has no words.
  package func waypoint(_ waypoint: Waypoint) -> Message? {
    Self.json(waypoint).map { Message(subtopic: "/waypoint", json: $0) }
  }

  package func waypoints(_ waypoints: [Waypoint]) -> Message {
    Message(
      subtopic: "/waypoints",
      json: ["_type": "waypoints", "waypoints": .array(waypoints.compactMap(Self.json))])
  }

  private static func json(_ waypoint: Waypoint) -> JSON? {
    guard case .circle(let place, let radius) = waypoint.shape else { return nil }
    return [
      "_type": "waypoint", "desc": .string(waypoint.name), "lat": .number(place.latitude),
      "lon": .number(place.longitude), "rad": max(radius, 1).whole,
      "rid": .string(waypoint.id), "tst": .integer(waypoint.made.seconds),
    ]
  }

  /// The device counts no steps, in OwnTracks' words.
  package func steps(at now: Timestamp) -> Message {
    Message(
      subtopic: "/step",
      json: [
        "_type": "steps", "tst": .integer(now.seconds), "steps": .integer(-1),
        "from": .integer(now.seconds), "to": .integer(now.seconds),
      ])
  }

  /// `details`: of this program, as the apps tell theirs under the name of their system.
  package func status(_ details: JSON) -> Message {
    Message(subtopic: "/status", json: ["_type": "status", "linux": details])
  }
}
