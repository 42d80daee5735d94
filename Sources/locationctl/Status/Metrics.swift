import LocationModel
import TrackCore

/// Figures for Prometheus, in its text format: none tells a place, an app or a user.
struct Metrics {
  private(set) var lines: [String] = []

  enum Kind: String { case gauge, counter }

  typealias Sample = (labels: [(name: String, value: String)], value: Double?)

  /// Samples without a value are left out, and a metric without samples.
  mutating func add(_ name: String, _ help: String, _ kind: Kind = .gauge, of samples: [Sample]) {
    let known = samples.compactMap { sample in sample.value.map { (sample.labels, $0) } }
    guard !known.isEmpty else { return }
    lines += ["# HELP \(name) \(help)", "# TYPE \(name) \(kind.rawValue)"]
    for (labels, value) in known {
      let words = labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }.joined(separator: ",")
      lines.append(
        name + (words.isEmpty ? "" : "{\(words)}")
          + " \(Int64(exactly: value).map { "\($0)" } ?? "\(value)")")
    }
  }

  mutating func add(_ name: String, _ help: String, _ kind: Kind = .gauge, value: Double?) {
    add(name, help, kind, of: [([], value)])
  }

  /// Sources with their labels: those of one name have a number from the second on.
  private static func numbered(
    _ sources: [SourceStatus]
  ) -> [(labels: [(name: String, value: String)], source: SourceStatus)] {
    var known: [String: Int] = [:]
    return sources.map { source in
      known[source.name, default: 0] += 1
      let number = known[source.name, default: 1]
      return ([("source", source.name)] + (number > 1 ? [("number", "\(number)")] : []), source)
    }
  }

  private static func escaped(_ text: String) -> String {
    text.plain().replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
  }
}

extension Metrics {
  init(_ status: TrackStatus) {
    add("locationd_track_entries", "Entries that are kept.", value: Double(status.entries))
    add(
      "locationd_track_newest_timestamp_seconds", "Date of the newest entry.",
      value: status.newestDate?.epoch)
    add(
      "locationd_track_unwritten_entries", "Entries that wait in memory for the disk.",
      value: Double(status.unwritten))
    add(
      "locationd_track_trouble", "1 where nothing is recorded.",
      value: status.trouble == nil ? 0 : 1)
    func each(
      _ name: String, _ help: String, _ value: (TrackStatus.Uplink) -> Double?
    ) {
      add(
        "locationd_uplink_\(name)", help,
        of: status.uplinks.map { ([("uplink", $0.name)], value($0)) })
    }
    each("backlog_entries", "Entries that the server has not confirmed.") { Double($0.backlog) }
    each("backlog_bytes", "Their bytes, estimated.") { Double($0.backlogBytes ?? 0) }
    each("oldest_timestamp_seconds", "Date of the first of them.") { $0.oldest?.epoch }
    each("parked_entries", "Entries that the server refuses.") { Double($0.parked) }
    each("connected", "1 while there is a connection, or a web server answers.") {
      $0.isConnected ? 1 : 0
    }
    each("trouble", "1 where entries cannot be sent.") { $0.trouble == nil ? 0 : 1 }
    each("trouble_since_timestamp_seconds", "Since when.") { $0.since?.epoch }
    each("confirmed_timestamp_seconds", "The last confirmation.") { $0.lastConfirmation?.epoch }
    each("budget_used_bytes", "Bytes that were sent in this period.") {
      $0.budget.map { Double($0.used) }
    }
    each("budget_bytes", "Bytes that may be sent in a period.") {
      $0.budget.map { Double($0.bytes) }
    }
  }

  init(_ status: Status) {
    let isEnabled = status.pause?.isEnabled ?? status.isEnabled
    add("locationd_enabled", "1 where the master switch is on.", value: isEnabled ? 1 : 0)
    add("locationd_trouble", "1 where nothing can be kept.", value: status.trouble == nil ? 0 : 1)
    add("locationd_clients", "Connections.", value: (status.clients?.count).map(Double.init))
    add(
      "locationd_monitoring_apps", "Apps that monitor something.",
      value: (status.monitors?.count).map(Double.init))
    let counters = status.counters
    for (name, help, value) in [
      ("fixes", "Fixes of all sources.", counters?.fixes),
      ("refused_fixes", "Fixes that are impossible.", counters?.refused),
      ("events", "Events that were told to clients.", counters?.told),
      ("launches", "Starts of apps.", counters?.launches),
      ("slow_programs", "Programs of locationd-share's that did not read.", counters?.slow),
      ("wakeups", "Times that the clock alone woke the daemon.", counters?.wakeUps),
    ] { add("locationd_\(name)_total", help, .counter, value: value.map(Double.init)) }
    let sources = Self.numbered(status.sources ?? [])
    func each(
      _ name: String, _ help: String, _ kind: Kind = .gauge, _ value: (SourceStatus) -> Double?
    ) {
      add(
        "locationd_source_\(name)", help, kind,
        of: sources.map { ($0.labels, value($0.source)) })
    }
    add(
      "locationd_source_state", "1 for the state that the source is in.",
      of: sources.map { ($0.labels + [("state", $0.source.state.word)], 1) })
    each("chosen", "1 for the source that is believed.") { $0.isChosen ? 1 : 0 }
    each("fixes_total", "Its fixes.", .counter) { Double($0.fixes) }
    each("doubted_total", "Fixes said twice, out of order or impossible.", .counter) {
      Double($0.doubted)
    }
    each("fix_age_seconds", "Time since its last fix.") { $0.lastFixAge }
    each("accuracy_metres", "Accuracy of its last fix.") { $0.horizontalAccuracy }
  }
}

extension Timestamp {
  /// Seconds since 1970.
  fileprivate var epoch: Double { Double(microseconds / 1000) / 1000 }
}
