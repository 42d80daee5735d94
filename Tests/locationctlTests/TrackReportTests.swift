import LocationModel
import Testing
import TrackCore

@testable import locationctl

@Suite("What the tracker keeps, in words") struct TrackReportTests {
  private func lines(_ text: String) throws -> [String] {
    TrackReport.lines(TrackStatus(json: try JSON(parsing: text)), at: .epoch)
  }

  @Test("a server that has all is said to, and nothing more")
  func plain() throws {
    let text = #"{"entries":3,"uplinks":[{"name":"home","backlog":0,"parked":0}]}"#
    #expect(try lines(text) == ["3 entries kept", "", "Uplink home", "  has all"])
    #expect(try lines("{}") == ["0 entries kept"])
  }

  @Test("a pause, hours that are over and a daemon without a fix are said")
  func nothingKept() throws {
    #expect(
      try lines(#"{"silence":{"because":"pause"},"noFix":"no source is configured"}"#) == [
        "0 entries kept",
        "paused: nothing is kept; 'locationctl track resume' ends it",
        "! no fix: no source is configured. 'locationctl doctor' says what to do.",
      ])
    let hours = try lines(#"{"silence":{"because":"hours","until":"2026-03-01T07:00:00Z"}}"#)
    #expect(hours.last?.hasPrefix("outside of its hours until 2026-03-01 ") == true)
  }

  @Test("what keeps a server from having all is said, with its reason")
  func troubles() throws {
    let text = """
      {"entries":1,"mended":"mended.","trouble":"no disk.","unwritten":7,"uplinks":[{"name":"a","backlog":2,"parked":1,
      "parkedAnswers":[{"answer":"the server answers 400","entries":1}],"commands":{"refused":1,"lastRefusal":"no."},"waits":"it waits.","longMessages":2,
      "caution":"take care.","budget":{"used":2048,"bytes":4096,"period":"day"},"trouble":"away."}],
      "waypoints":[{"name":"home","uplink":"a"},{"name":"own"}]}
      """
    #expect(
      try lines(text) == [
        "1 entry kept", "! mended.", "! no disk.",
        "! 7 entries in memory until the disk takes them", "", "Uplink a", "  2 entries to send",
        "  1 entry refused while others were taken: the server answers 400 (1);"
          + " 'locationctl track retry a' sends them again", "  waypoints that it has set: home",
        "  1 command not followed; the last: no.", "  it waits.",
        "  2 messages too long to be read",
        "  take care.", "  2 of 4 KiB sent this day", "  ! away.",
      ])
  }

  @Test("a trouble of the daemon or the disk has its start and its next try, as an uplink's")
  func times() throws {
    let times = #""since":"2026-03-01T07:00:00Z","nextTry":"2026-03-01T07:00:10Z""#
    let lines = try lines(
      #"{"trouble":"locationd is not there",\#(times),"uplinks":[{"name":"a","trouble":"away",\#(times)}]}"#
    )
    #expect(lines[1] == "! locationd is not there" && lines.contains("  ! away"))
    let said = lines.filter { $0.contains("since 2026-") && $0.contains(", tried again at 2026-") }
    #expect(said.map { $0.prefix { $0 == " " }.count } == [2, 4])
  }

  @Test("entries that are parked, an uplink that waits and brokers that may retain say since when")
  func since() throws {
    let lines = try lines(
      #"{"uplinks":[{"name":"a","backlog":9,"oldest":"2026-03-01T06:00:00Z","parked":1,"#
        + #""parkedSince":"2026-03-01T07:00:00Z","waits":"waits for wifi","#
        + #""waitsSince":"2026-03-01T08:00:00Z","mayRetain":["b:1883"],"keepsPlace":"the broker says no"}]}"#
    )
    #expect(lines.contains { $0.hasPrefix("  9 entries to send, the oldest of 2026-03-01 ") })
    #expect(lines.contains { $0.contains("while others were taken, the first at 2026-03-01 ") })
    let i = try #require(lines.firstIndex(of: "  waits for wifi"))
    #expect(lines[i + 1].hasPrefix("    since 2026-03-01 "))
    #expect(
      lines.suffix(2) == [
        "  the forgotten place that b:1883 may retain is cleared when it is connected to",
        "    the last answer to that: the broker says no",
      ])
  }

  @Test("a broker that cannot say what its access list throws away is said to")
  func oldMQTT() throws {
    func uplink(_ version: String) throws -> [String] {
      try lines(#"{"uplinks":[{"name":"a","backlog":0,"mqtt":"\#(version)"}]}"#)
    }
    #expect(try uplink("3.1.1").last?.contains("what its access list throws away") == true)
    #expect(try uplink("5").last == "  has all")
  }

  @Test("a page of entries is read as the tracker writes it")
  func page() throws {
    let entry = TrackEntry(
      .place,
      Location(
        coordinate: Coordinate(latitude: 43.7, longitude: 7.4), horizontalAccuracy: 5,
        timestamp: Timestamp(microseconds: 1_795_206_421_000_000)))
    let reply = TrackReply.entries(TrackPage([entry], last: 7, hasMore: true))
    let call = TrackCall.entries(
      from: Timestamp(microseconds: .min), to: Timestamp(microseconds: .max), after: 0, limit: 1)
    #expect(try call.reply(try JSON(parsing: reply.json.text)) == reply)
  }
}
