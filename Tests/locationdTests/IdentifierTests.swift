import Foundation
import Glibc
import LocationCore
import LocationModel
import TestSupport
import Testing

@testable import Platform
@testable import locationd

@Suite("Identifier") final class IdentifierTests {
  let loop: EventLoop
  /// Somebody without a name of their own.
  private let nameless = ProcessFacts(
    uid: getuid(), pid: getpid(), label: nil,
    seen: .init(
      cgroup: [], command: "x", hasOwnUsers: false, hasOwnProcesses: false, hasTerminal: false,
      lineage: nil))
  private let first = ClientID(9)
  private var answers: [(ProgramClue?) -> Void] = []
  private var told: [Caller] = []

  init() throws { loop = try EventLoop() }

  private func identifier(patience: Duration = .seconds(60)) throws -> Identifier {
    let identifier = try Identifier(patience: patience, on: loop)
    identifier.agents = { [unowned self] caller, answer in
      #expect(caller.uid == getuid())
      #expect(caller.pid == getpid())
      answers.append(answer)
      return .asked(first)
    }
    return identifier
  }

  private func identify(_ facts: ProcessFacts, by identifier: Identifier) {
    identifier.identify(facts, .of(getpid(), uid: getuid())) { [unowned self] in told.append($0) }
  }

  private func wait(until isSo: () -> Bool) throws {
    let deadline = Clock.boottime + .seconds(patience)
    while !isSo() {
      try #require(Clock.boottime < deadline)
      try loop.turn(within: .milliseconds(10))
    }
  }

  @Test("without an agent it is told at once")
  func noAgent() throws {
    let identifier = try Identifier(on: loop)
    identify(nameless, by: identifier)
    #expect(told.map(\.kind) == [.user])
    identifier.agents = { _, _ in .absent }
    identify(nameless, by: identifier)
    #expect(told.count == 2)
  }

  @Test("an agent's answer is awaited, and names the program once")
  func agent() throws {
    let identifier = try identifier()
    identify(nameless, by: identifier)
    #expect(told.isEmpty)
    answers[0](ProgramClue(exe: "/usr/bin/maps"))
    answers[0](ProgramClue(exe: "/usr/bin/other"))
    #expect(told.map(\.app) == ["exe:/usr/bin/maps"])
    #expect(told.map(\.lookedAtBy) == [first])
  }

  @Test("an agent that was there before is waited for, and asked when it comes")
  func awaited() throws {
    let identifier = try identifier()
    let ask = identifier.agents
    let until = Clock.boottime + .seconds(60)
    identifier.agents = { _, _ in .awaited(until: until) }
    for _ in 0..<3 { identify(nameless, by: identifier) }
    #expect(told.isEmpty && answers.isEmpty)
    identifier.agentCame(getuid() + 1)
    #expect(answers.isEmpty)
    identifier.agents = ask
    identifier.agentCame(getuid())
    #expect(answers.count == 3)
    for answer in answers { answer(ProgramClue(exe: "/usr/bin/maps")) }
    #expect(told.map(\.app) == Array(repeating: "exe:/usr/bin/maps", count: 3))
  }

  @Test("an agent that comes back early has the rest of the wait for its answer")
  func awaitedLongest() throws {
    let identifier = try identifier(patience: .zero)
    let ask = identifier.agents
    let until = Clock.boottime + .seconds(60)
    identifier.agents = { _, _ in .awaited(until: until) }
    identify(nameless, by: identifier)
    identifier.agents = ask
    identifier.agentCame(getuid())
    try loop.turn(within: .milliseconds(300))
    #expect(told.isEmpty)
    answers[0](ProgramClue(exe: "/usr/bin/maps"))
    #expect(told.map(\.app) == ["exe:/usr/bin/maps"])
  }

  @Test("an agent that was there before and does not come back in time is given up")
  func awaitedInVain() throws {
    let identifier = try identifier()
    let until = Clock.boottime + .milliseconds(100)
    identifier.agents = { _, _ in Clock.boottime < until ? .awaited(until: until) : .absent }
    identify(nameless, by: identifier)
    #expect(told.isEmpty || Clock.boottime >= until)
    try wait { told.count == 1 }
    #expect(told.map(\.kind) == [.user])
    #expect(told.map(\.lookedAtBy) == [nil])
    #expect(Clock.boottime >= until)
  }

  @Test("an agent that goes leaves its questions to the next one, and is not heard any more")
  func goes() throws {
    let identifier = try identifier()
    identify(nameless, by: identifier)
    identifier.gone(first)
    #expect(answers.count == 2)
    answers[0](ProgramClue(exe: "/usr/bin/other"))
    #expect(told.isEmpty)
    answers[1](ProgramClue(exe: "/usr/bin/maps"))
    #expect(told.map(\.app) == ["exe:/usr/bin/maps"])
  }

  @Test("a program is looked at once more as long as it is the process that connected")
  func lookAgain() throws {
    let identifier = try identifier()
    let handle = ProcessHandle.of(getpid(), uid: getuid())
    var caller = Caller(uid: getuid(), pid: getpid(), app: "user:x")
    caller.lineage = handle?.look()?.lineage?.map {
      ProcessID(pid: $0.pid, startTime: $0.startTime)
    }
    var clues: [ProgramClue?] = []
    identifier.lookAgain(caller) { clues.append($0) }
    try #require(answers.count == 1)
    answers[0](ProgramClue(exe: "/usr/bin/maps"))
    #expect(clues == [ProgramClue(exe: "/usr/bin/maps")])
    // Somebody who has its number by now.
    caller.lineage?[0].startTime += 1
    identifier.lookAgain(caller) { clues.append($0) }
    #expect(clues == [ProgramClue(exe: "/usr/bin/maps"), nil])
    #expect(answers.count == 1)
  }

  @Test("an agent is not asked about whom the kernel names, nor about whom nobody can see")
  func notAsked() throws {
    let identifier = try identifier()
    var named = nameless
    named.seen?.cgroup = Array("0::/system.slice/weather.service".utf8)
    identify(named, by: identifier)
    var gone = nameless
    gone.seen = nil
    identify(gone, by: identifier)
    #expect(answers.isEmpty)
    #expect(told.map(\.app).first == "unit:weather.service")
    #expect(told.map(\.confinement) == [.none, .unknown])
  }

  @Test("of a process that has gone before the answer, the answer is another's")
  func goneMeanwhile() throws {
    let identifier = try identifier()
    let program = Process()
    program.executableURL = URL(filePath: "/bin/sleep")
    program.arguments = ["60"]
    try program.run()
    let pid = program.processIdentifier
    var facts = nameless
    facts.pid = pid
    identifier.agents = { [unowned self] _, answer in
      answers.append(answer)
      return .asked(first)
    }
    identifier.identify(facts, .of(pid, uid: getuid())) { [unowned self] in told.append($0) }
    kill(pid, SIGKILL)
    program.waitUntilExit()
    answers[0](ProgramClue(exe: "/usr/bin/maps"))
    #expect(told.map(\.kind) == [.user])
  }

  @Test("an agent that hangs is given up, and does not keep others waiting for ever")
  func hangs() throws {
    let identifier = try identifier(patience: .milliseconds(20))
    for _ in 0..<3 { identify(nameless, by: identifier) }
    #expect(told.isEmpty)
    try wait { told.count == 3 }
    #expect(told.allSatisfy { $0.kind == .user })
    answers[0](ProgramClue(exe: "/usr/bin/maps"))
    #expect(told.count == 3)
  }

  @Test("an agent is asked about few at a time, and more than may wait do not")
  func bounded() throws {
    let identifier = try identifier()
    for _ in 0..<(Identifier.mostPerUser + 3) { identify(nameless, by: identifier) }
    #expect(answers.count == Identifier.mostAskedPerUser)
    #expect(told.count == 3)
    for number in 0..<Identifier.mostPerUser {
      answers[number](nil)
      #expect(answers.count - number <= Identifier.mostAskedPerUser + 1)
    }
    #expect(told.count == Identifier.mostPerUser + 3)
  }
}
