import Foundation
import Glibc
import LocationModel
import TestSupport
import Testing

@Suite("What programs say of a daemon that is not there", .timeLimit(.minutes(60)))
struct ErrorWordsTests {
  /// The line about it.
  private func loss(_ program: Program) throws -> String {
    while true {
      let line = try program.line()
      if line.contains("locationd is not there") { return line }
    }
  }

  private func expectWords(_ line: String, _ words: String) {
    #expect(line.contains(words), "\(line)")
    #expect(!line.contains(#/noDaemon|closed\(|path:|reason:|nil/#), "\(line)")
  }

  @Test("the agent says it in words, before the daemon comes and after it went")
  func agent() throws {
    let none = "/tmp/none-\(UUID())"
    let lonely = try Program([Program.path("locationd-agent"), "--socket", none])
    expectWords(try loss(lonely), "nothing answers at \(none) (No such file or directory)")
    let daemon = try RunningDaemon()
    let agent = try Program(
      onTerminal(
        Cgroup.inSession([Program.path("locationd-agent"), "--socket=\(daemon.socket)"])))
    let client = try daemon.connect()
    // It has been heard.
    let isThere = try eventually(within: patience) {
      try client.ask("status")["result"]?["clients"]?.array?.count ?? 0 >= 2
    }
    try #require(isThere)
    daemon.program.signal(SIGKILL)
    expectWords(try loss(agent), "it has gone")
  }

  @Test("so does the tracker")
  func tracker() throws {
    let daemon = try RunningDaemon()
    let tracker = try RunningTracker(daemon, "")
    _ = try tracker.ask("status")
    daemon.program.signal(SIGKILL)
    _ = try daemon.program.exit()
    let line = try loss(tracker.program)
    #expect(line.contains("it has gone") || line.contains("nothing answers"), "\(line)")
    #expect(!line.contains(#/noDaemon|closed\(|path:|nil/#), "\(line)")
  }
}
