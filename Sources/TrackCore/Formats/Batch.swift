package import LocationModel

/// Our own words to a server: many entries at once, in order.
package struct Batch: Sendable {
  package let json: JSON
  /// The same for the same entries, also after a restart: a server that has it already need not take it
  /// again.
  package let key: String

  /// The newest place once more, where nothing is new.
  package static func heartbeat(_ entry: TrackEntry, device: String, track: String) -> JSON {
    ["device": .string(device), "track": .string(track), "heartbeat": entry.json]
  }

  /// A try of the broker: it has no place.
  package static func test(device: String, track: String) -> JSON {
    ["device": .string(device), "track": .string(track), "test": .bool(true)]
  }

  /// The broker's words when the device has gone without any.
  package static func will(device: String, track: String, at now: Timestamp) -> JSON {
    ["device": .string(device), "track": .string(track), "gone": .string(now.iso8601)]
  }

  /// `track`: its random name. With the number it tells each entry apart for ever, also from those of the same
  /// device with a new disk.
  package init(_ entries: [TrackEntry], device: String, track: String) {
    json = [
      "device": .string(device), "track": .string(track),
      "entries": .array(entries.map(\.json)),
    ]
    let ends = [entries.first, entries.last].compactMap { $0 }
      .map { "\($0.number)@\($0.timestamp.microseconds)" }
    key = "\(device.percentEncoded)-\(ends.joined(separator: "-"))"
  }
}
