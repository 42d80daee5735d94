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
    let report = StatusReport(status, in: .ofOutput)
    try Output.report(report.lines + ServerReach().lines)
  }
}

/// A status as a person reads it.
struct StatusReport {
  let status: Status
  private let say: Speech

  init(_ status: Status, in say: Speech = .english) {
    self.status = status
    self.say = say
  }

  var lines: [String] {
    let client = status.client
    let services = status.services.map(\.rawValue).joined(separator: ", ")
    var lines = [
      say("locationd \(status.version): services \(services)"),
      client.isInUse
        ? say("You are \(client.app): \(client.authorization.rawValue), in use")
        : say("You are \(client.app): \(client.authorization.rawValue), not in use"),
    ]
    if let pause = status.pause { lines += PauseReport(pause, in: say).lines }
    if !(status.pause?.isEnabled ?? status.isEnabled) {
      lines.append(
        say("Location is switched off for all; 'sudo locationctl enable' switches it on."))
    } else if status.pause == nil, let obstacle = status.obstacle {
      lines.append(say("No location now: \(say(said: ObstacleWatch.advice(obstacle)))"))
    }
    if let trouble = status.trouble {
      lines.append("")
      lines.append(
        say(
          "Nothing can be kept: \(trouble). Nothing new is granted; what was taken away stays so."))
    }
    if let sources = status.sources {
      lines += ["", sources.isEmpty ? say(said: SourceReport.none) : say("Sources")]
      lines += sources.map { "  " + Self.line($0, in: say) }
    }
    func list<Row>(_ rows: [Row]?, _ title: Phrase, _ line: (Row, Speech) -> String) {
      guard let rows, !rows.isEmpty else { return }
      lines += ["", say(title)] + rows.map { "  " + line($0, say) }
    }
    list(status.places, "Told where no source says a place", Self.line)
    list(status.clients, "Clients", Self.line)
    list(status.monitors, "Monitoring, also for programs that are gone", Self.line)
    if let need = status.need { lines += ["", Self.line(need, in: say)] }
    if let counters = status.counters {
      let told = counters.told
      let fixes = [
        Self.fixes(counters.fixes, in: say), say("\(counters.refused) impossible"),
      ].joined(separator: ", ")
      lines += ["", fixes + "; " + say(told, one: "1 event told", many: "\(told) events told")]
    }
    return lines
  }

  private static func fixes(_ count: Int, in say: Speech) -> String {
    say(count, one: "1 fix", many: "\(count) fixes")
  }

  static func line(_ place: PlaceStatus, in say: Speech = .english) -> String {
    var parts = ["\(place.source.plain()) ±\(Describe.metres(place.horizontalAccuracy))"]
    if let kind = Describe.kind(place.kind) { parts.append(say(said: kind)) }
    if let age = place.age { parts.append(say("\(Describe.age(age)) old")) }
    if place.isSetAside { parts.append(say("set aside, as receivers are elsewhere")) }
    return parts.joined(separator: ", ")
  }

  static func line(_ need: NeedStatus, in say: Speech = .english) -> String {
    var parts: [String] = []
    var whom: [String] = []
    if need.updating > 0 { whom.append(say("\(need.updating) updating")) }
    if need.waiting > 0 { whom.append(say("\(need.waiting) waiting for one")) }
    if need.monitoring > 0 { whom.append(say("\(need.monitoring) monitoring")) }
    if !whom.isEmpty {
      var what =
        need.accuracy > 0 ? "±\(Describe.metres(need.accuracy))" : say("the best there is")
      if need.every > 0 { what += ", " + say("a fix every \(Describe.age(need.every))") }
      parts.append(say("\(what), for \(whom.joined(separator: ", "))"))
    }
    if need.headings > 0 { parts.append(say("headings, for \(need.headings)")) }
    if need.ranging > 0 { parts.append(say("beacons that are near, for \(need.ranging)")) }
    if need.advertising > 0 {
      parts.append(
        say(
          need.advertising, one: "this machine is to be 1 beacon",
          many: "this machine is to be \(need.advertising) beacons"))
    }
    if let resting = need.resting {
      parts.append(say("receivers rest for \(Describe.age(resting))"))
    }
    return say("Needed: \(parts.joined(separator: "; "))")
  }

  static func line(_ source: SourceStatus, in say: Speech = .english) -> String {
    var parts = ["\(source.name): \(SourceReport(source).state(in: say))"]
    if let age = source.lastFixAge { parts.append(say("last fix \(Describe.age(age)) ago")) }
    if let accuracy = source.horizontalAccuracy {
      parts[parts.count - 1] += " ±\(Describe.metres(accuracy))"
    }
    if source.hearsBeacons { return parts.joined(separator: ", ") }
    parts.append(fixes(source.fixes, in: say))
    if source.doubted > 0 { parts.append(say("\(source.doubted) not believed")) }
    if source.headings > 0 {
      parts.append(say(source.headings, one: "1 heading", many: "\(source.headings) headings"))
    }
    if let contradiction = source.contradiction {
      parts.append(say("contradicts \(contradiction.name)"))
    }
    if source.isChosen { parts.append(say("the best now")) }
    return parts.joined(separator: ", ")
  }

  static func line(_ monitor: MonitorStatus, in say: Speech = .english) -> String {
    var parts: [String] = []
    if monitor.regions > 0 {
      parts.append(say(monitor.regions, one: "1 region", many: "\(monitor.regions) regions"))
    }
    if monitor.significant { parts.append(say("significant changes")) }
    if monitor.visits { parts.append(say("visits")) }
    if monitor.waiting > 0 {
      parts.append(
        say(
          monitor.waiting, one: "1 event not acknowledged",
          many: "\(monitor.waiting) events not acknowledged"))
    }
    if monitor.isResting {
      parts.append(say("its unit is off, so nothing is powered for it"))
    }
    return "\(monitor.app) (uid \(monitor.uid)): \(parts.joined(separator: ", "))"
  }

  /// Columns of what a client calls itself.
  private static let longestName = 60

  static func line(_ client: ClientStatus, in say: Speech = .english) -> String {
    var text = "\(client.app)"
    if let name = client.name { text += " \(name.quotation(atMost: longestName))" }
    var parts = ["\(text) (pid \(client.pid)): \(client.authorization.rawValue)"]
    if client.holdsUse {
      parts.append(say("stays in use"))
    } else if client.isInUse {
      parts.append(say("in use"))
    }
    if client.updating > 0 { parts.append(say("updating")) }
    if client.waiting > 0 { parts.append(say("waiting for a location")) }
    if client.turning > 0 { parts.append(say("headings")) }
    if client.ranging > 0 { parts.append(say("ranging beacons")) }
    if client.isAdvertising { parts.append(say("this machine is to be a beacon for it")) }
    return parts.joined(separator: ", ")
  }
}
