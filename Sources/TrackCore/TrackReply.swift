package import LocationModel

/// The tracker's answer.
package enum TrackReply: Equatable, Sendable {
  case done
  case status(TrackStatus)
  case entries(TrackPage)
  /// The number of removed entries. `remains`: what servers keep of them.
  case removed(Int64, remains: [String])
  /// The number of entries that are sent again.
  case retried(Int64)
  /// The try of each server of an uplink.
  case trials([TrialReport])
  /// Why nothing is kept now; nil where the track goes on.
  case silence(Silence.Reason?)
}

extension TrackReply {
  package var json: JSON {
    switch self {
    case .done: [:]
    case .status(let status): status.json
    case .entries(let page):
      [
        "entries": .array(page.entries.map(\.json)), "last": .integer(page.last),
        "more": .bool(page.hasMore),
      ]
    case .removed(let count, let remains):
      [
        "removed": .integer(count),
        "remains": remains.isEmpty ? nil : .array(remains.map(JSON.string)),
      ]
    case .retried(let count): ["retried": .integer(count)]
    case .trials(let reports): ["servers": .array(reports.map(\.json))]
    case .silence(let reason): ["silence": reason?.json]
    }
  }
}

/// Entries of a time, in order.
package struct TrackPage: Equatable, Sendable {
  package var entries: [TrackEntry]
  /// The number after which the next page begins: an entry that cannot be read ends nothing.
  package var last: Int64
  package var hasMore: Bool

  package init(_ entries: [TrackEntry], last: Int64, hasMore: Bool) {
    (self.entries, self.last, self.hasMore) = (entries, last, hasMore)
  }

  init(_ json: JSON) {
    let entries = json.list("entries", TrackEntry.init) ?? []
    self.init(
      entries, last: json["last"]?.integer ?? entries.last?.number ?? 0,
      hasMore: json["more"]?.bool ?? false)
  }
}

/// What is kept, and what each server has confirmed. What a newer tracker says beside stays in `json`.
package struct TrackStatus: Equatable, Sendable {
  package let json: JSON

  package init(json: JSON) { self.json = json }

  package var entries: Int64 { json["entries"]?.integer ?? 0 }
  /// Damage that was mended when the tracker started.
  package var mended: String? { json["mended"]?.string }
  package var trouble: String? { json["trouble"]?.string }
  /// The start of the trouble, and the time of the next try.
  package var since: Timestamp? { json.date("since") }
  package var nextTry: Timestamp? { json.date("nextTry") }
  /// The certificate of this machine should have been renewed.
  package var expiry: String? { json["certificate"]?["warning"]?.string }
  /// The daemon's reason to have no fix.
  package var noFix: String? { json["noFix"]?.string }
  /// Why nothing is kept now, as it is wished.
  package var silence: Silence.Reason? { json["silence"].flatMap(Silence.Reason.init) }
  package var newestDate: Timestamp? { json.date("newestDate") }
  /// Entries that wait in memory for the disk.
  package var unwritten: Int64 { json["unwritten"]?.integer ?? 0 }
  package var uplinks: [Uplink] { json.list("uplinks", Uplink.init) ?? [] }
  /// The part of the configuration that a server has set.
  package var settings: SettingsReport? { json["settings"].map(SettingsReport.init) }

  /// The names of the waypoints that a server has set.
  package func waypoints(of uplink: String) -> [String] {
    let named = json["waypoints"]?.array?.filter { $0["uplink"]?.string == uplink }
    return (named ?? []).compactMap { $0["name"]?.string }
  }

  /// A server that the track is sent to.
  package struct Uplink: Equatable, Sendable {
    package let json: JSON

    init(_ json: JSON) { self.json = json }

    package var name: String { json["name"]?.string ?? "" }
    package var backlog: Int64 { json["backlog"]?.integer ?? 0 }
    package var parked: Int64 { json["parked"]?.integer ?? 0 }
    /// The server's answers to what is parked, and how often it gave each.
    package var answers: [(reason: String, count: Int64)] {
      (json["parkedAnswers"]?.array ?? []).compactMap { answer in
        answer["answer"]?.string.map { ($0, answer["entries"]?.integer ?? 0) }
      }
    }
    package var parkedSince: Timestamp? { json.date("parkedSince") }
    package var lastConfirmation: Timestamp? { json.date("lastConfirmation") }
    package var server: String { json["server"]?.string ?? "" }
    /// The server is being connected to, and has not answered.
    package var isConnecting: Bool { json["state"]?.string == "connecting" }
    package var isConnected: Bool { json["state"]?.string == "connected" }
    /// The broker is spoken to by MQTT 3.1.1.
    package var isOldMQTT: Bool { json["mqtt"]?.string == MQTTVersion.v3.rawValue }
    package var backlogBytes: Int64? { json["backlogBytes"]?.integer }
    /// The date of the first entry that the server lacks.
    package var oldest: Timestamp? { json.date("oldest") }
    /// The start of the trouble, and the time of the next try.
    package var since: Timestamp? { json.date("since") }
    package var nextTry: Timestamp? { json.date("nextTry") }
    package var refusedCommands: Int64 { json["commands"]?["refused"]?.integer ?? 0 }
    package var lastRefusal: String { json["commands"]?["lastRefusal"]?.string ?? "" }
    /// What it waits for.
    package var waits: String? { json["waits"]?.string }
    package var waitsSince: Timestamp? { json.date("waitsSince") }
    /// Brokers that may still retain a place that was forgotten.
    package var mayRetain: [String] { (json["mayRetain"]?.array ?? []).compactMap(\.string) }
    /// Why the server does not clear it.
    package var keepsPlace: String? { json["keepsPlace"]?.string }
    package var longMessages: Int64? { json["longMessages"]?.integer }
    package var caution: String? { json["caution"]?.string }
    package var trouble: String? { json["trouble"]?.string }

    /// Bytes that were sent in a period, and that may be.
    package var budget: (used: Int64, bytes: Int64, period: String)? {
      guard let budget = json["budget"], let used = budget["used"]?.integer,
        let bytes = budget["bytes"]?.integer
      else { return nil }
      return (used, bytes, budget["period"]?.string ?? "")
    }
  }
}

extension JSON {
  fileprivate func date(_ name: String) -> Timestamp? {
    self[name]?.string.flatMap(Timestamp.init(iso8601:))
  }
}
