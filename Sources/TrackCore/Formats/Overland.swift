package import LocationModel

/// Overland's batches: https://github.com/aaronpk/Overland-iOS#api.
package enum Overland {
  package static func batch(_ entries: [TrackEntry], device: String, track: String) -> JSON {
    ["locations": .array(entries.map { feature($0, device, track, id: "\($0.number)") })]
  }

  /// The newest place once more, under a name of its own: a receiver that knows one leaves the next out.
  package static func heartbeat(
    _ entry: TrackEntry, device: String, track: String, at now: Timestamp
  ) -> JSON {
    ["locations": .array([feature(entry, device, track, id: "heartbeat-\(now.seconds)")])]
  }

  /// Receivers read each member of the first ten unasked; less than 0 is unknown.
  private static func feature(
    _ entry: TrackEntry, _ device: String, _ track: String, id: String
  ) -> JSON {
    let power = entry.circumstances.power?.overland ?? "unknown"
    let level = entry.circumstances.battery.map { Double($0) / 100 } ?? -1
    let known: JSON = [
      "timestamp": .string(entry.timestamp.iso8601), "altitude": .number(entry.altitude ?? 0),
      "speed": .number(entry.speed ?? -1), "course": .number(entry.course ?? -1),
      "horizontal_accuracy": .number(entry.horizontalAccuracy),
      "vertical_accuracy": .number(entry.verticalAccuracy ?? -1),
      "battery_level": .number(level), "battery_state": .string(power),
      "device_id": .string(device), "wifi": .string(""), "motion": .array(entry.motion),
    ]
    let own: JSON = [
      "unique_id": .string("\(track)-\(id)"), "number": .integer(entry.number),
      "track": .string(track), "kind": .string("\(entry.kind)"),
      "region": entry.region.map(JSON.string),
      "arrival_date": entry.arrival.map { .string($0.iso8601) },
      "departure_date": entry.departure.map { .string($0.iso8601) },
    ]
    let coordinates: [JSON] = [
      .number(entry.coordinate.longitude), .number(entry.coordinate.latitude),
    ]
    return [
      "type": .string("Feature"),
      "geometry": ["type": .string("Point"), "coordinates": .array(coordinates)],
      "properties": .object((known.members ?? []) + (own.members ?? [])),
    ]
  }
}

extension TrackEntry {
  /// A receiver that is slower than that stands.
  fileprivate var motion: [JSON] {
    switch kind {
    case .arrival: [.string("stationary")]
    case .place: speed.map { $0 < 0.5 ? [.string("stationary")] : [] } ?? []
    case .departure, .enter, .leave: []
    }
  }
}

extension Circumstances.Power {
  fileprivate var overland: String {
    switch self {
    case .unplugged: "unplugged"
    case .charging: "charging"
    case .full: "full"
    }
  }
}
