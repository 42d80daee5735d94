import LocationModel
import Testing

@testable import LocationCore

@Suite("The log of commits") struct CommitLogTests {
  private static let app = App(uid: 1000, name: "exe:/usr/bin/a")
  private static let change = Change.remove(app, kind: "visits", key: "")
  private static let client = ClientID(1)

  private static func at(_ seconds: Int64) -> Instant {
    Instant(
      boottime: .start + .seconds(seconds), utc: .epoch, utcTrusted: true)
  }

  /// Begins a commit of the app's client.
  private func begin(_ log: inout CommitLog, then: Continuation? = nil) -> CommitID {
    let id = log.next()
    log.begin(id, [Self.change], then: then, for: Self.client, of: 1000, .integer(7))
    return id
  }

  private func end(
    _ log: inout CommitLog, _ id: CommitID, _ trouble: String? = nil, at seconds: Int64 = 0
  ) -> (entry: CommitLog.Entry?, notes: Int) {
    var outputs: [Output] = []
    let entry = log.end(id, trouble, at: Self.at(seconds), into: &outputs)
    return (entry, outputs.count)
  }

  @Test("an entry comes back once, with the client to answer and what follows")
  func once() throws {
    var log = CommitLog(trouble: nil)
    let id = begin(&log, then: .followed(Self.app, .visits))
    #expect(log.isWaiting(Self.client))
    let entry = try #require(end(&log, id).entry)
    #expect(entry.client == Self.client)
    #expect(entry.call == .integer(7))
    guard case .followed(Self.app, .visits) = entry.continuation else {
      Issue.record("\(String(describing: entry.continuation))")
      return
    }
    #expect(end(&log, id).entry == nil)
    #expect(!log.isWaiting(Self.client))
  }

  @Test("the bytes that a user's programs have waiting are counted until they are written")
  func bytes() {
    var log = CommitLog(trouble: nil)
    let ids = [begin(&log), begin(&log)]
    #expect(log.queuedBytes(of: 1000) == 2 * Self.change.size)
    #expect(log.queuedBytes(of: 1001) == 0)
    for id in ids { _ = end(&log, id) }
    #expect(log.queuedBytes(of: 1000) == 0)
  }

  @Test("trouble is noted when it begins and when it ends, not with each commit")
  func trouble() {
    var log = CommitLog(trouble: nil)
    let notes = [nil, "full", "full", nil, nil].map { end(&log, begin(&log), $0).notes }
    #expect(notes == [0, 1, 0, 1, 0])
  }

  @Test("a record that could not be written is due after a minute, once nothing is under way")
  func retry() {
    var log = CommitLog(trouble: nil)
    let first = begin(&log)
    let second = begin(&log)
    _ = end(&log, first, "full", at: 10)
    #expect(log.wakesAt == nil)
    _ = end(&log, second, "full", at: 11)
    #expect(log.wakesAt == Self.at(71).boottime)
    #expect(log.due(at: Self.at(70)) == nil)
    #expect(log.due(at: Self.at(71)) == .app(Self.app))
    // It is written anew, and nothing is left to do.
    let again = begin(&log)
    log.retry.begin(as: again)
    _ = end(&log, again, at: 72)
    #expect(log.wakesAt == nil)
  }

  @Test("a record that never goes keeps no other waiting")
  func others() {
    let restriction = Restriction(uid: nil, name: "app:b")
    var log = CommitLog(trouble: nil)
    let id = log.next()
    log.begin(id, [Self.change, .restrict(restriction)], then: nil, for: nil, of: nil, nil)
    _ = end(&log, id, "full")
    let again = log.next()
    log.begin(again, [Self.change], then: nil, for: nil, of: nil, nil)
    log.retry.begin(as: again)
    _ = end(&log, again, "full", at: 60)
    #expect(log.due(at: Self.at(200)) == .restriction(restriction))
  }

  @Test("calls wait for the commit that shows whether anything can be written, up to a limit")
  func calls() {
    var log = CommitLog(trouble: "full")
    let id = begin(&log)
    let call = Call(id: .integer(1), .location)
    for _ in 0..<CommitLog.mostRetrials {
      let waits = log.handleAgain(call, of: Self.client)
      #expect(waits)
    }
    let oneMore = log.handleAgain(call, of: Self.client)
    #expect(!oneMore)
    #expect(log.callsToHandle(after: CommitID(99)).isEmpty)
    #expect(log.callsToHandle(after: id).count == CommitLog.mostRetrials)
    #expect(log.callsToHandle(after: id).isEmpty)
  }
}
