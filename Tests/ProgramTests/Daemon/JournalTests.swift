import Foundation
import LocationModel
import TestSupport
import Testing

@Suite("What the journal tells an administrator") struct JournalTests {
  /// The next line with these words.
  private func line(_ daemon: RunningDaemon, with words: String) throws -> String {
    while true {
      let line = try daemon.program.line()
      if line.contains(words) { return line }
    }
  }

  @Test("a receiver that is found, lost or not there is one line each")
  func receiver() throws {
    var (speaker, path): (Speaker?, String) = try makePty()
    let daemon = try RunningDaemon(["nmea://\(path)"])
    let client = try daemon.connect()
    _ = try client.ask("startUpdatingLocation")
    #expect(try line(daemon, with: "nmea:\(path)").hasSuffix("found"))
    // Its end of the line is closed: the device goes.
    if speaker != nil { speaker = nil }
    #expect(try !line(daemon, with: "nmea:\(path)").contains("found"))
    let other = try RunningDaemon(["nmea:///dev/nowhere"])
    let second = try other.connect()
    _ = try second.ask("startUpdatingLocation")
    #expect(try line(other, with: "/dev/nowhere").contains("is not there"))
  }

  @Test("a permission that is given or taken is one line, with the app and its user")
  func permission() throws {
    let daemon = try RunningDaemon()
    let client = try daemon.connect()
    for (authorization, words) in [("authorizedAlways", "authorizedAlways"), ("denied", "denied")] {
      _ = try client.ask(
        "permissions.set",
        ["app": "app:a.B", "uid": .integer(1000), "authorization": .string(authorization)])
      #expect(try line(daemon, with: "app:a.B (uid 1000)").contains(words))
    }
  }

  @Test(
    "a line begins with its priority where the journal reads it; not in a file, a pipe or a terminal",
    arguments: [
      "locationd", "locationd-agent", "locationd-places", "locationd-tracker", "locationd-map",
      "locationd-timezone",
    ])
  func priority(program: String) throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "log-\(UUID())").path
    defer { try? FileManager.default.removeItem(atPath: file) }
    func line(_ stream: String, _ redirection: String, terminal: Bool = false) throws -> String {
      let script =
        "\(redirection) JOURNAL_STREAM=\(stream) \(Program.path(program)) --nonsense; cat \(file)"
      let command = ["sh", "-c", ": > \(file); \(script)"]
      let (text, _) = try Program(terminal ? onTerminal(command) : command).text()
      return text
    }
    let stream = "$(stat -c %d:%i \(file))"
    #expect(try line(stream, "exec 2>\(file);").hasPrefix("<3>\(program): "))
    #expect(try line("8:1", "exec 2>\(file);").hasPrefix("\(program): "))
    #expect(try line(stream, "").hasPrefix("\(program): "))
    #expect(try line(stream, "", terminal: true).hasPrefix("\(program): "))
  }

  @Test("an app's last use and the number of its uses outlive a restart, however soon it comes")
  func uses() throws {
    let daemon = try RunningDaemon()
    let client = try daemon.connect()
    _ = try client.ask("startUpdatingLocation")
    _ = try client.event()
    daemon.program.signal(SIGTERM)
    #expect(try daemon.program.exit() == 0)
    try daemon.startAgain()
    let list = try daemon.connect().ask("permissions.list")["result"]?["permissions"]?.array
    let entry = try #require(list?.first)
    #expect(entry["uses"] == .integer(1))
    #expect(entry["lastUsed"]?.string != nil)
  }
}
