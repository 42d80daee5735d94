import LocationModel
import Testing

@testable import LocationCore

@Suite("Pauses of a person's programs") struct PausePaceTests {
  private let app = ServiceHarness.app

  /// An app of user 1000 is being told the place; user 1000 has a terminal.
  private func harness() -> ServiceHarness {
    var harness = ServiceHarness()
    harness.connectTerminal()
    harness.connectApp()
    harness.grant(.authorizedAlways)
    return harness
  }

  @Test("a program that pauses in a loop has little written, and little in the journal")
  func flood() {
    var harness = harness()
    var (lines, changes) = (0, 0)
    for i in 0..<100 {
      harness.now = 100 + Double(i) / 50
      let outputs = harness.pause(1, from: app)
      changes += outputs.changes.count
      harness.write(outputs)
    }
    #expect(changes == 1 && harness.service.permissions.pauses.isPaused(1000))
    for i in 0..<200 {
      harness.now = 200 + Double(i) * 2
      for outputs in [harness.pause(1, from: app), harness.handle(.timer)] {
        lines += outputs.notes.count
        harness.write(outputs)
      }
    }
    #expect((1...HourlyLines.most).contains(lines), "\(lines)")
  }

  @Test("a program's pauses in a loop are written ten seconds apart; the last is not lost")
  func loop() throws {
    var harness = harness()
    var (written, answered) = (0, 0)
    for i in 0..<100 {
      harness.now += 1
      let outputs = harness.pause(60 + Double(i), from: app)
      written += outputs.commits.count
      answered += harness.write(outputs).replies.count
    }
    #expect(written == 10 && answered == 91)
    let due = ServiceHarness.instant(harness.now).boottime + .seconds(1)
    #expect(harness.service.permissions.pauses.wakesAt == due)
    let asked = harness.service.wakeAsked
    #expect(try #require(asked) <= due)
    harness.now += 1
    let last = harness.handle(.timer)
    #expect(last.commits.count == 1 && harness.write(last).replies.count == 9)
  }

  @Test("a program that pauses in a loop keeps no pause or resume of the person's from the disk")
  func apart() {
    var harness = harness()
    harness.write(harness.pause(60, from: app))
    let waiting = harness.pause(6000, from: app)
    #expect(waiting.commits.isEmpty && waiting.replies.isEmpty)
    // The program that waited is answered with it.
    #expect(harness.write(harness.pause(7000)).replies.count == 2)
    #expect(harness.write(harness.resume()).replies == [.done])
  }

  @Test(
    "pauses of other programs by new connections are written ten seconds apart, too",
    arguments: [false, true])
  func bypasses(staying: Bool) {
    var harness = harness()
    var (written, answered) = (0, 0)
    for i in 0..<400 {
      harness.now = 1000 + Double(i) / 4
      // Each call comes by a connection of its own; a door is no more than such a number.
      let last = ClientID(UInt64(100 + i))
      harness.connect(last, app: "app:org.a.B\(i % 3)")
      // The connection comes first, and has what is due written.
      var outputs = harness.outputs
      outputs += harness.pause(i % 3 == 0 ? 1 : Double(i), from: last)
      outputs += harness.handle(.timer)
      if !staying { outputs += harness.handle(.gone(last)) }
      written += outputs.changes.pauses
      answered += harness.write(outputs).replies.count
    }
    // The wish of a program that is gone is written, too, and nobody is answered.
    #expect(written == 10 && answered == (staying ? 361 : 0), "\(written), \(answered)")
    harness.now += 1
    #expect(harness.handle(.timer).changes.pauses == 1)
  }

  @Test("pauses of a second, one after the other, are written ten seconds apart with their ends")
  func brief() {
    var harness = harness()
    var written = 0
    for i in 0..<100 {
      harness.now = 1000 + Double(i)
      var outputs = harness.handle(.timer)
      if i % 3 == 0 { outputs += harness.pause(1, from: app) }
      written += outputs.commits.count
      harness.write(outputs)
    }
    #expect((8...11).contains(written), "\(written)")
    harness.now += 20
    harness.write(harness.handle(.timer))
    #expect(!harness.service.permissions.pauses.isPaused(1000))
    #expect(
      harness.service.permissions.pauses.records(of: 1000, at: ServiceHarness.instant(harness.now))
        .isEmpty)
  }

  @Test("a program pauses nothing while the person's resume is being written")
  func resuming() {
    var harness = harness()
    harness.write(harness.pause(7000))
    let resumed = harness.resume()
    #expect(resumed.commits.count == 1)
    let refused = harness.pause(7000, from: app)
    #expect(refused.refusals.map(\.code) == [.denied] && refused.commits.isEmpty)
    #expect(harness.write(resumed).replies == [.done])
    #expect(!harness.service.permissions.pauses.isPaused(1000))
    // Another pause of the person's overtakes it.
    harness.write(harness.pause(7000))
    let again = harness.resume()
    let overtaking = harness.pause(60)
    harness.write(harness.write(again + overtaking))
    #expect(harness.service.permissions.pauses.isPaused(1000))
    // A resume that the disk did not take is none: the program may make the pause longer.
    let failed = harness.resume().commits.flatMap { harness.handle(.commitFailed($0, "full")) }
    #expect(failed.refusals.count == 1)
    #expect(harness.pause(7000, from: app).refusals.isEmpty)
  }

  @Test("of 65 programs that wait one is refused, and the person's pause has room")
  func askers() {
    var harness = harness()
    harness.write(harness.pause(60, from: app))
    var refused: [Refusal] = []
    for i in 0..<65 { refused += harness.pause(100 + Double(i), from: app).refusals }
    #expect(Pauses.mostAskers == 64 && refused.map(\.code) == [.limitExceeded])
    // The pause of the program that is refused holds all the same.
    let end = harness.service.permissions.pauses.end(of: 1000)
    #expect(end == ServiceHarness.instant(harness.now + 164).boottime)
    let byPerson = harness.write(harness.pause(7000))
    #expect(byPerson.replies.count == 65)
    #expect(harness.pause(8000, from: app).refusals.isEmpty)
  }
}

extension [Change] {
  /// The pauses and ends of pauses that are written.
  fileprivate var pauses: Int {
    count {
      switch $0 {
      case .put(_, let kind, _, _), .remove(_, let kind, _): kind == Pauses.kind
      default: false
      }
    }
  }
}
