import Console
import Foundation
import TestSupport
import Testing

@Suite("What every program is asked") struct ProgramFrameTests {
  private static let programs = [
    "locationd", "locationd-agent", "locationd-map", "locationd-places", "locationd-share",
    "locationd-timezone",
    "locationd-tracker",
  ]

  @Test("help and version are printed, and nothing else is done", arguments: programs)
  func help(name: String) throws {
    let program = Program.path(name)
    #expect(try Program([program, "--version"]).text() == ("\(name) \(version)\n", 0))
    for option in ["--help", "-h"] {
      let (text, exit) = try Program([program, option, "--nonsense"]).text()
      #expect(exit == 0)
      #expect(text.hasPrefix("Usage: \(name) ") && text.contains("  --version "))
    }
  }

  @Test("each option of a program's help stands in its page of the manual", arguments: programs)
  func manual(name: String) throws {
    let page = URL(filePath: Checkout.path + "/config/man/\(name).8")
    // The map is started by locationctl alone, and has no page.
    guard FileManager.default.fileExists(atPath: page.path) else { return }
    let manual = try String(contentsOf: page, encoding: .utf8).replacing("\\-", with: "-")
    func options(_ text: String) -> Set<String> {
      Set(text.matches(of: #/--[a-z][a-z-]*/#).map { String($0.output) })
    }
    let (help, _) = try Program([Program.path(name), "--help"]).text()
    let sections = manual.split(separator: ".SH ")
    let own = sections.first { $0.hasPrefix("OPTIONS") }
    let missing = options(help).subtracting(["--help", "--version"])
      .subtracting(options(String(own ?? "")))
    #expect(missing.isEmpty, "\(missing)")
  }

  @Test(
    "what is not understood is wrong usage, with the option that was meant", arguments: programs)
  func usage(name: String) throws {
    for (words, told) in [
      (["--hepl"], "there is no option '--hepl'; did you mean --help?"),
      (["--frobnicate"], "there is no option '--frobnicate'"), (["x"], "'x' is too much"),
    ] {
      #expect(
        try Program([Program.path(name)] + words).text()
          == ("\(name): \(told); try '\(name) --help'\n", 2))
    }
  }

  /// `PROGRAM --check` on a file of this text, which is called F.
  private func check(_ program: String, _ text: String) throws -> [String] {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).conf")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(text.utf8).write(to: file)
    let (said, exit) = try Program([
      Program.path(program), "--check", "--config", file.path,
    ]).text()
    #expect(exit == (said.isEmpty ? 0 : 1))
    return said.replacing(file.path, with: "F").split(separator: "\n").map(String.init)
  }

  @Test("the tracker's mistakes are told with their lines")
  func tracker() throws {
    let said = try check(
      "locationd-tracker",
      """
      [Record]
      Mode=fast
      Distance=0
      Budget=1
      Colour=red
      [Region]
      [Region home]
      Circle=91,0,5
      OnEnter=a b
      [Uplink fleet]
      CA=/ca
      URL=mqtt://broker/owntracks/ann/van
      CA=ca
      Password=secret
      Batch=0
      OnlyOn="home
      Budget=1M
      Newest=perhaps
      [Uplink other]
      [Trackers]
      Socket=s
      [Tracker]
      Socket=s
      State=here
      Bus=tcp:host=a
      LogLevel=loud
      """)
    #expect(
      said == [
        "F:2: Mode= is move, significant or manual",
        "F:3: Distance= wants a number from 1 to 1000000",
        "F:4: Budget= wants a size from 1M to 1024G",
        "F:5: there is no key 'Colour' in [Record]",
        "F:6: a section [Region] has a name: [Region NAME]",
        "F:8: Circle= lies nowhere on the Earth",
        "F:9: OnEnter= wants the NAME of a template NAME@.service",
        "F:7: [Region home] wants Circle=LATITUDE,LONGITUDE,METRES or GeoJSON=FILE",
        "F:11: URL= comes first in [Uplink fleet]",
        "F:13: CA= wants a whole path",
        "F:14: Password= wants the file that it stands in: @/PATH",
        "F:15: Batch= wants a number from 1 to 1000",
        "F:16: OnlyOn= lacks a quote",
        "F:17: Budget= wants a size and a time such as 100M/month or 2M/day",
        "F:18: Newest= is yes or no",
        "F:19: [Uplink other] wants URL=",
        "F:20: there is no section [Trackers]",
        "F:23: Socket= wants a whole path of at most 107 bytes",
        "F:24: State= wants a whole path",
        "F:25: Bus= is system, session, none or an address: a bus is to be reached by a Unix socket, not by"
          + " tcp:host=a",
        "F:26: LogLevel= is one of error, warning, notice, info, debug",
      ])
  }

  @Test("the mistakes of the service of places are told with their lines")
  func places() throws {
    let routers = (0...8).map { "Router=osrm:https://r\($0).example\n" }.joined()
    let said = try check(
      "locationd-places",
      """
      Data=/a
      [Places]
      Data=/a b
      Idle=soon
      Socket=s
      Bus=none
      LogLevel=loud
      [Servers]
      Locator=x
      Locator=ichnaea:https://locator.example
      Contact=\u{e9}
      CA=ca
      Timeout=2h
      Budget=0
      [Limits]
      ConnectionsPerUser=0
      BytesPerUser=1K
      [Servers]
      \(routers)
      """)
    #expect(
      said == [
        "F:1: 'Data=' stands before any section",
        "F:3: Data= wants a whole path",
        "F:4: Idle= wants a time from 0s to 1d, in s, min, h or d",
        "F:5: Socket= wants a whole path of at most 107 bytes",
        "F:7: LogLevel= is one of error, warning, notice, info, debug",
        "F:9: Locator= is ichnaea:URL",
        "F:11: Contact= is an address of at most 200 plain letters",
        "F:12: CA= wants a whole path",
        "F:13: Timeout= wants a time from 0.1s to 1min, in s, min, h or d",
        "F:14: Budget= wants a number from 1 to 100000",
        "F:16: ConnectionsPerUser= wants a number from 1 to 1000000",
        "F:17: BytesPerUser= wants a size from 128K to 1G",
        "F:27: Router= is written 8 times at most",
      ])
  }
}
