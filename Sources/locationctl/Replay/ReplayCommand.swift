import Console
import Glibc
import LocationCore
import LocationModel

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
        --regions FILE         the same for a GeoJSON FeatureCollection: points with a radius and
                               polygons, each with an identifier in its properties
        --unfiltered           fixes as they come, physically impossible ones too
        --date YYYY-MM-DD      the day of a recording that says none (default: today)
        --json                 one event a line as JSON, on a terminal too
        --geojson              everything as one GeoJSON, to look at in a map: the track as a line,
                               regions as areas, events as points

      --accuracy and --distance are other names of --desired-accuracy and --distance-filter. FILE may
      be packed by gzip.
      A line with a timestamp and no place moves the clock only. Events carry the time at which
      they would have been told.

      """
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
    if let file = try arguments.value("--regions") { wishes.regions += try Region.geoJSON(file) }
    let asJSON = arguments.flag("--json")
    let asMap = arguments.flag("--geojson")
    let day = try arguments.day("--date") ?? time(nil) / 86_400
    guard let name = arguments.operand() else {
      throw Failure(.usage, "replay wants a file, or - for standard input")
    }
    try arguments.nothingElse()
    var recording = try RecordingFile(name, RecordingDecoder(dateless: day))
    var replay = Replay(wishes)
    if asMap {
      var map = ReplayMap(wishes.regions)
      try recording.read { (readings) throws(Failure) in
        for reading in readings {
          if case .fix(let fix) = reading { map.see(fix.location) }
          replay.handle(reading) { map.write($0, at: $1) }
        }
        try replay.checkRequests()
        try map.flush()
      }
      replay.end { map.write($0, at: $1) }
      try map.end()
      return try recording.expectFixes()
    }
    var page = ReplayPage(asJSON: asJSON || isatty(STDOUT_FILENO) == 0)
    try recording.read { (readings) throws(Failure) in
      for reading in readings {
        replay.handle(reading) { page.write($0, at: $1) }
      }
      try replay.checkRequests()
      try page.flush()
    }
    replay.end { page.write($0, at: $1) }
    try page.flush()
    try recording.expectFixes()
  }
}
