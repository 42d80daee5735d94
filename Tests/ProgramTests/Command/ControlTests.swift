import Console
import Foundation
import Glibc
import LocationModel
import TestSupport
import Testing

@Suite("locationctl") struct ControlTests {
  @Test("help and version are everywhere, and name what there is")
  func help() throws {
    let daemon = try RunningDaemon()
    let (help, exit) = try daemon.control("--help").text()
    #expect(exit == 0)
    for verb in ["status", "get", "watch"] {
      #expect(help.contains("  \(verb)"))
      let (text, exit) = try daemon.control(verb, "--help").text()
      #expect(exit == 0)
      #expect(text.hasPrefix("Usage: locationctl \(verb)"))
      #expect(try daemon.control(verb, "--version").text().text == "locationctl \(version)\n")
    }
  }

  @Test(
    "wrong usage is exit 2, with a word on what is wrong",
    arguments: [
      [], ["fly"], ["--json"], ["get", "--fast"], ["get", "--timeout", "soon"],
      ["get", "--accuracy"], ["watch", "home"], ["status", "--socket"],
    ])
  func usage(arguments: [String]) throws {
    let program = try Program([Program.path("locationctl")] + arguments)
    let (text, exit) = try program.text()
    #expect(exit == 2)
    #expect(text.hasPrefix("locationctl: "))
  }

  @Test("a misspelt command or option is answered with the one that was probably meant")
  func misspelt() throws {
    let cases = [
      (["stauts"], "there is no command 'stauts'; did you mean 'status'?"),
      (["help", "wach"], "there is no command 'wach'; did you mean 'watch'?"),
      (["get", "--acuracy=5"], "there is no option '--acuracy'; did you mean --accuracy?"),
      (["get", "--frobnicate"], "there is no option '--frobnicate'\n"),
      (["status", "--json", "--json"], "--json is given twice\n"),
      (["get", "--timeout", "1", "--timeout=2"], "--timeout is given twice\n"),
      (["history", "--days", "31"], "--days wants days, 1 to 30, not '31'\n"),
      (["pause", "30d"], "DURATION wants a time from 1s to 7d, in s, min, h or d\n"),
      (["frobnicate"], "there is no command 'frobnicate'; try 'locationctl --help'"),
    ]
    for (arguments, words) in cases {
      let (text, exit) = try Program([Program.path("locationctl")] + arguments).text()
      #expect(exit == 2)
      #expect(text.hasPrefix("locationctl: " + words), "\(text)")
    }
  }

  @Test("help VERB is the verb's own help, and options may come before the verb")
  func order() throws {
    let daemon = try RunningDaemon()
    let (help, exit) = try Program([Program.path("locationctl"), "help", "watch"]).text()
    #expect(exit == 0 && help.hasPrefix("Usage: locationctl watch"))
    let (text, status) = try Program(
      [Program.path("locationctl"), "--socket", daemon.socket, "get", "--json"]
    ).text()
    #expect(status == 0 && text.contains("\"latitude\":45"), "\(text)")
  }

  @Test("no daemon is exit 5, with a word on where it was looked for")
  func noDaemon() throws {
    for verb in ["status", "get", "watch"] {
      let (text, exit) = try Program(
        [Program.path("locationctl"), verb, "--socket", "/nonexistent/s"]
      ).text()
      #expect(exit == 5)
      #expect(text.contains("/nonexistent/s"))
      #expect(text.contains("--socket"))
    }
  }

  @Test("one location is printed for people and for programs")
  func get() throws {
    let daemon = try RunningDaemon()
    let (line, exit) = try daemon.control("get").text()
    #expect(exit == 0)
    #expect(line.contains("45.000000 7.000000  ±5.0 m  alt 100 m  static (simulated)\n"))
    let json = try JSON(parsing: try daemon.control("get", "--json").text().text)
    #expect(Location(json)?.coordinate == Coordinate(latitude: 45, longitude: 7))
  }

  @Test("no location in time is exit 4; a coarse one is better than none")
  func noLocation() throws {
    let silent = try RunningDaemon([])
    let (text, exit) = try silent.control("get", "--timeout", "0.2").text()
    #expect(exit == 4)
    #expect(text.contains("locationctl status"))

    let coarse = try RunningDaemon(["static:45,7,0,3000"])
    let (line, code) = try coarse.control("get", "--accuracy", "10", "--timeout", "0.3").text()
    #expect(code == 0)
    #expect(line.contains("±3000 m"))
  }

  @Test("status tells people what is on and why")
  func status() throws {
    let daemon = try RunningDaemon(["static:45,7", "replay:///nonexistent/walk.nmea"])
    #expect(try daemon.control("status").text().text.contains("static: closed, as nobody needs"))
    let client = try daemon.connect()
    _ = try client.ask("startUpdatingLocation")
    _ = try client.event()
    let text = try daemon.control("status").text().text
    #expect(text.contains("static: running"))
    #expect(text.contains("replay:walk.nmea: failed, /nonexistent/walk.nmea: No such file"))
    #expect(text.contains("updating"))
  }

  @Test("into a pipe, watch prints a plain line or an event for each location")
  func watchLines() throws {
    let daemon = try RunningDaemon(
      ["replay://{folder}/drive.nmea?rate=20&loop=1"],
      files: ["drive.nmea": Recording.drive(seconds: 60)])
    let plain = try daemon.control("watch", "--distance", "50")
    for _ in 0..<3 {
      let line = try plain.line()
      #expect(line.contains("7.000000"))
      #expect(!line.contains("\u{1B}"))
    }
    let events = try daemon.control("watch", "--json")
    let event = try JSON(parsing: try events.line())
    #expect(event["event"] == "didUpdateLocations")
    #expect(event["timestamp"]?.string.flatMap(Timestamp.init(iso8601:)) != nil)
    #expect(event["locations"]?.array?.first.flatMap(Location.init) != nil)
    events.signal(SIGINT)
    #expect(try events.exit() == 0)
  }

  @Test("on a terminal, watch draws a panel, and Ctrl-C gives the cursor back")
  func panel() throws {
    let daemon = try RunningDaemon()
    var master: Int32 = -1
    var slave: Int32 = -1
    var size = winsize(ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0)
    try #require(openpty(&master, &slave, nil, nil, &size) == 0)
    defer { close(master) }
    let watch = try Program(
      [Program.path("locationctl"), "watch", "--socket", daemon.socket],
      environment: ["TERM": "xterm", "LANG": "C.UTF-8"], terminal: slave)
    close(slave)
    _ = fcntl(master, F_SETFL, O_NONBLOCK)
    // Which may come in pieces, also of a letter.
    var written: [UInt8] = []
    func shows(_ text: String) -> Bool {
      eventually(within: patience) {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(master, &bytes, bytes.count)
        if count > 0 { written += bytes[..<count] }
        return String(decoding: written, as: UTF8.self).contains(text)
      }
    }
    #expect(shows("45.000000° N"))
    #expect(shows("Ctrl-C ends"))
    #expect(shows("\u{1B}[?25l"))
    watch.signal(SIGINT)
    #expect(try watch.exit() == 0)
    #expect(shows("\u{1B}[?25h"))
  }
}
