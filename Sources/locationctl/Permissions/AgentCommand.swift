import Console
import Glibc
import LocationClient
import LocationModel
import Platform

extension Command {
  static let agent = Command(
    name: "agent", summary: "answer here what apps want to be allowed",
    help: """
      Usage: locationctl agent [--socket PATH]

      Asks you, in this terminal, whenever one of your programs wants to know the location, until
      Ctrl-C. Where a desktop asks already, that goes on. A daemon that restarts is waited for.

      """
  ) { (arguments) throws(Failure) in
    let socket = try arguments.socket()
    try arguments.nothingElse()
    Interrupts.begin()
    let daemon = try PersistentDaemon(at: socket)
    let say = Speech.ofOutput
    var agent = TerminalAgent(reading: STDIN_FILENO, in: say) {
      (lines) throws(Failure) in try Output.write(lines)
    }
    var hasBegun = false
    repeat {
      for event in try daemon.step() {
        switch event {
        case .opened:
          do throws(Failure) {
            let isThere: ()? = try daemon.perform { (daemon) throws(Failure) in
              try agent.begin(daemon)
            }
            guard isThere != nil else { continue }
            hasBegun = true
            try Output.write(say("Questions of your programs come here; Ctrl-C ends it."))
          } catch {
            // Another agent was quicker to come back to the daemon.
            guard hasBegun, error.code == .denied else { throw error }
            agent.end()
            daemon.rest()
          }
        case .received(let message):
          _ = try daemon.perform { (_) throws(Failure) in try agent.take(message) }
        case .lost(let why):
          agent.end()
          try Output.write(["", say("No question comes now: \(say(said: why))")])
        }
      }
    } while try agent.wait(for: daemon)
  }
}

/// Puts one question after the other to whoever sits at the terminal.
struct TerminalAgent: ~Copyable {
  /// Nil while it is gone.
  private var daemon: Daemon?
  /// Only questions about this process are asked; nil for all.
  private let pid: Int32?
  private let input: Int32
  private let say: Speech
  private let write: ([String]) throws(Failure) -> Void
  private var waiting: [(id: JSON, question: AgentQuestion)] = []
  private var isReduced = false
  private var typed = LineBuffer(longest: 4096, keepsBlank: true)

  init(
    about pid: Int32? = nil, reading input: Int32, in say: Speech = .english,
    _ write: @escaping ([String]) throws(Failure) -> Void
  ) {
    self.pid = pid
    self.input = input
    self.say = say
    self.write = write
  }

  mutating func begin(_ daemon: Daemon) throws(Failure) {
    self.daemon = daemon
    try daemon.ask(.hello(.init(name: "locationctl agent")))
    try daemon.ask(.agentRegister)
  }

  /// The daemon has gone, and its questions with it: an answer that is typed now is to none of the next.
  mutating func end() {
    daemon = nil
    waiting = []
    isReduced = false
  }

  /// Waits for something and does it. False at the end of what is typed, or when a signal ends it;
  /// `other`: a descriptor that ends the wait as well.
  mutating func turn(or other: Int32) throws(Failure) -> Bool {
    for message in try daemon?.receive() ?? [] { try take(message) }
    return try wait(on: daemon?.connection.descriptor ?? -1, or: other)
  }

  /// The same for a daemon that may go and come.
  mutating func wait(for daemon: PersistentDaemon) throws(Failure) -> Bool {
    guard let descriptor = daemon.descriptor else {
      return try wait(on: -1, milliseconds: daemon.pause())
    }
    let goesOn = try daemon.perform { (_) throws(Failure) in
      try wait(on: descriptor, milliseconds: daemon.pause())
    }
    return goesOn ?? true
  }

  mutating func take(_ message: Message) throws(Failure) {
    switch message {
    case .request(let id, let request): try handle(request, id)
    case .farewell(let refusal): throw Failure(refusal)
    case .reply, .event, .numbered, .unknown: break
    }
  }

  /// Waits until there is something to take, and reads what is typed. False as `turn` is.
  private mutating func wait(
    on descriptor: Int32, or other: Int32 = -1, milliseconds: Int32 = -1
  ) throws(Failure) -> Bool {
    let ready = Interrupts.wait(for: [input, descriptor, other], milliseconds: milliseconds)
    guard let ready else { return false }
    return ready[0] ? try read() : true
  }

  private mutating func handle(_ request: AgentRequest, _ id: JSON?) throws(Failure) {
    switch request {
    case .decide(let question):
      guard let id, pid == nil || pid == question.pid else { return }
      waiting.append((id, question))
      if waiting.count == 1 { try ask() }
    case .cancel(let number):
      guard let i = waiting.firstIndex(where: { $0.question.number == number }) else { return }
      waiting.remove(at: i)
      if i == 0 {
        try write(["", say("No answer is needed any more.")])
        try ask()
      }
    case .uses: break
    case .holding(let apps):
      guard pid == nil else { return }
      let names = apps.joined(separator: ", ")
      try write([
        "",
        apps.isEmpty
          ? say("No program stays in use any more.")
          : say("\(names): stays in use, though nobody may be looking."),
      ])
      try ask()
    case .identify(let pid, let socket):
      guard let id else { return }
      try send(ClientAnswer(id: id, result: ProgramSight.look(at: pid, socket: socket)))
    case .owner, .launch:
      // That wants the session's bus: what waits, waits for locationd-agent.
      if let id { try send(ClientAnswer(id: id, result: nil)) }
    }
  }

  private func send(_ answer: ClientAnswer) throws(Failure) { try daemon?.send(answer) }

  private func ask() throws(Failure) {
    guard let (_, question) = waiting.first else { return }
    try write(QuestionText(question, in: say).lines(isReduced: isReduced) + ["> "])
  }

  /// False at the end of what is typed.
  private mutating func read() throws(Failure) -> Bool {
    switch typed.read(from: input) {
    case .bytes, .wouldBlock: break
    case .ended, .failed: return false
    }
    while let line = typed.next() {
      guard case .text(let text) = line else { continue }
      let word = String(decoding: text, as: UTF8.self)
      try handle(String(word.filter { !$0.isWhitespace }.prefix(16)))
    }
    return true
  }

  private mutating func handle(_ word: String) throws(Failure) {
    guard let (id, question) = waiting.first else { return }
    let text = QuestionText(question, in: say)
    if word == "p", text.hasAccuracy {
      isReduced.toggle()
      return try ask()
    }
    guard let (_, label, choice) = text.choices.first(where: { $0.key == word }) else {
      try write([text.complaint(about: word)])
      return try ask()
    }
    waiting.removeFirst()
    let decision = AgentDecision(
      choice, isReduced && text.hasAccuracy ? .reduced : .full)
    let isVague = isReduced && text.hasAccuracy && choice != .deny
    isReduced = false
    try send(ClientAnswer(id: id, result: decision.json))
    try write([
      isVague ? say("Said of it: \(label), not precise.") : say("Said of it: \(label).")
    ])
    try ask()
  }
}

/// A question as a person reads it.
struct QuestionText {
  let question: AgentQuestion
  private let say: Speech

  init(_ question: AgentQuestion, in say: Speech = .english) {
    self.question = question
    self.say = say
  }

  /// Columns of a name and of a claim that are shown.
  private static let longest = 300

  typealias Choice = (key: String, label: String, choice: AgentDecision.Choice)

  var hasAccuracy: Bool { question.level != .fullAccuracy && !isSecond }

  private var isSecond: Bool { question.current == .authorizedWhenInUse }

  var choices: [Choice] {
    let once: Choice = ("o", say("once"), .allowOnce)
    let deny: Choice = ("d", say("don't allow"), .deny)
    switch question.level {
    case .whenInUse where question.isOnceOnly, .always where question.isOnceOnly, .fullAccuracy:
      return [once, deny]
    case .always where isSecond:
      return [
        ("w", say("keep while using"), .allowWhileUsing),
        ("a", say("change to always"), .allowAlways),
      ]
    case .whenInUse: return [once, ("w", say("while using"), .allowWhileUsing), deny]
    case .always:
      return [
        once, ("w", say("while using"), .allowWhileUsing), ("a", say("always"), .allowAlways), deny,
      ]
    }
  }

  func lines(isReduced: Bool) -> [String] {
    // One that is not running has no number.
    let process = question.pid > 0 ? " (pid \(question.pid))" : ""
    var lines = ["", question.app.plain(atMost: Self.longest) + process]
    switch question.level {
    case .fullAccuracy:
      lines.append(say("wants to know exactly where this machine is, for now."))
    case .always where isSecond:
      lines.append(say("wants to know where this machine is even while you do not use it."))
    case .always, .whenInUse: lines.append(say("wants to know where this machine is."))
    }
    if let name = question.name, !name.isEmpty {
      lines.append(say("It calls itself \(name.quotation(atMost: Self.longest))."))
    }
    if let purpose = question.purpose, !purpose.isEmpty {
      lines.append(say("It says of itself: \(purpose.quotation(atMost: Self.longest))"))
    }
    if question.isOnceOnly {
      lines.append(say("It may run any program, so it can be allowed only once."))
    }
    if let warning = question.warning { lines.append(say(Phrase(stringLiteral: warning))) }
    var row = choices.map { "\($0.key) \($0.label)" }
    if hasAccuracy {
      row.append(isReduced ? say("p switches precise on") : say("p switches precise off"))
    }
    lines.append("  " + row.joined(separator: "   "))
    if hasAccuracy {
      let kilometres = AccuracyAuthorization.reducedKilometres
      lines.append(
        "  "
          + (isReduced
            ? say(
              "Not precise: it is told a place within \(kilometres) km, every quarter of an hour.")
            : say(
              """
              Precise: it is told the place as well as it is known. p tells it only within \
              \(kilometres) km.
              """)))
    }
    return lines
  }

  /// Why a word is no answer.
  func complaint(about word: String) -> String {
    let keys = (choices.map(\.key) + (hasAccuracy ? ["p"] : [])).joined(separator: ", ")
    return word.isEmpty
      ? say("Enter alone is no answer: type \(keys), and Enter.")
      : say("'\(word.plain(atMost: 16))' is no answer: type \(keys), and Enter.")
  }
}
