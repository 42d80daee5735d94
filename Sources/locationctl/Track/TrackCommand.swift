import Console
import Glibc
import LocationModel
import Platform
import TrackCore

extension Command {
  static let trackVerbs = [
    "status", "list", "export", "stats", "forget", "flush", "retry", "drop", "test", "pause",
    "resume", "enrol",
  ]

  static let track = Command(
    name: "track", summary: "the track that locationd-tracker keeps: look, export, forget",
    help: """
      Usage: locationctl track status|list|export|stats|forget|flush [OPTION]...
             locationctl track retry [UPLINK]
             locationctl track drop UPLINK [--yes]
             locationctl track test UPLINK
             locationctl track pause [DURATION]
             locationctl track resume
             locationctl track enrol URL [--ca FILE] [--token FILE]

        status   what is kept, and what each server has confirmed
        list     trips and stays
        export   the track as a file, on standard output
        stats    trips, distance and time of each day
        forget   remove what was kept between --from and --to, or in --zone, for good
        flush    write and send at once what waits
        retry    send again what a server refused
        drop     send never what a server refused; it stays in the track
        test     try each server of an uplink step by step, without sending a place
        pause    keep nothing for a while (as 90min, 2h), or until resume
        resume   go on after a pause

        enrol    make a key, and ask a server for this machine's certificate

        --from DATE    a day, as 2026-11-24, or a moment, as 2026-11-24T08:00:00Z
        --to DATE      the same; a day counts whole
        --zone NAME    a zone of the configuration, with what may lie in it
        --format F     of an export: gpx (default), geojson, csv, kml or ndjson
        --yes          drop without a question
        --ca FILE      of enrol: the authority by which the server is trusted
        --token FILE   of enrol: where its one-time token stands
        --json         the tracker's own answer to status, as one line of JSON
        --prometheus   the status as figures for Prometheus
        --socket PATH  where the tracker listens (default $LOCATIOND_TRACKER_SOCKET,
                       else /run/locationd/tracker.sock)
        --state DIR    read the files in DIR of a tracker that does not run: list,
                       export, stats

      """
  ) { (arguments) throws(Failure) in
    let asJSON = arguments.flag("--json")
    let asMetrics = arguments.flag("--prometheus")
    let span = try TrackSpan(
      from: arguments.moment("--from"), to: arguments.moment("--to", isEnd: true))
    let format = try arguments.format()
    let socket = try arguments.value("--socket")
    let folder = try arguments.value("--state")
    let isSure = arguments.flag("--yes")
    var enrolment: [String] = []
    for name in ["--ca", "--token"] {
      if let value = try arguments.value(name) { enrolment += [name, value] }
    }
    let zone = try arguments.value("--zone")
    guard let verb = arguments.operand() else {
      let words = trackVerbs.dropLast().joined(separator: ", ")
      throw Failure(.usage, "what of the track? \(words) or \(trackVerbs.last ?? "")")
    }
    let takesName = ["retry", "drop", "test", "enrol"].contains(verb)
    let uplink = takesName ? arguments.operand() : nil
    let pause =
      verb == "pause"
      ? try arguments.operand().map { (text) throws(Failure) in try duration(text) } : nil
    try arguments.nothingElse()
    func track() throws(Failure) -> any Track {
      if let folder { try FolderTrack(folder) } else { try TrackerLink(at: socket) }
    }
    switch verb {
    case "status":
      let tracker = try TrackerLink(at: socket)
      if asJSON { return try Output.write(try tracker.json(.status)) }
      guard case .status(let status) = try tracker.ask(.status) else { return }
      if asMetrics { return try Output.write(Metrics(status).lines) }
      try Output.write(TrackReport.lines(status, at: TrackReport.now))
    case "list": try TrackReport.list(try trips(of: try track(), span))
    case "stats": try TrackReport.stats(try trips(of: try track(), span))
    case "export": try export(try track(), span, format)
    case "flush": try TrackerLink(at: socket).ask(.flush)
    case "forget":
      guard span.isWhole != (zone != nil) else {
        let words = "forget wants --from and --to, or --zone: what it removes does not come back"
        throw Failure(.usage, words)
      }
      let call = zone.map(TrackCall.forgetZone) ?? .forget(from: span.from, to: span.to)
      guard case .removed(let removed, let remains) = try TrackerLink(at: socket).ask(call)
      else { return }
      try Output.write(["\(Count(removed, "entry")) forgotten"] + remains)
    case "test":
      guard let uplink else { throw Failure(.usage, "test wants the name of an uplink") }
      guard case .trials(let reports) = try TrackerLink(at: socket).ask(.test(uplink: uplink))
      else { return }
      try Output.write(reports.flatMap(TrackReport.lines))
      guard reports.allSatisfy(\.isGood) else { throw Failure(.failed, "the test has failed") }
    case "pause": try say(try TrackerLink(at: socket).ask(.pause(pause)))
    case "resume": try say(try TrackerLink(at: socket).ask(.resume))
    case "retry":
      guard case .retried(let count) = try TrackerLink(at: socket).ask(.retry(uplink: uplink))
      else { return }
      try Output.write("\(Count(count, "entry")) sent again")
    case "drop":
      guard let uplink else { throw Failure(.usage, "drop wants the name of an uplink") }
      try drop(uplink, try TrackerLink(at: socket), isSure: isSure)
    case "enrol":
      guard let url = uplink else { throw Failure(.usage, "enrol wants the URL of a server") }
      let state = folder.map { ["--state", $0] } ?? []
      let program = try InstalledProgram("locationd-tracker").start(
        ["--enrol", url] + enrolment + state, output: .inherited)
      // The program has said why.
      guard program.wait() == 0 else { throw Failure(.failed, "") }
    default:
      let hint = trackVerbs.nearest(to: verb).map { "; did you mean '\($0)'?" } ?? ""
      throw Failure(.usage, "there is no 'track \(verb)'\(hint)")
    }
  }

  static func duration(
    _ text: String, atMost seconds: Double = TrackCall.longestPause
  ) throws(Failure) -> Duration {
    do throws(Unusable) {
      return try ConfigurationValue<Duration>.duration(1...seconds)
        .parse("DURATION", text)
    } catch {
      throw Failure(.usage, error.what)
    }
  }

  private static func say(_ reply: TrackReply) throws(Failure) {
    guard case .silence(let silence) = reply else { return }
    try Output.write(silence.map(TrackReport.line) ?? "the track goes on")
  }

  private static func drop(
    _ uplink: String, _ tracker: TrackerLink, isSure: Bool
  ) throws(Failure) {
    if !isSure {
      guard case .status(let status) = try tracker.ask(.status) else { return }
      let parked = status.uplinks.first { $0.name == uplink }?.parked
      let what = parked.map { "\(Count($0, "entry")) that \(uplink) refused" } ?? "What it refused"
      try Output.write("\(what) will never be sent there. Drop? [y/N]")
      let answer = Terminal.readLine(from: STDIN_FILENO)?.lowercased()
      guard answer == "y" || answer == "yes" else {
        throw Failure(.usage, "nothing is dropped: the answer was not y")
      }
    }
    guard case .removed(let count, _) = try tracker.ask(.drop(uplink: uplink)) else { return }
    try Output.write("\(Count(count, "entry")) dropped")
  }

  private static func trips(
    of track: any Track, _ span: TrackSpan
  ) throws(Failure) -> [TripList.Stretch] {
    // The track tells of a stay after the places that it is about.
    var visits = Visits()
    try track.read(span) { (entry) throws(Failure) in visits.handle(entry) }
    var list = TripList(visits)
    try track.read(span) { (entry) throws(Failure) in list.handle(entry) }
    return list.finish()
  }

  private static func export(
    _ track: any Track, _ span: TrackSpan, _ format: TrackExport.Format
  ) throws(Failure) {
    var export = TrackExport(format)
    try Output.draw(export.beginning)
    for pass in export.passes {
      try Output.draw(export.begin(pass))
      try track.read(span) { (entry) throws(Failure) in
        try Output.draw(export.write(entry, pass))
      }
      try Output.draw(export.end(pass))
    }
    try Output.draw(export.ending)
  }
}

/// A time of the track.
struct TrackSpan {
  var from = Timestamp(microseconds: .min)
  var to = Timestamp(microseconds: .max)
  var isWhole = false

  init(from: Timestamp?, to: Timestamp?) throws(Failure) {
    if let from { self.from = from }
    if let to { self.to = to }
    isWhole = from != nil && to != nil
    guard self.from <= self.to else { throw Failure(.usage, "--from comes after --to") }
  }
}

extension Arguments {
  fileprivate mutating func format() throws(Failure) -> TrackExport.Format {
    guard let name = try value("--format") else { return .gpx }
    guard let format = TrackExport.Format(rawValue: name) else {
      let names = TrackExport.Format.allCases.map(\.rawValue).joined(separator: ", ")
      throw Failure(.usage, "--format is one of \(names), not '\(name)'")
    }
    return format
  }

  /// A day is this machine's, from midnight to midnight.
  fileprivate mutating func moment(_ name: String, isEnd: Bool = false) throws(Failure)
    -> Timestamp?
  {
    guard let text = try value(name) else { return nil }
    if let moment = Timestamp(iso8601: text) { return moment }
    guard let day = LocalTime.day(text) else {
      throw Failure(
        .usage, "\(name) wants a day, as 2026-11-24, or a moment, as 2026-11-24T08:00:00Z")
    }
    return isEnd ? day.end : day.start
  }
}
