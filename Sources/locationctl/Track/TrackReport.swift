import Console
import LocationModel
import Platform
import TrackCore

/// The track as a person reads it.
enum TrackReport {
  static var now: Timestamp { Clock.utc }

  static func lines(_ status: TrackStatus, at now: Timestamp) -> [String] {
    let newest = status.newestDate.map {
      ", the newest \(Describe.age(max((now - $0).seconds, 0))) ago"
    }
    var lines = ["\(Count(status.entries, "entry")) kept" + (newest ?? "")]
    if let silence = status.silence { lines.append(line(silence)) }
    if let mended = status.mended { lines.append("! \(mended)") }
    if let trouble = status.trouble {
      lines += ["! \(trouble)"] + times(status.since, status.nextTry)
    }
    if let expiry = status.expiry { lines.append("! \(expiry)") }
    if let reason = status.noFix { lines.append("! no fix: \(ObstacleWatch.advice(reason))") }
    if status.unwritten > 0 {
      lines.append("! \(Count(status.unwritten, "entry")) in memory until the disk takes them")
    }
    if let settings = status.settings { lines += Self.lines(settings) }
    for uplink in status.uplinks {
      lines += ["", "Uplink \(uplink.name)"]
      lines += Self.lines(uplink, waypoints: status.waypoints(of: uplink.name)).map { "  " + $0 }
    }
    return lines
  }

  private static func lines(_ settings: SettingsReport) -> [String] {
    var lines: [String] = []
    if !settings.isReturned {
      let left = settings.secondsLeft.map {
        ": on trial, taken back in \(Describe.age(Double($0))) unless an entry is confirmed"
      }
      lines.append("\(settings.uplink) has set \(settings.line)" + (left ?? ""))
    }
    if let returned = settings.returned {
      lines.append(
        "taken back at \(Describe.localTime(returned.date)), as no entry was confirmed: \(returned.line)"
      )
    }
    return lines
  }

  static func lines(_ report: TrialReport) -> [String] {
    [report.server]
      + report.results.map { result in
        let name = result.step.rawValue
        let pad = String(repeating: " ", count: max(1, 12 - name.count))
        let words = result.words.isEmpty ? "well" : result.words
        return "\(result.isGood ? " " : "!") \(name)\(pad)\(words)"
      }
  }

  static func line(_ silence: Silence.Reason) -> String {
    switch silence {
    case .pause(let until):
      let end = until.map { " until \(Describe.localTime($0))" } ?? ""
      return "paused\(end): nothing is kept; 'locationctl track resume' ends it"
    case .hours(let until):
      let end = until.map { " until \(Describe.localTime($0))" } ?? ""
      return "outside of its hours\(end): nothing is kept"
    }
  }

  private static func lines(_ uplink: TrackStatus.Uplink, waypoints: [String]) -> [String] {
    var backlog = uplink.backlog == 0 ? "has all" : "\(Count(uplink.backlog, "entry")) to send"
    if let bytes = uplink.backlogBytes { backlog += ", some \(max(bytes / 1024, 1)) KiB" }
    if let oldest = uplink.oldest { backlog += ", the oldest of \(Describe.localTime(oldest))" }
    let confirmed = uplink.lastConfirmation.map { ", confirmed last at \(Describe.localTime($0))" }
    var lines = [backlog + (confirmed ?? "")]
    if uplink.isOldMQTT {
      lines.append("by MQTT 3.1.1, where a broker confirms what its access list throws away, too")
    }
    if uplink.parked > 0 {
      let answers = uplink.answers.map { "\($0.reason) (\($0.count))" }.joined(separator: ", ")
      lines.append(
        "\(Count(uplink.parked, "entry")) refused while others were taken"
          + (uplink.parkedSince.map { ", the first at \(Describe.localTime($0))" } ?? "")
          + (answers.isEmpty ? "" : ": \(answers)")
          + "; 'locationctl track retry \(uplink.name)' sends them again")
    }
    if !waypoints.isEmpty {
      lines.append("waypoints that it has set: \(waypoints.joined(separator: ", "))")
    }
    if uplink.refusedCommands > 0 {
      lines.append(
        "\(Count(uplink.refusedCommands, "command")) not followed; the last: \(uplink.lastRefusal)")
    }
    if let waits = uplink.waits {
      lines.append(waits)
      lines += times(uplink.waitsSince, nil)
    }
    lines += uplink.mayRetain.map {
      "the forgotten place that \($0) may retain is cleared when it is connected to"
    }
    if let reason = uplink.keepsPlace { lines.append("  the last answer to that: \(reason)") }
    if let long = uplink.longMessages {
      lines.append("\(Count(long, "message")) too long to be read")
    }
    if let caution = uplink.caution { lines.append(caution) }
    if let budget = uplink.budget {
      lines.append(
        "\(budget.used / 1024) of \(budget.bytes / 1024) KiB sent this \(budget.period)")
    }
    if let trouble = uplink.trouble {
      lines += ["! \(trouble)"] + times(uplink.since, uplink.nextTry)
    } else if uplink.isConnecting {
      lines.append("\(uplink.server) is being connected to, and has not answered yet")
    }
    return lines
  }

  private static func times(_ since: Timestamp?, _ next: Timestamp?) -> [String] {
    let since = since.map { "since \(Describe.localTime($0))" }
    let next = next.map { "tried again at \(Describe.localTime($0))" }
    let times = [since, next].compactMap(\.self)
    return times.isEmpty ? [] : ["  " + times.joined(separator: ", ")]
  }

  static func list(_ stretches: [TripList.Stretch]) throws(Failure) {
    guard !stretches.isEmpty else { return try Output.write("no trips and no stays") }
    try Output.write(stretches.map(line))
  }

  private static func line(_ stretch: TripList.Stretch) -> String {
    switch stretch {
    case .trip(let trip):
      let time = trip.end.timestamp - trip.start.timestamp
      return "\(Describe.localTime(trip.start.timestamp))  trip  \(Describe.age(time.seconds)),"
        + " \(kilometres(trip.distance)), up to \(Describe.speed(trip.topSpeed))"
    case .stay(let stay):
      let time = stay.departure - stay.arrival
      return "\(Describe.localTime(stay.arrival))  stay  \(Describe.age(time.seconds)) at"
        + " \(Describe.place(stay.coordinate))"
    }
  }

  static func stats(_ stretches: [TripList.Stretch]) throws(Failure) {
    var days: [(day: String, trips: Int, distance: Double, time: Double)] = []
    for case .trip(let trip) in stretches {
      let day = String(Describe.localTime(trip.start.timestamp).prefix(10))
      if days.last?.day != day { days.append((day, 0, 0, 0)) }
      days[days.count - 1].trips += 1
      days[days.count - 1].distance += trip.distance
      days[days.count - 1].time += (trip.end.timestamp - trip.start.timestamp).seconds
    }
    guard !days.isEmpty else { return try Output.write("no trips") }
    try Output.write(
      days.map {
        "\($0.day)  \(Count($0.trips, "trip")), \(kilometres($0.distance)), \(Describe.age($0.time))"
      })
  }

  private static func kilometres(_ metres: Double) -> String {
    "\(Describe.fixed(metres / 1000, 1)) km"
  }
}
