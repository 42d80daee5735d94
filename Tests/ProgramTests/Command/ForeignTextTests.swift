import Foundation
import Glibc
import LocationModel
import TestSupport
import Testing

/// The output of a program on a terminal of 80 columns until it ends.
private func screen(_ command: [String]) throws -> [Substring] {
  var master: Int32 = -1
  var slave: Int32 = -1
  var size = winsize(ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0)
  try #require(openpty(&master, &slave, nil, nil, &size) == 0)
  defer { close(master) }
  for end in [master, slave] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  let program = try Program(command, environment: ["TERM": "xterm"], terminal: slave)
  close(slave)
  _ = fcntl(master, F_SETFL, O_NONBLOCK)
  var shown: [UInt8] = []
  let hasEnded = eventually(within: patience) {
    var bytes = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(master, &bytes, bytes.count)
      guard count > 0 else { return count == 0 || errno == EIO }
      shown += bytes[..<count]
    }
  }
  try #require(hasEnded)
  #expect(try program.exit() == 0)
  return String(decoding: shown, as: UTF8.self).split(
    separator: "\r\n", omittingEmptySubsequences: false)
}

@Suite("What others have named, on its way to people") struct ForeignTextTests {
  /// Clears a terminal, draws sources that are none, and turns what follows round.
  private static let evil =
    "\u{1B}[2J\u{9B}2J\r\nSources\r\n  gps: running\u{2028}Sources\u{202E}\u{7F}\u{200B}"

  private func expectPlain(_ lines: [Substring], _ what: String) {
    for line in lines {
      #expect(line.unicodeScalars.allSatisfy { $0.isPlain }, "\(what): \(line.debugDescription)")
      #expect(String(line).columns <= 80, "\(what): \(line)")
    }
  }

  /// A gpsd that names itself and its receiver so, and what it gives a place of.
  private func pretend(_ listener: Listener) throws -> Speaker {
    let speaker = try listener.accept()
    let name = JSON.string(Self.evil).text
    let time = Date().ISO8601Format()
    for line in [
      #"{"class":"VERSION","release":\#(name),"rev":\#(name),"proto_major":3,"proto_minor":14}"#,
      #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":\#(name),"driver":\#(name),"activated":"\#(time)"}]}"#,
      #"{"class":"TPV","device":\#(name),"mode":3,"time":"\#(time)","lat":45.0,"lon":7.0,"alt":1,"epx":3,"epy":3,"epv":5,"eph":5}"#,
    ] {
      speaker.say(line + "\r\n")
    }
    return speaker
  }

  @Test("--json escapes what a terminal would obey in an answer, and keeps members that are new")
  func foreignJSON() throws {
    let service = try #require(
      AnsweringSocket { _ in
        "\"result\":{\"sources\":[{\"later\":\"\u{9B}2J\u{202E}Seoul 서울\"}]}"
      })
    let source = #"[{"later":"\u009b2J\u202eSeoul 서울"}]"#
    let whole = "{\"sources\":\(source)}"
    let control = Program.path("locationctl")
    #expect(try screen([control, "sources", "--json", "--socket", service.path])[0] == source)
    #expect(try screen([control, "status", "--json", "--socket", service.path])[0] == whole)
    #expect(
      try screen([control, "places", "status", "--json", "--places", service.path])[0] == whole)
  }

  @Test(
    "status, sources and apps show a client's name and gpsd's on the one line of each, and obey none"
  )
  func terminal() throws {
    let (listener, port) = try Listener.tcp()
    let daemon = try RunningDaemon(["gpsd://127.0.0.1:\(port)"])
    let client = try daemon.connect()
    // So long that "Sources" would stand at the beginning of a terminal's next line.
    for name in [Self.evil, String(repeating: "x ", count: 200) + "Sources"] {
      _ = try client.ask("hello", ["name": .string(name), "purpose": .string(name)])
      let other = try daemon.connect()
      _ = try other.ask("hello", ["name": .string(Self.evil)])
      if name == Self.evil { client.request("startUpdatingLocation") }
      let speaker = try name == Self.evil ? pretend(listener) : nil
      defer { withExtendedLifetime(speaker) {} }
      if name == Self.evil { #expect(try client.location(within: patience) != nil) }
      let control = Program.path("locationctl")
      let status = try screen([control, "status", "--socket", daemon.socket])
      expectPlain(status, "status")
      #expect(status.count { $0.hasPrefix("Sources") } == 1)
      #expect(status.count { $0.contains("gps: running") } <= 3)
      #expect(!status.contains { $0.hasPrefix("  gps: running") })
      expectPlain(try screen([control, "sources", "--socket", daemon.socket]), "sources")
      expectPlain(try screen([control, "apps", "--socket", daemon.socket]), "apps")
      let shown = try screen([control, "status", "--json", "--socket", daemon.socket])
      #expect(shown.count == 2)
      #expect(shown[0].unicodeScalars.allSatisfy { $0.isPlain })
      let names = try JSON(parsing: String(shown[0]))["clients"]?.array?.map { $0["name"]?.string }
      #expect(names?.contains(name) == true)
    }
  }

  @Test("the journal gets one line of what a server says, whatever it says")
  func journal() throws {
    let (listener, port) = try Listener.tcp()
    let daemon = try RunningDaemon(["gpsd://127.0.0.1:\(port)"], logLevel: "debug")
    let client = try daemon.connect()
    client.request("startUpdatingLocation")
    let speaker = try listener.accept()
    let complaint = JSON.string("no such \(Self.evil)").text
    speaker.say(
      #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"# + "\n"
        + #"{"class":"ERROR","message":\#(complaint)}"# + "\n")
    var line = ""
    while !line.contains("no such") { line = try daemon.program.line() }
    #expect(line.contains("gps: running"))
    #expect(line.unicodeScalars.allSatisfy { $0.isPlain }, "\(line.debugDescription)")
  }

  @Test("an error of locationctl is one line, whatever was typed or answered")
  func errors() throws {
    let name = "/tmp/\u{1B}[2J\nlocationctl: all is well\u{202E}"
    for arguments in [["get", "--socket", name], ["decode", name], ["get", "--accuracy", name]] {
      let (text, exit) = try Program([Program.path("locationctl")] + arguments).text()
      #expect(exit != 0)
      #expect(text.count { $0.isNewline } == 1, "\(text.debugDescription)")
      #expect(text.dropLast().unicodeScalars.allSatisfy { $0.isPlain }, "\(text.debugDescription)")
    }
  }
}
