import LocationModel
import TestSupport
import Testing

@testable import PlaceCore

/// A server that answers what it is sent.
private struct Echo: AskedServer {
  static let patience: Duration? = .seconds(4)
  static let mostWaiting = (user: 4, all: 6)
  static let longestAnswer = 100
  static let instead: String? = "the disk"

  let address: ServerAddress

  init(_ url: String) throws { address = try ServerAddress(url) }

  var name: String { address.url }
  var about: JSON { ["role": "echo"] }

  func call(for question: String) -> ServerCall? {
    question.hasPrefix("!") ? nil : ServerCall(url: "\(address.url)/\(question)")
  }

  func meaning(of body: [UInt8], status: Int, to question: String) -> ServerAnswer<String>? {
    guard status == 200 else { return nil }
    return switch String(decoding: body, as: UTF8.self) {
    case "nothing": .nothing(Refusal(.directionsNotFound, "\(name) finds nothing"))
    case "again": .again
    case "?": .failed(reason: "its answer is not understood")
    case let text: .answer(text)
    }
  }

  static func holds(_ question: String, for other: String, after age: Duration) -> Bool {
    question == other
  }

  static func json(of answer: String, to question: String) -> JSON? {
    ["question": .string(question), "answer": .string(answer)]
  }

  static func answer(in json: JSON) -> (question: String, answer: String)? { nil }
}

private typealias Ask = ServerAsk<Echo>

/// Servers and a clock.
private struct Trial {
  var ask: Ask
  var now = Boottime(nanoseconds: 1_000_000_000_000)
  private var waiter = 0

  init(_ urls: String..., timeout: Duration = .seconds(3), budget: Int = 60) throws {
    ask = ServerAsk(try urls.map { try Echo($0) }, timeout: timeout, budget: budget)
  }

  mutating func handle(_ input: Ask.Input) -> [Ask.Step] {
    var steps: [Ask.Step] = []
    ask.handle(input, at: now, into: &steps)
    return steps
  }

  /// Waiters are numbered from 1, as calls are.
  mutating func question(_ text: String, of user: UInt32 = 1000, reserve: Int = 0) -> [Ask.Step] {
    waiter += 1
    return handle(
      .asked(text, by: Asker(uid: user, group: "app"), waiter: waiter, reserve: reserve))
  }

  mutating func answer(
    _ number: Int, _ text: String, status: Int = 200, wait: Duration? = nil
  ) -> [Ask.Step] {
    handle(.answered(number, status: status, wait: wait, body: Array(text.utf8)))
  }
}

private let own = "http://10.0.0.1"
private let other = "http://10.0.0.2"
private let shared = "https://example.org"

private func call(_ url: String, _ number: Int, within seconds: Double = 3) -> Ask.Step {
  .send(number, ServerCall(url: url), within: .seconds(seconds))
}

@Suite("Servers that are asked") struct ServerAskTests {
  @Test("a question is sent, and its answer concludes it")
  func answered() throws {
    var trial = try Trial(own)
    let sent = trial.question("x")
    #expect(sent == [call("\(own)/x", 1)])
    let concluded = trial.answer(1, "here")
    #expect(concluded == [.conclude(waiters: [1], .answer("here"))])
    let again = trial.answer(1, "late")
    #expect(again.isEmpty)
  }

  @Test("a question that no server takes costs nothing")
  func unasked() throws {
    var trial = try Trial(own, budget: 1)
    let refused = trial.question("!x")
    #expect(refused == [.conclude(waiters: [1], .unasked)])
    let sent = trial.question("x")
    #expect(sent == [call("\(own)/x", 1)])
    var none = try Trial()
    let unasked = none.question("x")
    #expect(unasked == [.conclude(waiters: [1], .unasked)])
  }

  @Test("an answer is known to its user for a day, and to no other user")
  func cache() throws {
    var trial = try Trial(own)
    _ = trial.question("x", of: 1000)
    _ = trial.answer(1, "here")
    trial.now += .seconds(86_399)
    let known = trial.question("x", of: 1000)
    #expect(known == [.conclude(waiters: [2], .answer("here"))])
    let foreign = trial.question("x", of: 1001)
    #expect(foreign == [call("\(own)/x", 2)])
    trial.now += .seconds(1)
    let old = trial.question("x", of: 1000)
    #expect(old == [call("\(own)/x", 3)])
    #expect(trial.ask.status[0]["reused"] == .integer(1))
  }

  @Test("the same question of one user is asked once; that of another is a call of its own")
  func joined() throws {
    var trial = try Trial(own)
    let first = trial.question("x")
    let second = trial.question("x")
    let foreign = trial.question("x", of: 1001)
    #expect(first == [call("\(own)/x", 1)] && second.isEmpty && foreign == [call("\(own)/x", 2)])
    let concluded = trial.answer(1, "here")
    #expect(concluded == [.conclude(waiters: [1, 2], .answer("here"))])
  }

  @Test("an app that has spent its budget is refused, until some of it is back")
  func budget() throws {
    var trial = try Trial(own, budget: 2)
    for text in ["a", "b"] { _ = trial.question(text) }
    let refused = trial.question("c")
    #expect(refused == [.conclude(waiters: [3], .overBudget)])
    let foreign = trial.question("c", of: 1001)
    #expect(foreign == [call("\(own)/c", 3)])
    trial.now += .seconds(30)
    let later = trial.question("d")
    #expect(later == [call("\(own)/d", 4)])
  }

  @Test("so many questions of one user wait, and so many of all")
  func overcrowded() throws {
    var trial = try Trial(own)
    // What joins another question waits, too.
    for text in ["a", "b", "c", "c"] { _ = trial.question(text) }
    let tooMany = trial.question("d")
    #expect(tooMany == [.conclude(waiters: [5], .overcrowded)])
    for text in ["a", "b"] { _ = trial.question(text, of: 1001) }
    let last = trial.question("c", of: 1002)
    #expect(last == [.conclude(waiters: [8], .overcrowded)])
    _ = trial.answer(3, "here")
    let free = trial.question("d")
    #expect(free == [call("\(own)/d", 6)])
    #expect(trial.ask.status[0]["replaced"] == .integer(2))
  }

  @Test("a server says why it fails once, and once that it answers again")
  func reports() throws {
    var trial = try Trial(own)
    var reports: [String] = []
    for (text, status) in [("", 500), ("", 500), ("?", 200), ("here", 200), ("here", 200)] {
      let sent = trial.question("x\(reports.count)\(text)\(trial.now)")
      guard case .send(let number, _, _)? = sent.first else { return #expect(Bool(false)) }
      for case .report(let report) in trial.answer(number, text, status: status) {
        reports.append(report)
      }
      trial.now += .seconds(10)
    }
    #expect(
      reports == [
        "\(own) does not answer: the server answers 500; the disk does instead",
        "\(own) does not answer: its answer is not understood; the disk does instead",
        "\(own) answers again",
      ])
    let status = trial.ask.status[0]
    #expect(status["requests"] == .integer(5) && status["answers"] == .integer(2))
    #expect(status["failures"] == .integer(3) && status["replaced"] == .integer(3))
    #expect(status["role"] == "echo" && status["url"] == .string(own) && status["trouble"] == nil)
  }
}

@Suite("The time of servers that are asked") struct ServerTimeTests {
  @Test("a public server is sent one question a second, each with the time that is left to it")
  func pace() throws {
    var trial = try Trial(shared)
    let sent = (0..<3).map { trial.question("\($0)") }
    #expect(sent == [[call("\(shared)/0", 1)], [], []])
    let early = trial.handle(.timer)
    #expect(early.isEmpty && trial.ask.nextTurn == trial.now + .seconds(1))
    trial.now += .seconds(1)
    let second = trial.handle(.timer)
    #expect(second == [call("\(shared)/1", 2, within: 2)])
    trial.now += .seconds(1)
    let third = trial.handle(.timer)
    #expect(third == [call("\(shared)/2", 3, within: 1)] && trial.ask.nextTurn == nil)
  }

  @Test("a question whose slot comes after its deadline is not asked")
  func late() throws {
    var trial = try Trial(shared)
    for number in 0..<3 { _ = trial.question("\(number)") }
    let late = trial.question("3")
    #expect(late == [.conclude(waiters: [4], .nothing(nil))])
  }

  @Test("a question that the loop comes to too late is not sent")
  func overslept() throws {
    var trial = try Trial(shared)
    for number in 0..<2 { _ = trial.question("\(number)") }
    trial.now += .seconds(3)
    let steps = trial.handle(.timer)
    #expect(steps == [.conclude(waiters: [2], .nothing(nil))])
  }

  @Test(
    "a server that asks for a pause gets it: what it says, else a minute where it is asked too much",
    arguments: [
      (429, nil, 60), (403, nil, 60), (429, 7, 7), (503, 7, 7), (500, nil, 1), (429, 0, 1),
    ] as [(Int, Int?, Int)])
  func retryAfter(status: Int, wait: Int?, rest: Int) throws {
    var trial = try Trial(own)
    _ = trial.question("a")
    let refused = trial.answer(1, "", status: status, wait: wait.map { .seconds($0) })
    #expect(refused.last == .conclude(waiters: [1], .nothing(nil)))
    trial.now += .seconds(rest) - .milliseconds(1)
    let early = trial.question("b")
    #expect(early == [.conclude(waiters: [2], .nothing(nil))])
    trial.now += .milliseconds(1)
    let later = trial.question("c")
    #expect(later == [call("\(own)/c", 3)])
  }

  @Test("each server has its share of the time, and what comes after them has one, too")
  func shares() throws {
    var trial = try Trial(own, other)
    let first = trial.question("x", reserve: 2)
    #expect(first == [call("\(own)/x", 1, within: 1)])
    trial.now += .seconds(1)
    let second = trial.handle(.failed(1, reason: "Timeout was reached"))
    #expect(
      second == [
        .report("\(own) does not answer: Timeout was reached; the disk does instead"),
        call("\(other)/x", 1, within: 1),
      ])
  }
}

@Suite("Servers that are asked one after the other") struct ServerOrderTests {
  @Test("the next server is asked where one fails, rests or finds nothing")
  func order() throws {
    var trial = try Trial(own, other)
    let first = trial.question("a")
    #expect(first == [call("\(own)/a", 1, within: 2)])
    let next = trial.answer(1, "", status: 500)
    #expect(next.last == call("\(other)/a", 1))
    let found = trial.answer(1, "there")
    #expect(found == [.conclude(waiters: [1], .answer("there"))])
    // The first rests for a second.
    let resting = trial.question("b")
    #expect(resting == [call("\(other)/b", 2)])
    trial.now += .seconds(2)
    let back = trial.question("c")
    #expect(back == [call("\(own)/c", 3, within: 2)])
    let nothing = trial.answer(3, "nothing")
    #expect(nothing.last == call("\(other)/c", 3))
  }

  @Test("where none finds anything, the first server's refusal is told")
  func refusals() throws {
    var trial = try Trial(own, other)
    _ = trial.question("x")
    _ = trial.answer(1, "nothing")
    let end = trial.answer(1, "nothing")
    let refusal = Refusal(.directionsNotFound, "\(own) finds nothing")
    #expect(end == [.conclude(waiters: [1], .nothing(refusal))])
  }

  @Test("a question in other words goes to the same server")
  func again() throws {
    var trial = try Trial(own, other)
    _ = trial.question("x")
    let again = trial.answer(1, "again")
    #expect(again == [call("\(own)/x", 1, within: 2)])
  }

  @Test("a question of a client that has gone loses its slot; a call under way is finished")
  func cancelled() throws {
    var trial = try Trial(shared)
    for text in ["a", "b"] { _ = trial.question(text) }
    let cancelled = trial.handle(.cancelled(waiters: [1, 2]))
    #expect(cancelled == [.conclude(waiters: [1, 2], .cancelled)] && trial.ask.nextTurn == nil)
    trial.now += .seconds(1)
    let timer = trial.handle(.timer)
    #expect(timer.isEmpty)
    _ = trial.answer(1, "here")
    let known = trial.question("a")
    #expect(known == [.conclude(waiters: [3], .answer("here"))])
  }

  @Test("others who wait for the same are answered; where nobody does, no other server is asked")
  func othersWait() throws {
    var trial = try Trial(own, other)
    for _ in 0..<2 { _ = trial.question("x") }
    _ = trial.handle(.cancelled(waiters: [1]))
    let concluded = trial.answer(1, "here")
    #expect(concluded == [.conclude(waiters: [2], .answer("here"))])
    _ = trial.question("y")
    _ = trial.handle(.cancelled(waiters: [3]))
    let failed = trial.answer(2, "", status: 500)
    #expect(!failed.contains { if case .send = $0 { true } else { false } })
  }

  @Test(
    "in every order of questions, answers and failures each waiter is told once, and a public server is sent one call a second",
    arguments: UInt64(0)..<40)
  func anyOrder(seed: UInt64) throws {
    var dice = Dice(seed: seed)
    var trial = try Trial(shared, own)
    var waiters = 0
    var told: [Int] = []
    var open: Set<Int> = []
    var last: Boottime?
    func read(_ steps: [Ask.Step]) {
      for step in steps {
        switch step {
        case .send(let number, let call, let time):
          #expect(open.insert(number).inserted && time > .zero && time <= .seconds(3))
          if call.url.hasPrefix(shared) {
            #expect(last.map { trial.now - $0 >= .seconds(1) } ?? true)
            last = trial.now
          }
        case .conclude(let numbers, _): told += numbers
        case .report: break
        }
      }
    }
    for _ in 0..<300 {
      let next = trial.now + .milliseconds(Int.random(in: 0...400, using: &dice))
      while let turn = trial.ask.nextTurn, turn <= next {
        trial.now = turn
        read(trial.handle(.timer))
      }
      trial.now = next
      switch Int.random(in: 0..<4, using: &dice) {
      case 0, 1:
        waiters += 1
        let text = "\(Int.random(in: 0..<9, using: &dice))"
        read(trial.question(text, of: UInt32.random(in: 0..<3, using: &dice)))
      case 2:
        guard let number = open.sorted().randomElement(using: &dice) else { continue }
        open.remove(number)
        let text = ["here", "nothing", "?", "again"].randomElement(using: &dice) ?? ""
        let status = [200, 200, 200, 500, 429].randomElement(using: &dice) ?? 200
        read(trial.answer(number, text, status: status, wait: .seconds(1)))
      default:
        guard let waiter = (1...max(waiters, 1)).randomElement(using: &dice),
          waiter <= waiters, !told.contains(waiter)
        else { continue }
        read(trial.handle(.cancelled(waiters: [waiter])))
      }
    }
    while let number = open.popFirst() { read(trial.answer(number, "here")) }
    while let turn = trial.ask.nextTurn {
      trial.now = turn
      read(trial.handle(.timer))
      while let number = open.popFirst() { read(trial.answer(number, "here")) }
    }
    #expect(told.sorted() == Array(1...waiters))
  }
}
