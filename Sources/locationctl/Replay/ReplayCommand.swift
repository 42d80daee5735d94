import Console
import Glibc
import LocationCore
import LocationModel
import ReceiverCore

extension Command {
  static let replay = Command(
    name: "replay", summary: "what a recording would have told; needs no daemon",
    help: """
      Usage: locationctl replay [OPTION]... FILE|-

      Runs a recording (NMEA, gpsd's JSON, GPX or location lines) through the very services of the
      daemon, as fast as it can: a table on a terminal, one event a line as JSON into a pipe.

        --locations            what the standard service tells (also if nothing else is asked for)
        --desired-accuracy M   metres that are good enough for it (default: the best there is)
        --distance-filter M    only what lies so far from the last one told (default: all)
        --heading              which way the machine points
        --significant          moves by half a kilometre
        --visits               arrivals at places to stay, and departures
        --region ID,LAT,LON,RADIUS
                               entries and exits of this circle; may be given several times
        --region ID,UUID[,MAJOR[,MINOR]]
                               entries and exits of the surroundings of these beacons
        --regions FILE         the same for a GeoJSON FeatureCollection: points with a radius and
                               polygons, each with an identifier in its properties
        --beacons UUID[,MAJOR[,MINOR]]
                               the beacons of its scans that are near, once a second; may be
                               given several times
        --wifi                 the places that the Wi-Fi networks of its scans give, learnt from its
                               fixes; nothing else
        --unfiltered           fixes as they come, physically impossible ones too
        --date YYYY-MM-DD      the day of a recording that says none (default: today)
        --json                 one event a line as JSON, on a terminal too
        --geojson              everything as one GeoJSON, to look at in a map: the track as a line,
                               regions as areas, events as points

      --accuracy and --distance are other names of --desired-accuracy and --distance-filter. FILE may
      be packed by gzip.
      A line with a timestamp and no place moves the clock only. A scan is a line with a timestamp and
      "wifi": a list of {"macAddress", "ssid", "signalStrength", "frequency", "age"}, in dBm, MHz and
      milliseconds; one with "beacons" is a list of {"uuid", "major", "minor", "measuredPower",
      "rssi"}, in dBm. Events carry the time at which they would have been told.

      """, isPrivate: true
  ) { (arguments) throws(Failure) in
    var wishes = Replay.Wishes()
    wishes.locations = arguments.flag("--locations")
    wishes.headings = arguments.flag("--heading")
    wishes.isFiltered = !arguments.flag("--unfiltered")
    if let metres = try arguments.accuracy() {
      wishes.standard.desiredAccuracy = metres
    }
    if let metres = try arguments.distance() {
      wishes.standard.distanceFilter = metres
    }
    wishes.significant = arguments.flag("--significant")
    wishes.visits = arguments.flag("--visits")
    while let text = try arguments.value("--region") {
      wishes.regions.append(try Region(option: text))
    }
    while let text = try arguments.value("--beacons") {
      let parts = text.split(separator: ",", omittingEmptySubsequences: false)
      guard let uuid = parts.first, parts.count <= 3 else {
        throw Failure(.usage, "--beacons wants UUID[,MAJOR[,MINOR]], not '\(text)'")
      }
      wishes.beacons.append(
        try BeaconConstraint(
          uuid: uuid, major: parts.dropFirst().first, minor: parts.dropFirst(2).first))
    }
    if let file = try arguments.value("--regions") { wishes.regions += try Region.geoJSON(file) }
    let asJSON = arguments.flag("--json")
    let asMap = arguments.flag("--geojson")
    let learnsNetworks = arguments.flag("--wifi")
    let day = try arguments.day("--date") ?? time(nil) / 86_400
    // Every command takes it.
    _ = try arguments.socket()
    guard let name = arguments.operand() else {
      throw Failure(.usage, "replay wants a file, or - for standard input")
    }
    try arguments.nothingElse()
    var recording = try RecordingFile(name, RecordingDecoder(dateless: day))
    if learnsNetworks {
      var page = ReplayPage(asJSON: asJSON || isatty(STDOUT_FILENO) == 0)
      var replay = WiFiReplay(isFiltered: wishes.isFiltered)
      try recording.read { (readings) throws(Failure) in
        for reading in readings {
          if let place = replay.handle(reading) { page.write(place) }
        }
        try page.flush()
      }
      return try recording.expectFixes()
    }
    if asMap {
      var map = ReplayMap(wishes.regions)
      try play(&recording, wishes, onto: &map)
    } else {
      var page = ReplayPage(asJSON: asJSON || isatty(STDOUT_FILENO) == 0)
      try play(&recording, wishes, onto: &page)
    }
  }
}

private func play(
  _ recording: inout RecordingFile, _ wishes: Replay.Wishes,
  onto sheet: inout some ReplaySheet & ~Copyable
) throws(Failure) {
  var replay = Replay(wishes)
  var absences = Absences(of: wishes)
  try recording.read { (readings) throws(Failure) in
    for reading in readings {
      if case .fix(let fix) = reading { sheet.see(fix.location) }
      replay.handle(reading) {
        absences.see($0)
        sheet.write($0, at: $1)
      }
    }
    try replay.checkRequests()
    try sheet.flush()
  }
  replay.end {
    absences.see($0)
    sheet.write($0, at: $1)
  }
  try sheet.end()
  try recording.expectFixes()
  absences.say(of: recording.name)
}

/// What was asked for and did not happen in a recording.
private struct Absences {
  private enum Kind: String, CaseIterable {
    case visit
    case move = "move of half a kilometre"
    case crossing = "crossing of a region"
    case heading
  }

  private var missing: Set<Kind> = []

  init(of wishes: Replay.Wishes) {
    if wishes.visits { missing.insert(.visit) }
    if wishes.significant { missing.insert(.move) }
    if !wishes.regions.isEmpty { missing.insert(.crossing) }
    if wishes.headings { missing.insert(.heading) }
  }

  mutating func see(_ event: Event) {
    if missing.isEmpty { return }
    switch event {
    case .didVisit: missing.remove(.visit)
    case .didUpdateLocations(_, .significant): missing.remove(.move)
    case .didEnterRegion, .didExitRegion: missing.remove(.crossing)
    case .didUpdateHeading: missing.remove(.heading)
    default: break
    }
  }

  func say(of name: String) {
    for kind in Kind.allCases where missing.contains(kind) {
      Output.complain("\(name): there is no \(kind.rawValue) in it")
    }
  }
}
