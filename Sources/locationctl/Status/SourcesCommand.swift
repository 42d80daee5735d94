import Console
import LocationModel

extension Command {
  static let sources = Command(
    name: "sources", summary: "each source: how it fares, and why it has no fix",
    help: """
      Usage: locationctl sources [--json] [--socket PATH]

      Shows for each source its state and since when, what is read and how fast, its last fix, its
      satellites, what was refused, and when it is looked for again. Only administrators may look.

        --json   the daemon's own answer, as one line of JSON

      """
  ) { (arguments) throws(Failure) in
    let asJSON = arguments.flag("--json")
    let socket = try arguments.socket()
    try arguments.nothingElse()
    let json = try Daemon(at: socket).json(.status)
    guard let list = json["sources"] else {
      throw Failure(.denied, "sources are shown to root and the daemon's own user only")
    }
    if asJSON {
      try Output.write(list)
    } else {
      let status = Status(json)
      let places = (status?.places ?? []).map { StatusReport.line($0) }
      let reports =
        (status?.sources ?? []).map { SourceReport($0).lines } + (places.isEmpty ? [] : [places])
      try Output.report(
        reports.isEmpty ? [SourceReport.none] : Array(reports.joined(separator: [""])))
    }
  }
}

extension SourceStatus {
  /// The Bluetooth adapter, which says no fixes.
  var hearsBeacons: Bool { name == "beacons" }
}

/// One source as a person reads it.
struct SourceReport {
  let source: SourceStatus

  init(_ source: SourceStatus) {
    self.source = source
  }

  static let none = "No source is configured; locationd.conf(5) says how, under Source=."

  /// Its state in words, and why there is no fix.
  func state(in say: Speech = .english) -> String {
    let phrase: Phrase =
      switch source.state {
      case .waiting where source.hearsBeacons: "waiting for its first beacon"
      case .waiting where source.lastFixAge == nil: "waiting for its first fix"
      case .waiting: "waiting for a fix"
      case .running where source.hearsBeacons: "running, hears beacons"
      case .running: "running"
      case .closed: "closed, as nobody needs it"
      case .resting: "resting until the next fix is needed"
      case .failed(let reason): "failed, \(say(reasons: reason))"
      }
    let text = say(phrase) + " " + say("(for \(Describe.age(source.stateAge)))")
    return text + (source.details.remark.map { ": " + say(reasons: $0) } ?? "")
  }

  /// A line of what it is, and one for all that is known of it.
  var lines: [String] {
    let rows = [
      ("reads", reading), ("last fix", lastFix), ("contradicts", contradiction),
      ("satellites", satellites), ("heard", heard),
      ("refused", refused), ("odd", odd),
      ("next try", source.details.nextRetry.map { "in \(Describe.age(max($0, 0)))" }),
    ]
    let lines = rows.compactMap { name, value in
      value.map { "    \(name.padded(to: 11)) \($0)" }
    }
    return [source.name, "    \(state())"] + lines
  }

  private var reading: String? {
    let details = source.details
    let parts = [details.device, details.baud.map { "\($0) baud" }, details.language]
    let known = parts.compactMap { $0 }
    return known.isEmpty ? nil : known.joined(separator: ", ")
  }

  private var lastFix: String? {
    guard let age = source.lastFixAge else { return nil }
    var parts = ["\(Describe.age(age)) ago"]
    if let accuracy = source.horizontalAccuracy { parts.append("± \(Describe.metres(accuracy))") }
    if let kind = source.details.kind { parts.append(kind) }
    if let rate = source.details.rate { parts.append("\(Describe.fixed(rate, 1)) a second") }
    return parts.joined(separator: ", ")
  }

  private var contradiction: String? {
    source.contradiction.map {
      "\($0.name), \(Describe.metres($0.metres)) away, which is believed: one of the two is wrong"
    }
  }

  private var satellites: String? {
    let details = source.details
    let parts = [
      details.satellitesUsed.map { "\($0) used" }, details.satellitesInView.map { "\($0) in view" },
      details.dilution.horizontal.map { "HDOP \(Describe.fixed($0, 1))" },
      details.dilution.vertical.map { "VDOP \(Describe.fixed($0, 1))" },
      details.dilution.position.map { "PDOP \(Describe.fixed($0, 1))" },
    ]
    let known = parts.compactMap { $0 }
    return known.isEmpty ? nil : known.joined(separator: ", ")
  }

  private func count(_ name: String) -> Int64 { source.counters?[name]?.integer ?? 0 }

  private var heard: String? {
    guard source.counters != nil, count("bytes") > 0 else { return nil }
    return "\(Count(count("bytes"), "byte")), \(Count(count("sentences"), "sentence")),"
      + " \(Count(source.fixes, "fix")), \(Count(count("withoutFix"), "epoch")) without one"
  }

  /// Counters for people who look for a fault.
  private var refused: String? {
    Self.list(
      source.counters?["refused"],
      [
        ("badChecksum", "with a wrong checksum"), ("missingChecksum", "without a checksum"),
        ("cut", "cut off"), ("malformed", "malformed"), ("undated", "without a date"),
      ])
  }

  /// Fixes that were told, though their receiver did not say when they were.
  private var odd: String? {
    Self.list(
      source.counters,
      [("standing", "with the time of the one before"), ("timeless", "without a time")])
  }

  private static func list(_ counters: JSON?, _ words: [(key: String, words: String)]) -> String? {
    let parts = words.compactMap { key, words in
      let count = counters?[key]?.integer ?? 0
      return count > 0 ? "\(count) \(words)" : nil
    }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }
}
