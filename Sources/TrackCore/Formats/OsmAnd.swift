package import LocationModel

/// Traccar's words for phones: https://www.traccar.org/osmand/.
package enum OsmAnd {
  /// The query: it follows the question mark.
  package static func query(_ entry: TrackEntry, device: String) -> String {
    var parts = [
      ("id", device.percentEncoded), ("lat", "\(entry.coordinate.latitude)"),
      ("lon", "\(entry.coordinate.longitude)"),
      // Milliseconds: not each server reads text.
      ("timestamp", "\(entry.timestamp.microseconds / 1000)"),
      ("accuracy", "\(entry.horizontalAccuracy)"),
    ]
    if let speed = entry.speed {
      parts.append(("speed", "\((speed * 194.384_449).rounded() / 100)"))
    }
    if let course = entry.course { parts.append(("bearing", "\(course)")) }
    if let altitude = entry.altitude { parts.append(("altitude", "\(altitude)")) }
    if let battery = entry.circumstances.battery { parts.append(("batt", "\(battery)")) }
    if let power = entry.circumstances.power {
      parts.append(("charge", power == .unplugged ? "false" : "true"))
    }
    if let event = entry.event { parts.append(("event", event)) }
    if let region = entry.region { parts.append(("region", region.percentEncoded)) }
    return parts.map { "\($0)=\($1)" }.joined(separator: "&")
  }

  /// Its server wants all six members of `coords`, and both of `battery`; less than 0 is unknown. It cuts the
  /// level off to whole percents.
  package static func json(_ entry: TrackEntry, device: String) -> JSON {
    let circumstances = entry.circumstances
    let battery: JSON? = circumstances.battery.map {
      [
        "level": .number(min((Double($0) + 0.5) / 100, 1)),
        "is_charging": .bool(circumstances.power.map { $0 != .unplugged } ?? false),
      ]
    }
    return [
      "device_id": .string(device),
      "location": [
        "timestamp": .string(entry.timestamp.iso8601), "event": entry.event.map(JSON.string),
        "coords": [
          "latitude": .number(entry.coordinate.latitude),
          "longitude": .number(entry.coordinate.longitude),
          "accuracy": .number(entry.horizontalAccuracy), "speed": .number(entry.speed ?? -1),
          "heading": .number(entry.course ?? -1), "altitude": .number(entry.altitude ?? 0),
        ],
        "battery": battery, "extras": entry.region.map { ["region": .string($0)] },
      ],
    ]
  }
}

extension TrackEntry {
  /// Nil for a mere place.
  fileprivate var event: String? { kind == .place ? nil : "\(kind)" }
}
