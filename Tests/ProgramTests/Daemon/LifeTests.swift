import Console
import Foundation
import Glibc
import LocationModel
import TestSupport
import Testing

@Suite("The daemon's life") struct LifeTests {
  @Test("SIGTERM ends it within a second and takes its socket away")
  func terminates() throws {
    let daemon = try RunningDaemon()
    let client = try daemon.connect()
    _ = try client.ask("startUpdatingLocation")
    let effort = try Effort(of: daemon.program)
    daemon.program.signal(SIGTERM)
    #expect(eventually(within: patience) { daemon.program.hasEnded })
    #expect(try effort.seconds < 1)
    #expect(try daemon.program.exit() == 0)
    #expect(!FileManager.default.fileExists(atPath: daemon.socket))
    #expect(client.isClosed())
  }

  @Test("the socket of one that was killed is taken over, that of a living one is not")
  func takeover() throws {
    let daemon = try RunningDaemon()
    let second = try Program([
      Program.path("locationd"), "--config", "/dev/null", "--socket", daemon.socket,
      "--bus", "none",
    ])
    let (text, exit) = try second.text()
    #expect(exit == 1)
    #expect(text.contains("another locationd"))
    #expect(try daemon.connect().ask("hello")["result"] != nil)

    daemon.program.signal(SIGKILL)
    #expect(try daemon.program.exit() == -SIGKILL)
    try daemon.restart()
    #expect(try daemon.connect().ask("hello")["result"] != nil)
  }

  @Test("what lies at the path and is no socket is left alone")
  func notASocket() throws {
    let daemon = try RunningDaemon(files: ["diary": "dear diary"])
    let path = daemon.folder.appending(path: "diary").path
    let (text, exit) = try Program([
      Program.path("locationd"), "--config", "/dev/null", "--socket", path,
      "--bus", "none",
    ]).text()
    #expect(exit == 1)
    #expect(text.contains("no socket"))
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "dear diary")
  }

  @Test("a service manager is told when it is ready, that it lives, and when it stops")
  func serviceManager() throws {
    let notices = try NoticeSocket()
    let daemon = try RunningDaemon(environment: [
      "NOTIFY_SOCKET": notices.path, "WATCHDOG_USEC": "400000",
    ])
    let first = [try notices.next(), try notices.next()]
    #expect(first.sorted() == ["READY=1", "WATCHDOG=1"])
    for _ in 0..<2 { #expect(try notices.next() == "WATCHDOG=1") }
    daemon.program.signal(SIGTERM)
    var last = ""
    while last != "STOPPING=1" { last = try notices.next() }
  }

  @Test("what it logs has no place, and no line that a client begins")
  func log() throws {
    let daemon = try RunningDaemon(["static:45.678,7.123"], logLevel: "debug")
    let client = try daemon.connect()
    _ = try client.ask("hello", ["name": "a\n<0>b"])
    _ = try client.ask("startUpdatingLocation")
    _ = try client.event()
    let home: JSON = [
      "identifier": "home", "type": "circle", "latitude": .number(45.6781),
      "longitude": .number(7.1231), "radius": .integer(400),
    ]
    _ = try client.ask("startMonitoring", ["region": home])
    daemon.program.signal(SIGTERM)
    let text = daemon.firstLine + "\n" + (try daemon.program.text().text)
    for line in text.split(separator: "\n") {
      #expect(!line.hasPrefix("<"), "\(line)")
    }
    #expect(!text.contains("45.6") && !text.contains("7.12"))
    for what in ["connects: ", "calls startMonitoring\n", "opening static for the best fixes\n"] {
      #expect(text.contains(what), "\(text)")
    }
  }

  @Test("help and version are printed, and what is not understood is wrong usage")
  func usage() throws {
    #expect(
      try Program([Program.path("locationd"), "--version"]).text() == ("locationd \(version)\n", 0))
    let (help, exit) = try Program([Program.path("locationd"), "--help"]).text()
    #expect(exit == 0)
    #expect(help.hasPrefix("Usage: locationd") && help.contains("wifi:[INTERFACE]"))
    let (error, code) = try Program([Program.path("locationd"), "--source", "gps"]).text()
    #expect(code == 2)
    #expect(error.contains("no source"))
  }
}

@Suite("Recordings as sources") struct ReplayTests {
  @Test("the recording's own times are kept, and each loop follows the one before")
  func loops() throws {
    let daemon = try RunningDaemon(
      ["replay://{folder}/drive.nmea?rate=50&loop=1"],
      files: ["drive.nmea": Recording.drive(seconds: 10)])
    let client = try daemon.connect()
    _ = try client.ask("startUpdatingLocation")
    for second in 0..<35 {
      let text = try client.event()["locations"]?.array?.last?["timestamp"]?.string
      let minute = second / 60
      let rest = second % 60
      #expect(text == String(format: "2026-11-20T12:%02d:%02d.000Z", minute, rest))
    }
  }

  @Test("it keeps time", arguments: [1.0, 10.0])
  func rate(rate: Double) throws {
    let daemon = try RunningDaemon(
      ["replay://{folder}/drive.nmea?rate=\(rate)"],
      files: ["drive.nmea": Recording.drive(seconds: 100, step: 0.1 * rate)])
    let client = try daemon.connect()
    _ = try client.ask("startUpdatingLocation")
    // Each comes when its time has come, or later on a machine that has much else to do: the earliest of many are
    // those in time.
    let start = ContinuousClock().now
    let late = try (0..<60).map { number -> Double in
      _ = try client.event()
      return (ContinuousClock().now - start) / .seconds(1) - Double(number) / 10
    }
    let drift = (late.suffix(20).min() ?? .infinity) - (late.prefix(20).min() ?? 0)
    #expect(drift.magnitude < 0.1, "\(late)")
  }

  @Test("closed, it stands still, and goes on from there")
  func goesOn() throws {
    let daemon = try RunningDaemon(
      ["replay://{folder}/drive.nmea?rate=10"],
      files: ["drive.nmea": Recording.drive(seconds: 600)])
    let client = try daemon.connect()
    _ = try client.ask("startUpdatingLocation")
    _ = try client.event()
    _ = try client.ask("stopUpdatingLocation")
    let closed = try eventually(within: patience) {
      try client.ask("status")["result"]?["sources"]?.array?[0]["state"] == "closed"
    }
    #expect(closed)
    let before = try #require(
      try client.ask("location")["result"]?["location"].flatMap(Location.init))
    _ = try client.ask("startUpdatingLocation")
    let after = try #require(
      try client.event()["locations"]?.array?.last.flatMap(Location.init))
    #expect(after.timestamp - before.timestamp >= .zero)
    #expect(after.timestamp - before.timestamp <= .seconds(2))
  }

  @Test("clients are told when it cannot be read, has no fix in it, or has ended; status says why")
  func failures() throws {
    for (name, reason) in [
      ("missing", "No such file"), ("empty", "no fix"), ("short", "has ended"),
    ] {
      let daemon = try RunningDaemon(
        ["replay://{folder}/\(name)?rate=100"],
        files: ["empty": "hello\n", "short": Recording.drive(seconds: 2)])
      let client = try daemon.connect()
      client.request("startUpdatingLocation")
      #expect(try client.event("didFail")["code"] == .integer(0))
      let source = try client.ask("status")["result"]?["sources"]?.array?.first
      #expect(source?["state"] == "failed")
      #expect(source?["reason"]?.string?.contains(reason) == true)
    }
  }

  @Test(
    "gpsd's JSON, GPX and location lines are recordings too",
    arguments: [
      #"{"class":"TPV","mode":3,"time":"2026-11-20T12:00:0N.000Z","lat":45.1,"lon":7.2,"eph":9}"#
        + "\n",
      #"<?xml version="1.0"?><gpx><trk><trkseg><trkpt lat="45.1" lon="7.2">"#
        + "<time>2026-11-20T12:00:0NZ</time></trkpt></trkseg></trk></gpx>",
      #"{"latitude":45.1,"longitude":7.2,"horizontalAccuracy":9,"#
        + #""timestamp":"2026-11-20T12:00:0NZ"}"# + "\n",
    ])
  func formats(epoch: String) throws {
    let daemon = try RunningDaemon(
      ["replay://{folder}/recording"],
      files: ["recording": epoch.replacingOccurrences(of: "N", with: "3")])
    let client = try daemon.connect()
    _ = try client.ask("startUpdatingLocation")
    let location = try #require(try client.location(within: patience))
    #expect(location.coordinate == Coordinate(latitude: 45.1, longitude: 7.2))
    #expect(location.timestamp == Timestamp(iso8601: "2026-11-20T12:00:03Z"))
  }

  @Test("a recording without any fix that loops does not keep the daemon busy")
  func emptyLoop() throws {
    let daemon = try RunningDaemon(
      ["replay://{folder}/empty?loop=1"], files: ["empty": "$GPTXT,nothing\n"])
    let client = try daemon.connect()
    client.request("startUpdatingLocation")
    _ = try client.event("didFail")
    let before = try daemon.program.processorTime
    sleep(2)
    #expect(try client.ask("hello")["result"] != nil)
    #expect(try daemon.program.processorTime - before < 0.1)
  }
}
