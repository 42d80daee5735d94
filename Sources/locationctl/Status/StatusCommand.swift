import Console
import LocationClient
import LocationModel

extension Command {
  static let status = Command(
    name: "status", summary: "the daemon, its sources, its clients",
    help: """
      Usage: locationctl status [--json|--prometheus] [--socket PATH]

      Shows what you may, and why no location comes if none does; to administrators
      also each source and client.

        --json         the daemon's own answer, as one line of JSON
        --prometheus   figures for Prometheus: no place, no app and no user

      """
  ) { (arguments) throws(Failure) in
    let asMetrics = arguments.flag("--prometheus")
    guard let status = try arguments.reply(to: .status)?.status else { return }
    if asMetrics { return try Output.write(Metrics(status).lines) }
    let say = Speech.ofOutput
    try Output.report(StatusReport(status).lines.map { say(said: $0) } + ServerReach().lines)
  }
}

/// A status as a person reads it.
struct StatusReport {
  let status: Status

  init(_ status: Status) {
    self.status = status
  }

  var lines: [String] {
    var lines = [
      "locationd \(status.version): services \(status.services.map(\.rawValue).joined(separator: ", "))",
      status.client.isInUse
        ? "You are \(status.client.app): \(status.client.authorization.rawValue), in use"
        : "You are \(status.client.app): \(status.client.authorization.rawValue), not in use",
    ]
    if let pause = status.pause { lines += PauseReport(pause).lines }
    if !(status.pause?.isEnabled ?? status.isEnabled) {
      lines.append("Location is switched off for all; 'sudo locationctl enable' switches it on.")
    } else if status.pause == nil, let obstacle = status.obstacle {
      lines.append("No location now: \(ObstacleWatch.advice(obstacle))")
    }
    if let trouble = status.trouble {
      lines.append("")
      lines.append(
        "Nothing can be kept: \(trouble). Nothing new is granted; what was taken away stays so.")
    }
    if let sources = status.sources {
      lines += ["", sources.isEmpty ? SourceReport.none : "Sources"]
      lines += sources.map { "  " + Self.line($0) }
    }
    func list<Row>(_ rows: [Row]?, _ title: String, _ line: (Row) -> String) {
      guard let rows, !rows.isEmpty else { return }
      lines += ["", title] + rows.map { "  " + line($0) }
    }
    list(status.places, "Told where no source says a place", Self.line)
    list(status.clients, "Clients", Self.line)
    list(status.monitors, "Monitoring, also for programs that are gone", Self.line)
    if let need = status.need {
      lines.append("")
      lines.append(Self.line(need))
    }
    if let counters = status.counters {
      lines.append("")
      lines.append(
        "\(Count(counters.fixes, "fix")), \(counters.refused) impossible;"
          + " \(Count(counters.told, "event")) told")
    }
    return lines
  }

  static func line(_ place: PlaceStatus) -> String {
    var text = "\(place.source.plain()) ±\(Describe.metres(place.horizontalAccuracy))"
    if let kind = Describe.kind(place.kind) { text += ", \(kind)" }
    if let age = place.age { text += ", \(Describe.age(age)) old" }
    if place.isSetAside { text += ", set aside, as receivers are elsewhere" }
    return text
  }

  static func line(_ need: NeedStatus) -> String {
    var parts: [String] = []
    let whom = [
      (need.updating, "updating"), (need.waiting, "waiting for one"),
      (need.monitoring, "monitoring"),
    ].filter { $0.0 > 0 }
    if !whom.isEmpty {
      let what = need.accuracy > 0 ? "±\(Describe.metres(need.accuracy))" : "the best there is"
      let rate = need.every > 0 ? ", a fix every \(Describe.age(need.every))" : ""
      let names = whom.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
      parts.append("\(what)\(rate), for \(names)")
    }
    if need.headings > 0 { parts.append("headings, for \(need.headings)") }
    if need.ranging > 0 { parts.append("beacons that are near, for \(need.ranging)") }
    if need.advertising > 0 {
      parts.append("this machine is to be \(Count(need.advertising, "beacon"))")
    }
    if let resting = need.resting { parts.append("receivers rest for \(Describe.age(resting))") }
    return "Needed: " + parts.joined(separator: "; ")
  }

  static func line(_ source: SourceStatus) -> String {
    var text = "\(source.name): \(SourceReport(source).state)"
    if let age = source.lastFixAge { text += ", last fix \(Describe.age(age)) ago" }
    if let accuracy = source.horizontalAccuracy { text += " ±\(Describe.metres(accuracy))" }
    if source.hearsBeacons { return text }
    text += ", \(Count(source.fixes, "fix"))"
    if source.doubted > 0 { text += ", \(source.doubted) not believed" }
    if source.headings > 0 { text += ", \(Count(source.headings, "heading"))" }
    if let contradiction = source.contradiction {
      text += ", contradicts \(contradiction.name)"
    }
    return text + (source.isChosen ? ", the best now" : "")
  }

  static func line(_ monitor: MonitorStatus) -> String {
    var parts: [String] = []
    if monitor.regions > 0 { parts.append("\(Count(monitor.regions, "region"))") }
    if monitor.significant { parts.append("significant changes") }
    if monitor.visits { parts.append("visits") }
    if monitor.waiting > 0 {
      parts.append("\(Count(monitor.waiting, "event")) not acknowledged")
    }
    if monitor.isResting { parts.append("its unit is off, so nothing is powered for it") }
    return "\(monitor.app) (uid \(monitor.uid)): \(parts.joined(separator: ", "))"
  }

  /// Columns of what a client calls itself.
  private static let longestName = 60

  static func line(_ client: ClientStatus) -> String {
    var text = "\(client.app)"
    if let name = client.name { text += " \(name.quotation(atMost: longestName))" }
    text += " (pid \(client.pid)): \(client.authorization.rawValue)"
    if client.holdsUse {
      text += ", stays in use"
    } else if client.isInUse {
      text += ", in use"
    }
    if client.updating > 0 { text += ", updating" }
    if client.waiting > 0 { text += ", waiting for a location" }
    if client.turning > 0 { text += ", headings" }
    if client.ranging > 0 { text += ", ranging beacons" }
    if client.isAdvertising { text += ", this machine is to be a beacon for it" }
    return text
  }
}
