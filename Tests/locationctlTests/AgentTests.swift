import Console
import Glibc
import LocationModel
import Testing

@testable import locationctl

private func question(
  _ level: AgentQuestion.Level = .whenInUse, number: Int64 = 1, app: String = "app:maps",
  pid: Int32 = 7, _ change: (inout AgentQuestion) -> Void = { _ in }
) -> AgentQuestion {
  var question = AgentQuestion(
    number: number, app: app, uid: 1000, pid: pid, level: level, current: .notDetermined,
    purpose: nil)
  change(&question)
  return question
}

@Suite("A question in a terminal") struct QuestionTextTests {
  @Test("the choices are those that the question leaves")
  func choices() {
    let questions: [(AgentQuestion, String)] = [
      (question(), "owd"), (question(.always), "owad"), (question(.fullAccuracy), "od"),
      (question { $0.isOnceOnly = true }, "od"),
      (question(.always) { $0.isOnceOnly = true }, "od"),
      (question(.always) { $0.current = .authorizedWhenInUse }, "wa"),
    ]
    for (question, keys) in questions {
      #expect(QuestionText(question).choices.map(\.key).joined() == keys, "\(question)")
    }
  }

  @Test("it names the app, what the app says as its own words, and the choices, in lines of ours")
  func lines() {
    let lines = QuestionText(
      question {
        $0.name = "Maps\n\u{1B}[2J"
        $0.purpose = "to show \"you\"\nAllowed."
      }
    ).lines(isReduced: false)
    #expect(lines.count == 7)
    #expect(lines[1] == "app:maps (pid 7)")
    #expect(lines[2] == "wants to know where this machine is.")
    #expect(lines[3].hasPrefix("It calls itself") && lines[4].hasPrefix("It says of itself:"))
    #expect(lines[5] == "  o once   w while using   d don't allow   p switches precise off")
    #expect(lines.allSatisfy { $0.unicodeScalars.allSatisfy { $0.isPlain } })
  }

  @Test("one about a program that does not run has no number; a second one no accuracy")
  func second() {
    let text = QuestionText(
      question(.always, pid: 0) { $0.current = .authorizedWhenInUse })
    #expect(!text.hasAccuracy)
    #expect(
      text.lines(isReduced: false) == [
        "", "app:maps", "wants to know where this machine is even while you do not use it.",
        "  w keep while using   a change to always",
      ])
  }

  @Test("a word that is no answer is said back, as far as it is no flood, with those that are")
  func complaint() {
    let text = QuestionText(question(.fullAccuracy))
    #expect(text.complaint(about: "") == "Enter alone is no answer: type o, d, and Enter.")
    #expect(text.complaint(about: "yes") == "'yes' is no answer: type o, d, and Enter.")
    #expect(QuestionText(question()).complaint(about: "y").contains("o, w, d, p, and Enter"))
  }

  @Test(
    "no sentence of it is English in a language that the table has, and its letters stay",
    arguments: ["de", "es", "fr", "ja", "ko"])
  func languages(language: String) {
    let questions = [
      question(.always) { ($0.name, $0.purpose, $0.isForAll) = ("Maps", "to show you", true) },
      question(.fullAccuracy), question { $0.isOnceOnly = true },
      question(.always) { $0.current = .authorizedWhenInUse },
    ]
    for question in questions {
      let (own, english) = (QuestionText(question, in: Speech(language)), QuestionText(question))
      for isReduced in [false, true] {
        let lines = zip(own.lines(isReduced: isReduced), english.lines(isReduced: isReduced))
        for (line, sentence) in lines.dropFirst(2) { #expect(line != sentence) }
      }
      for (choice, plain) in zip(own.choices, english.choices) {
        #expect(choice.key == plain.key && choice.choice == plain.choice)
        #expect(choice.label != plain.label)
      }
      #expect(own.complaint(about: "") != english.complaint(about: ""))
      #expect(own.complaint(about: "yes").contains("'yes'"))
    }
  }
}

/// Without a daemon: its questions are handed over, and what is typed comes from a pipe.
@Suite("An agent in a terminal") struct TerminalAgentTests {
  private final class Said {
    var lines: [String] = []
    func take() -> [String] {
      defer { lines = [] }
      return lines
    }
  }

  private final class Keyboard {
    var ends: [Int32] = [-1, -1]
    init() throws { try #require(pipe(&ends) == 0) }
    deinit { for end in ends { close(end) } }
  }

  private let said = Said()
  private let keyboard: Keyboard

  init() throws { keyboard = try Keyboard() }

  private func agent(about pid: Int32? = nil) -> TerminalAgent {
    TerminalAgent(about: pid, reading: keyboard.ends[0]) { [said] in said.lines += $0 }
  }

  private func type(_ word: String, to agent: inout TerminalAgent) throws {
    let line = Array("\(word)\n".utf8)
    try #require(write(keyboard.ends[1], line, line.count) == line.count)
    let goesOn = try agent.turn(or: -1)
    #expect(goesOn)
  }

  private func ask(_ question: AgentQuestion, _ agent: inout TerminalAgent) throws {
    try agent.take(.request(id: .integer(question.number), .decide(question)))
  }

  @Test("questions are asked one after the other, each until it has an answer")
  func inTurn() throws {
    var agent = agent()
    try ask(question(), &agent)
    try ask(question(number: 2, app: "app:weather"), &agent)
    let first = said.take()
    #expect(first.contains("app:maps (pid 7)") && first.last == "> ")
    #expect(!first.contains("app:weather (pid 7)"))
    try type("yes", to: &agent)
    let again = said.take()
    #expect(again.first?.contains("'yes' is no answer") == true)
    #expect(again.contains("app:maps (pid 7)"))
    try type("w", to: &agent)
    let second = said.take()
    #expect(second.first == "Said of it: while using." && second.contains("app:weather (pid 7)"))
    try type("d", to: &agent)
    #expect(said.take() == ["Said of it: don't allow."])
    try type("d", to: &agent)
    #expect(said.take().isEmpty)
  }

  @Test("the question and what is said of it are in the person's language")
  func language() throws {
    var agent = TerminalAgent(reading: keyboard.ends[0], in: Speech("de_AT")) { [said] in
      said.lines += $0
    }
    try ask(question(), &agent)
    #expect(said.take()[2] == "möchte wissen, wo dieser Rechner ist.")
    try type("p", to: &agent)
    #expect(said.take().contains { $0.contains("auf 3 km") })
    try type("w", to: &agent)
    #expect(said.take() == ["Darüber gesagt: beim Benutzen, nicht genau."])
  }

  @Test("p takes the precision away and gives it back, for this question alone")
  func precision() throws {
    var agent = agent()
    try ask(question(), &agent)
    try type("p", to: &agent)
    #expect(said.take().contains { $0.hasSuffix("p switches precise on") })
    try ask(question(number: 2), &agent)
    try type("o", to: &agent)
    let lines = said.take()
    #expect(lines.first == "Said of it: once, not precise.")
    #expect(lines.contains { $0.hasSuffix("p switches precise off") })
  }

  @Test("a question that is taken back gives way to the next; one that waits is not asked at all")
  func takenBack() throws {
    var agent = agent()
    for number in 1...3 as ClosedRange<Int64> {
      try ask(question(number: number, app: "app:\(number)"), &agent)
    }
    _ = said.take()
    try agent.take(.request(id: nil, .cancel(question: 2)))
    #expect(said.take().isEmpty)
    try agent.take(.request(id: nil, .cancel(question: 1)))
    let lines = said.take()
    #expect(lines.contains("No answer is needed any more.") && lines.contains("app:3 (pid 7)"))
    // A daemon that goes takes its questions with it.
    agent.end()
    try type("d", to: &agent)
    #expect(said.take().isEmpty)
  }

  @Test("one that asks for its own process alone leaves others' questions to others")
  func ownProcess() throws {
    var agent = agent(about: 9)
    try ask(question(), &agent)
    try agent.take(.request(id: nil, .holding(apps: ["app:maps"])))
    #expect(said.take().isEmpty)
    try ask(question(pid: 9), &agent)
    #expect(said.take().contains("app:maps (pid 9)"))
  }

  @Test("the apps that stay in use are named, and that none does")
  func holding() throws {
    var agent = agent()
    for apps in [["app:maps", "app:run"], []] {
      try agent.take(.request(id: nil, .holding(apps: apps)))
    }
    #expect(
      said.take() == [
        "", "app:maps, app:run: stays in use, though nobody may be looking.", "",
        "No program stays in use any more.",
      ])
  }
}
