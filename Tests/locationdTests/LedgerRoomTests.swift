import Foundation
import LocationCore
import Testing

@testable import Platform
@testable import locationd

@Suite("Ledger") final class LedgerRoomTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "ledger-\(UUID())")
  private let loop: EventLoop
  private var answers: [Input] = []

  init() throws { loop = try EventLoop() }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private func open() throws -> Ledger {
    try Ledger(.folder(folder.path), on: loop, Log(level: .error)) { [unowned self] in
      answers.append($0)
    }
  }

  private func commit(_ changes: [Change], to ledger: Ledger) throws {
    answers = []
    ledger.commit(changes, CommitID(1))
    let deadline = ContinuousClock().now + .seconds(60)
    while answers.isEmpty, ContinuousClock().now < deadline {
      try loop.turn(within: .milliseconds(100))
    }
    if case .committed? = answers.first { return }
    Issue.record("\(answers)")
  }

  private var size: Int {
    get throws {
      let path = folder.appending(path: Ledger.name).path
      return try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
    }
  }

  @Test("of a forgotten app only the number of its last event stays, as its user's")
  func numbers() throws {
    let (a, b) = (App(uid: 5, name: "app:a"), App(uid: 5, name: "app:b"))
    let other = App(uid: 6, name: "app:a")
    do {
      let ledger = try open()
      for (app, number) in [(a, 7), (b, 3), (other, 9)] as [(App, UInt64)] {
        try commit([.event(app, number: number, [1])], to: ledger)
      }
      try commit([.forget(a)], to: ledger)
      try commit([.erase(b)], to: ledger)
      try commit([.acknowledged(other, through: 9), .retire(other)], to: ledger)
    }
    let remembered = try open().drainRemembered()
    #expect(
      remembered.lastEvents == [App(uid: 5, name: ""): 7, App(uid: 6, name: ""): 9])
    #expect(remembered.events.isEmpty && remembered.records.isEmpty)
  }

  @Test("the ledger keeps its name as long as its file, and has another with another file")
  func name() throws {
    func name() throws -> Int64? { try open().drainRemembered().ledger }
    let first = try name()
    #expect(try first != nil && name() == first)
    try FileManager.default.removeItem(at: folder)
    #expect(try name() != first)
    let ledger = try Ledger(.memory, on: loop, Log(level: .error)) { _ in }
    #expect(ledger.drainRemembered().ledger != nil)
  }

  @Test("a month of 100 apps, of two kinds of access each day, is less than 1 MB on the disk")
  func history() throws {
    let rows = (0..<60).map { i in
      let day = 20_790 + i / 2
      let begins = day * 86_400
      return #"[\#(day),"standard",\#(i % 2 * 2),50,86399,\#(begins),\#(begins + 86_399)]"#
    }
    let words = String(repeating: "w", count: 120)
    let json =
      #"{"name":"\#(words)","purpose":"\#(words)","rows":[\#(rows.joined(separator: ","))]}"#
    let owner = App(uid: 5, name: "")
    let ledger = try open()
    func record(_ i: Int) -> Change {
      .put(owner, kind: "history", key: "app:org.example.Application\(i)", Array(json.utf8))
    }
    try commit((0..<100).map(record), to: ledger)
    // Whatever was written before is room for what comes.
    for i in 0..<200 { try commit([record(i % 100), record((i + 50) % 100)], to: ledger) }
    let bytes = try size
    #expect((100 * json.utf8.count..<1_000_000).contains(bytes), "\(bytes)")
  }

  @Test("what an app had on the disk is given back when it is forgotten")
  func room() throws {
    let app = App(uid: 5, name: "app:a")
    let ledger = try open()
    let before = try size
    try commit(
      (0..<200).map {
        .put(app, kind: "region", key: "\($0)", [UInt8](repeating: 7, count: 50_000))
      }, to: ledger)
    try commit([.erase(App(uid: 5, name: "app:b"))], to: ledger)
    #expect(try size > 200 * 50_000)
    try commit([.forget(app)], to: ledger)
    #expect(try size <= before + 100_000)
  }
}
