package import LocationModel

/// Servers of one kind, asked in their order until one answers: the slots of each, the budgets and answers of each
/// user, the time that is left. It says what to do, and does nothing itself.
package struct ServerAsk<Server: AskedServer>: Sendable {
  package enum Input: Sendable {
    /// `waiter`: a number of its own. `reserve`: so many that are asked after the servers keep their share of the time.
    case asked(Server.Question, by: Asker, waiter: Int, reserve: Int = 0)
    /// `wait`: the server's wish.
    case answered(Int, status: Int, wait: Duration? = nil, body: [UInt8])
    case failed(Int, reason: String)
    /// The clients of these waiters have gone.
    case cancelled(waiters: Set<Int>)
    /// `nextTurn` has come.
    case timer
  }

  package enum Step: Equatable, Sendable {
    /// The answer comes back with the number.
    case send(Int, ServerCall, within: Duration)
    case conclude(waiters: [Int], Outcome)
    case report(String)
  }

  package enum Outcome: Equatable, Sendable {
    case answer(Server.Answer)
    /// No server answers in time, or none finds anything: then with the first refusal.
    case nothing(Refusal?)
    /// No server takes such questions.
    case unasked
    case overBudget
    case overcrowded
    case cancelled
  }

  /// A question under way.
  private struct Inquiry: Sendable {
    let number: Int
    let question: Server.Question
    let user: Asker.User
    let deadline: Boottime
    let reserve: Int
    var waiters: [Int]
    /// The servers that are still to be asked.
    var left: ArraySlice<Int>
    /// The server that is asked, and until when.
    var server: Int
    var limit: Boottime
    /// The slot that it waits for; nil: the call is under way.
    var turn: Boottime?
    var refusal: Refusal?
  }

  private var servers: [(server: Server, record: ServerRecord)]
  private let timeout: Duration
  private var budget: Budget
  package var cache = AnswerCache<Server>()
  private var inquiries: [Int: Inquiry] = [:]
  private var lastNumber = 0

  /// `timeout`: of one server. `budget`: requests a minute of an app.
  package init(_ servers: [Server], timeout: Duration, budget: Int) {
    self.servers = servers.map { ($0, ServerRecord(isPublic: $0.address.isPublic)) }
    self.timeout = timeout
    self.budget = Budget(perMinute: budget)
  }

  package mutating func handle(_ input: Input, at now: Boottime, into steps: inout [Step]) {
    switch input {
    case .asked(let question, let asker, let waiter, let reserve):
      if let outcome = begin(question, of: asker, waiter, reserve, at: now, into: &steps) {
        steps.append(.conclude(waiters: [waiter], outcome))
      }
    case .answered(let number, let status, let wait, let body):
      guard let inquiry = inquiries[number] else { return }
      conclude(inquiry, status, wait, body, at: now, into: &steps)
    case .failed(let number, let reason):
      guard let inquiry = inquiries[number] else { return }
      fail(inquiry, reason, wait: nil, at: now, into: &steps)
    case .cancelled(let waiters):
      for number in inquiries.keys { inquiries[number]?.waiters.removeAll(where: waiters.contains) }
      // An answer that is under way is kept for the user's next question.
      inquiries = inquiries.filter { $0.value.turn == nil || !$0.value.waiters.isEmpty }
      steps.append(.conclude(waiters: waiters.sorted(), .cancelled))
    case .timer:
      for inquiry in inquiries.values.sorted(by: { $0.number < $1.number }) {
        if let turn = inquiry.turn, turn <= now { send(inquiry, at: now, into: &steps) }
      }
    }
  }

  /// The moment of the next slot that a question waits for.
  package var nextTurn: Boottime? { inquiries.values.compactMap(\.turn).min() }

  package var status: [JSON] {
    servers.map { server, record in
      let address: JSON = [
        "url": .string(server.address.url), "public": .bool(server.address.isPublic),
      ]
      return .object([server.about, address, record.json].flatMap { $0.members ?? [] })
    }
  }
}

// MARK: - Asking

extension ServerAsk {
  /// The outcome where it is known at once.
  private mutating func begin(
    _ question: Server.Question, of asker: Asker, _ waiter: Int, _ reserve: Int,
    at now: Boottime, into steps: inout [Step]
  ) -> Outcome? {
    let able = servers.indices.filter { servers[$0].server.call(for: question) != nil }
    guard let first = able.first else { return .unasked }
    if let known = cache.answer(to: question, of: asker.user, at: now) {
      servers[first].record.reused += 1
      return .answer(known)
    }
    let own = inquiries.values.filter { $0.user == asker.user }
    func waiting(_ inquiries: some Sequence<Inquiry>) -> Int {
      inquiries.reduce(0) { $0 + $1.waiters.count }
    }
    guard waiting(own) < Server.mostWaiting.user,
      waiting(inquiries.values) < Server.mostWaiting.all
    else {
      replace(1, first)
      return .overcrowded
    }
    let same = own.filter { Server.holds($0.question, for: question, after: .zero) }
    if let number = same.map(\.number).min() {
      servers[first].record.reused += 1
      inquiries[number]?.waiters.append(waiter)
      return nil
    }
    guard budget.spend(asker, at: now) else { return .overBudget }
    lastNumber += 1
    let inquiry = Inquiry(
      number: lastNumber, question: question, user: asker.user,
      deadline: now + (Server.patience ?? timeout), reserve: reserve, waiters: [waiter],
      left: able[...], server: first, limit: now)
    advance(inquiry, at: now, into: &steps)
    return nil
  }

  /// Asks the next server, while somebody waits. Those after it keep their share of the time.
  private mutating func advance(_ inquiry: Inquiry, at now: Boottime, into steps: inout [Step]) {
    var inquiry = inquiry
    while let next = inquiry.left.first, !inquiry.waiters.isEmpty {
      let share = (inquiry.deadline - now) / (inquiry.left.count + inquiry.reserve)
      inquiry.left.removeFirst()
      inquiry.server = next
      inquiry.limit = now + min(share, timeout)
      inquiry.turn = servers[next].record.reserveSlot(at: now, before: inquiry.limit)
      guard let turn = inquiry.turn else { continue }
      inquiries[inquiry.number] = inquiry
      if turn <= now { send(inquiry, at: now, into: &steps) }
      return
    }
    end(inquiry, .nothing(inquiry.refusal), into: &steps)
  }

  private mutating func send(_ inquiry: Inquiry, at now: Boottime, into steps: inout [Step]) {
    let left = inquiry.limit - now
    guard left > .zero, let call = servers[inquiry.server].server.call(for: inquiry.question) else {
      return advance(inquiry, at: now, into: &steps)
    }
    inquiries[inquiry.number]?.turn = nil
    steps.append(.send(inquiry.number, call, within: left))
  }
}

// MARK: - Answers

extension ServerAsk {
  private mutating func conclude(
    _ inquiry: Inquiry, _ status: Int, _ wait: Duration?, _ body: [UInt8], at now: Boottime,
    into steps: inout [Step]
  ) {
    var inquiry = inquiry
    let i = inquiry.server
    switch servers[i].server.meaning(of: body, status: status, to: inquiry.question) {
    case .answer(let answer):
      succeed(i, into: &steps)
      cache.add(answer, to: inquiry.question, of: inquiry.user, at: now)
      end(inquiry, .answer(answer), into: &steps)
    case .nothing(let refusal):
      succeed(i, into: &steps)
      inquiry.refusal = inquiry.refusal ?? refusal
      advance(inquiry, at: now, into: &steps)
    case .again:
      inquiry.left = [i] + inquiry.left
      advance(inquiry, at: now, into: &steps)
    case .failed(let reason): fail(inquiry, reason, wait: wait, at: now, into: &steps)
    case nil:
      let rest = [403, 429].contains(status) ? ServerRecord.restOfRefused : nil
      fail(inquiry, "the server answers \(status)", wait: wait ?? rest, at: now, into: &steps)
    }
  }

  private mutating func succeed(_ i: Int, into steps: inout [Step]) {
    if servers[i].record.trouble != nil {
      steps.append(.report("\(servers[i].server.name) answers again"))
    }
    servers[i].record.succeed()
  }

  private mutating func fail(
    _ inquiry: Inquiry, _ reason: String, wait: Duration?, at now: Boottime,
    into steps: inout [Step]
  ) {
    let (server, record) = servers[inquiry.server]
    if record.trouble != reason {
      let rest = Server.instead.map { "; \($0) does instead" } ?? ""
      steps.append(.report("\(server.name) does not answer: \(reason)\(rest)"))
    }
    servers[inquiry.server].record.fail(reason, wait: wait, at: now)
    advance(inquiry, at: now, into: &steps)
  }

  private mutating func end(_ inquiry: Inquiry, _ outcome: Outcome, into steps: inout [Step]) {
    inquiries[inquiry.number] = nil
    if case .nothing = outcome { replace(inquiry.waiters.count, inquiry.server) }
    steps.append(.conclude(waiters: inquiry.waiters, outcome))
  }

  private mutating func replace(_ count: Int, _ server: Int) {
    if Server.instead != nil { servers[server].record.replaced += Int64(count) }
  }
}

extension Refusal {
  package static let overBudget = Refusal(.network, "Too many requests: ask again in a minute.")
}
