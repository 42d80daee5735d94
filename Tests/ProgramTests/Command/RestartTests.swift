import Foundation
import Glibc
import LocationModel
import TestSupport
import Testing

/// Commands that go on while the daemon is made anew.
@Suite("locationctl over a restart of the daemon", .timeLimit(.minutes(60))) struct RestartTests {
  private static let gone = "the daemon has gone; waiting until it is back."

  /// locationctl with its errors in a file of their own.
  private struct Watching {
    let program: Program
    private let errors: URL

    init(_ daemon: RunningDaemon, _ words: String...) throws {
      errors = daemon.folder.appending(path: "errors-\(UUID())")
      program = try Program(
        ["sh", "-c", #"errors=$1; shift; exec "$@" 2>"$errors""#, "sh", errors.path]
          + [Program.path("locationctl")] + words, environment: ["LOCATIOND_SOCKET": daemon.socket])
    }

    var complaints: String { (try? String(contentsOf: errors, encoding: .utf8)) ?? "" }

    func waits(for text: String) -> Bool {
      eventually(within: patience) { complaints.contains(text) }
    }

    /// The next line of JSON, of that event.
    func event(_ name: String) throws -> JSON {
      while true {
        let json = try JSON(parsing: try program.line())
        if json["event"]?.string == name { return json }
      }
    }

    func end() throws {
      program.signal(SIGINT)
      #expect(try program.exit() == 0)
    }
  }

  /// Each app, its regions, whether visits and whether significant changes.
  private func registered(at daemon: RunningDaemon) throws -> [String] {
    let monitors = try daemon.connect().ask("status")["result"]?["monitors"]?.array ?? []
    return monitors.map { monitor in
      ["app", "regions", "visits", "significant"].map { monitor[$0]?.text ?? "" }
        .joined(separator: " ")
    }
  }

  private func kill(_ daemon: RunningDaemon, _ signal: Int32 = SIGKILL) throws {
    daemon.program.signal(signal)
    _ = try daemon.program.exit()
  }

  @Test(
    "watch waits for it, says so on standard error, once, and goes on",
    arguments: [SIGTERM, SIGKILL])
  func watch(signal: Int32) throws {
    let daemon = try RunningDaemon()
    let watch = try Watching(daemon, "watch", "--json")
    _ = try watch.event("didUpdateLocations")
    for times in 1...2 {
      try kill(daemon, signal)
      #expect(watch.waits(for: Self.gone))
      try daemon.startAgain()
      _ = try watch.event("didUpdateLocations")
      #expect(watch.complaints.components(separatedBy: Self.gone).count == times + 1)
    }
    try watch.end()
  }

  @Test("watch asks for the accuracy, the distance and the headings that it was told to")
  func wishes() throws {
    let daemon = try RunningDaemon(
      ["replay://{folder}/drive.nmea?rate=20&loop=1"],
      files: ["drive.nmea": Recording.drive(seconds: 600)])
    let watch = try Watching(
      daemon, "watch", "--json", "--accuracy", "100", "--distance", "50", "--heading")
    func need() throws -> JSON? { try daemon.connect().ask("status")["result"]?["need"] }
    func latitude() throws -> Double {
      let event = try watch.event("didUpdateLocations")
      return try #require(event["locations"]?.array?.first.flatMap(Location.init)).coordinate
        .latitude
    }
    _ = try latitude()
    let before = try #require(try need())
    #expect(before["headings"]?.integer == 1)
    try daemon.restart()
    let first = try latitude()
    #expect(try latitude() - first > 49 / 111_200.0)
    #expect(try need() == before)
    try watch.end()
  }

  @Test("what watch monitors is registered once, goes on, and ends with it")
  func monitoring() throws {
    let daemon = try RunningDaemon(
      ["replay://{folder}/track.jsonl?rate=120&loop=1"],
      files: ["track.jsonl": MonitoringProgramTests.toAndFro + "\n"])
    let watch = try Watching(
      daemon, "watch", "--json", "--region", "home,45,7,400", "--visits", "--significant")
    var started = 0
    func crossing() throws {
      while true {
        let name = try JSON(parsing: try watch.program.line())["event"]?.string
        if name == "didStartMonitoring" { started += 1 }
        if name == "didEnterRegion" || name == "didExitRegion" { return }
      }
    }
    try crossing()
    let before = try registered(at: daemon)
    #expect(before.count == 1 && before.first?.hasSuffix("1 true true") == true, "\(before)")
    for times in 1...2 {
      try kill(daemon)
      let isMissed = eventually(within: patience) {
        watch.complaints.components(separatedBy: Self.gone).count == times + 1
      }
      #expect(isMissed)
      // The next crossing is told by the daemon that is back.
      watch.program.passOver()
      try daemon.startAgain()
      try crossing()
      #expect(try registered(at: daemon) == before)
    }
    #expect(started == 1)
    try watch.end()
    // An event that came as it ended may still be there.
    let left = try registered(at: daemon)
    #expect(left.allSatisfy { $0.hasSuffix("0 false false") }, "\(left)")
  }

  @Test("what the tracker monitors is neither doubled nor lost, and its track goes on")
  func tracker() throws {
    let daemon = try RunningDaemon(
      ["replay://{folder}/drive.nmea?rate=20&loop=1"],
      files: ["drive.nmea": Recording.drive(seconds: 600)])
    let tracker = try RunningTracker(
      daemon,
      "[Record]\nVisits=yes\n[Region home]\nCircle=45,7,150\n[Region far]\nCircle=46,7,150\n")
    func goesOn() throws -> Bool {
      let last = try tracker.entries().count
      return try eventually(within: patience) { try tracker.entries().count > last }
    }
    let isThere = try eventually(within: patience) {
      try registered(at: daemon).first?.hasSuffix("2 true false") == true
    }
    #expect(isThere)
    #expect(try goesOn())
    let before = try registered(at: daemon)
    #expect(before.count == 1)
    try daemon.restart()
    #expect(try goesOn())
    #expect(try registered(at: daemon) == before)
  }

  @Test("get goes on with the daemon that is back within its timeout, and prints the location")
  func get() throws {
    let daemon = try RunningDaemon([])
    let get = try daemon.control("get", "--timeout", "300")
    // The first reason: it is asked, and has no source.
    #expect(try get.line().hasPrefix("locationctl: no location yet: "))
    try kill(daemon)
    #expect(try get.line() == "locationctl: no location yet: " + Self.gone)
    try daemon.write("[Sources]\nSource=static:45,7,100,5\n", to: "locationd.conf")
    try daemon.startAgain()
    let (text, exit) = try get.text()
    #expect(exit == 0 && text.contains("45.000000 7.000000"), "\(text)")
  }

  @Test("get gives up with 5 where the daemon is not back in time")
  func late() throws {
    let daemon = try RunningDaemon([])
    let get = try daemon.control("get", "--timeout", "3")
    #expect(try get.line().hasPrefix("locationctl: no location yet: "))
    try kill(daemon)
    let (text, exit) = try get.text()
    #expect(exit == 5 && text.contains("was not back in time"), "\(text)")
  }

  @Test("the satellites go on")
  func sky() throws {
    let daemon = try RunningDaemon()
    let watch = try daemon.control("watch", "--sky")
    #expect(try watch.line().contains("no satellite"))
    try kill(daemon)
    while try !watch.line().contains(Self.gone) {}
    try daemon.startAgain()
    while try watch.line().contains(Self.gone) {}
    watch.signal(SIGINT)
    #expect(try watch.exit() == 0)
  }

  @Test("the panel says so in its place, and is live again")
  func panel() throws {
    let daemon = try RunningDaemon()
    let watch = try Program(
      onTerminal([Program.path("locationctl"), "watch", "--socket", daemon.socket]),
      environment: ["TERM": "xterm", "NO_COLOR": "1", "LC_ALL": "C.UTF-8"])
    while try !watch.line().contains("Location") {}
    try kill(daemon)
    while try !watch.line().contains(Self.gone) {}
    try daemon.startAgain()
    while try !watch.line().contains("live") {}
  }

  @Test("locationctl agent answers again, and no typed word is left for another question")
  func agent() throws {
    let daemon = try RunningDaemon(files: ["policy.d/ask.conf": "[Rule]\nAction=ask\n"])
    let typist = try Typist(daemon, answers: ["w"])
    try typist.wait(for: "come here")
    try kill(daemon)
    try typist.wait(for: "No question comes now: " + Self.gone)
    try daemon.startAgain()
    try typist.wait(for: "come here")
    let client = try daemon.connect()
    let id = client.request("requestAuthorization", ["level": "whenInUse"])
    try typist.wait(for: "wants to know where this machine is")
    let answer = try client.reply(to: id)["result"]?["authorization"]
    #expect(answer == "authorizedWhenInUse")
  }
}
