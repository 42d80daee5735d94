package import LocationModel

/// Our own words to a server: many entries at once, in order.
package struct Batch: Sendable {
  package let json: JSON
  /// The same for the same entries, also after a restart: a server that has it already need not take it
  /// again.
  package let key: String

  /// The newest place once more, where nothing is new.
  package static func heartbeat(_ entry: TrackEntry, device: String) -> JSON {
    ["device": .string(device), "heartbeat": entry.json]
  }

  package init(_ entries: [TrackEntry], device: String) {
    json = ["device": .string(device), "entries": .array(entries.map(\.json))]
    let ends = [entries.first, entries.last].compactMap { $0 }
      .map { "\($0.number)@\($0.timestamp.microseconds)" }
    key = "\(device.percentEncoded)-\(ends.joined(separator: "-"))"
  }
}
