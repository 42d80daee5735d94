import LocationModel
import ReceiverCore
import Testing

@testable import LocationCore

extension [Output] {
  /// Questions put to agents, and to whom.
  var asked: [(agent: UInt64, question: AgentQuestion)] {
    compactMap {
      guard case .ask(let agent, .decide(let question), let call) = $0,
        call == .question(question.number)
      else { return nil }
      return (agent.number, question)
    }
  }

  var cancelled: [Int64] {
    compactMap { if case .notify(_, .cancel(let number)) = $0 { number } else { nil } }
  }

  var notes: [String] { compactMap { if case .note(let text, _) = $0 { text } else { nil } } }

  /// The answers to `requestAuthorization`, by client.
  var authorizations: [UInt64: Authorization] {
    var answers: [UInt64: Authorization] = [:]
    for case .answer(let client, _, .authorization(let authorization)) in self {
      answers[client.number] = authorization
    }
    return answers
  }
}

@Suite("Asking") struct QuestionTests {
  private static let agent = ClientID(8)

  /// An app of user 1000, and an agent that answers for that user.
  private func harness(agent: Bool = true, use: UseRule = .connected) -> ServiceHarness {
    var harness = ServiceHarness(use: use)
    harness.handle(.present([1000]))
    if agent { #expect(register(Self.agent, uid: 1000, on: &harness).replies == [.done]) }
    harness.connectApp()
    return harness
  }

  @discardableResult
  private func register(
    _ client: ClientID, uid: UInt32, hasTerminal: Bool = true, on harness: inout ServiceHarness
  ) -> [Output] {
    var caller = Caller(uid: uid, pid: 9, app: "exe:/usr/bin/locationctl")
    caller.hasTerminal = hasTerminal
    caller.isInUserSlice = true
    harness.handle(.connected(client, caller))
    return harness.call(.agentRegister, from: client)
  }

  private func ask(
    _ level: Authorization = .authorizedWhenInUse, _ client: ClientID = ServiceHarness.app,
    on harness: inout ServiceHarness
  ) -> [Output] {
    harness.call(.requestAuthorization(level), from: client)
  }

  /// The outputs of an answer, once it is written.
  private func answer(
    _ number: Int64, _ decision: AgentDecision, from agent: ClientID = QuestionTests.agent,
    on harness: inout ServiceHarness
  ) -> [Output] {
    let outputs = harness.handle(
      .answered(agent, .question(number), decision.json))
    return outputs + harness.write(outputs)
  }

  @Test("While Using, Once and Don't Allow, as the person says")
  func decisions() throws {
    for (choice, authorization) in [
      (AgentDecision.Choice.allowWhileUsing, Authorization.authorizedWhenInUse),
      (.allowOnce, .authorizedWhenInUse), (.deny, .denied),
      // Never more than was asked for.
      (.allowAlways, .authorizedWhenInUse),
    ] {
      var harness = harness()
      harness.call(.hello(.init(name: "x", purpose: "to find you")), from: ServiceHarness.app)
      let question = try #require(ask(on: &harness).asked.first)
      #expect(question.agent == Self.agent.number)
      #expect(question.question.app == "user:1000")
      #expect(question.question.purpose == "to find you")
      #expect(question.question.level == .whenInUse)
      let outputs = answer(question.question.number, AgentDecision(choice), on: &harness)
      #expect(outputs.authorizations == [5: authorization])
      #expect(outputs.news == [5: authorization])
      #expect(outputs.notes.count == 1)
      // Nothing is left on the disk of what it may have been about.
      let isErased = outputs.contains {
        guard case .commit(let changes, _) = $0 else { return false }
        return changes.contains { if case .erase = $0 { true } else { false } }
      }
      #expect(isErased == (choice == .deny))
      #expect(harness.fix().tellsPlace(to: ServiceHarness.app) == (choice != .deny))
      // It is determined: nobody is asked again.
      #expect(ask(on: &harness).authorizations == [5: authorization])
    }
  }

  @Test("nothing is granted before the answer is written, and nothing if it cannot be")
  func written() throws {
    var harness = harness()
    let number = try #require(ask(on: &harness).asked.first?.question.number)
    let decision = AgentDecision(.allowWhileUsing).json
    let outputs = harness.handle(
      .answered(Self.agent, .question(number), decision))
    #expect(outputs.authorizations.isEmpty)
    #expect(!harness.fix().tellsPlace(to: ServiceHarness.app))
    let failed = outputs.commits.flatMap { harness.handle(.commitFailed($0, "no room")) }
    #expect(failed.refusals.first?.message.contains("no room") == true)
    #expect(!harness.fix(north: 10).tellsPlace(to: ServiceHarness.app))
  }

  @Test("Precise off is reduced accuracy")
  func reduced() throws {
    var harness = harness()
    let number = try #require(ask(on: &harness).asked.first?.question.number)
    _ = answer(number, AgentDecision(.allowWhileUsing, .reduced), on: &harness)
    #expect(harness.service.clientStatus(ServiceHarness.app).accuracy == .reduced)
  }

  @Test("with no agent the app is told at once what an administrator could run")
  func noAgent() {
    var harness = harness(agent: false)
    let refusal = ask(on: &harness).refusals.first
    #expect(refusal?.code == .denied)
    #expect(
      refusal?.message.hasSuffix("sudo locationctl grant user:1000 when-in-use --uid 1000") == true)
  }

  @Test("closed, nonsense or no answer in time is no consent and not remembered")
  func unanswered() throws {
    for kind in 0..<4 {
      var harness = harness()
      let number = try #require(ask(on: &harness).asked.first?.question.number)
      let outputs: [Output]
      switch kind {
      case 0:
        outputs = harness.handle(.answered(Self.agent, .question(number), nil))
      case 1:
        outputs = harness.handle(
          .answered(Self.agent, .question(number), ["decision": "yes"]))
      case 2: outputs = harness.handle(.gone(Self.agent))
      default:
        harness.now += 121
        outputs = harness.handle(.timer)
        #expect(outputs.cancelled == [number])
      }
      #expect(outputs.refusals.map(\.code) == [.denied], "\(kind)")
      #expect(outputs.commits.isEmpty)
      #expect(harness.service.clientStatus(ServiceHarness.app).authorization == .notDetermined)
      // An answer that comes too late is none.
      let late = answer(number, AgentDecision(.allowWhileUsing), on: &harness)
      #expect(late.commits.isEmpty)
    }
  }

  @Test("who answers what they were not asked is not heard")
  func liars() throws {
    var harness = harness()
    let number = try #require(ask(on: &harness).asked.first?.question.number)
    register(ClientID(9), uid: 1001, on: &harness)
    #expect(answer(number, AgentDecision(.allowAlways), from: ClientID(9), on: &harness).isEmpty)
    #expect(
      answer(number, AgentDecision(.allowAlways), from: ServiceHarness.app, on: &harness).isEmpty)
    #expect(answer(number + 1, AgentDecision(.allowAlways), on: &harness).isEmpty)
    #expect(answer(number, AgentDecision(.deny), on: &harness).authorizations == [5: .denied])
  }

  @Test("a user has one agent: the first, until it goes; and not just any program")
  func oneAgent() throws {
    var harness = harness()
    #expect(register(ClientID(9), uid: 1000, on: &harness).refusals.map(\.code) == [.denied])
    #expect(register(Self.agent, uid: 1000, on: &harness).replies == [.done])
    #expect(
      register(ClientID(10), uid: 1002, hasTerminal: false, on: &harness).refusals.map(\.code)
        == [.denied])
    var sandboxed = Caller(uid: 1002, pid: 9, app: "flatpak:org.x")
    sandboxed.hasTerminal = true
    sandboxed.isInUserSlice = true
    sandboxed.confinement = .sandbox
    harness.handle(.connected(ClientID(11), sandboxed))
    #expect(harness.call(.agentRegister, from: ClientID(11)).refusals.map(\.code) == [.denied])
    harness.handle(.gone(Self.agent))
    #expect(harness.call(.agentRegister, from: ClientID(9)).replies == [.done])
    #expect(ask(on: &harness).asked.first?.agent == 9)
  }

  @Test("questions of one app join, and all who asked are answered")
  func join() throws {
    var harness = harness()
    harness.connectApp(ClientID(6))
    let number = try #require(ask(on: &harness).asked.first?.question.number)
    #expect(ask(.authorizedWhenInUse, ClientID(6), on: &harness).asked.isEmpty)
    let outputs = answer(number, AgentDecision(.allowWhileUsing), on: &harness)
    #expect(outputs.authorizations == [5: .authorizedWhenInUse, 6: .authorizedWhenInUse])
    #expect(outputs.commits.count == 1)
  }

  @Test("an app that asks 10,000 times has one question, and is soon told to stop")
  func flood() throws {
    var harness = harness()
    var asked = 0
    var refused = 0
    for _ in 0..<10_000 {
      let outputs = ask(on: &harness)
      asked += outputs.asked.count
      refused += outputs.refusals.count
    }
    #expect(asked == 1)
    #expect(refused == 10_000 - 64)
  }

  @Test("an app whose question is closed again and again is asked about ever more rarely")
  func rests() throws {
    var harness = harness()
    var asked = 0
    for _ in 0..<10_000 {
      harness.now += 1
      for (_, question) in ask(on: &harness).asked {
        asked += 1
        harness.handle(.answered(Self.agent, .question(question.number), nil))
      }
    }
    #expect(asked < 14, "\(asked)")
    #expect(asked > 5)
  }

  @Test("one user's apps have a bounded number of questions, and do not take another's")
  func bounded() {
    var harness = harness()
    register(ClientID(9), uid: 1001, on: &harness)
    var asked = 0
    for i in 0..<50 {
      let id = ClientID(UInt64(100 + i))
      harness.handle(.connected(id, Caller(uid: 1000, pid: 10, app: "flatpak:org.a\(i)")))
      asked += ask(.authorizedWhenInUse, id, on: &harness).asked.count
    }
    #expect(asked == 8)
    harness.handle(.connected(ClientID(200), Caller(uid: 1001, pid: 10, app: "flatpak:org.a")))
    #expect(ask(.authorizedWhenInUse, ClientID(200), on: &harness).asked.count == 1)
  }

  @Test("a start waits silently until somebody decides, and goes on then by itself")
  func startedUndecided() throws {
    var harness = harness()
    let started = harness.call(.startUpdatingLocation(.init()), from: ServiceHarness.app)
    #expect(started.replies == [.done])
    #expect(started.failures.isEmpty)
    #expect(harness.fix().failures.isEmpty)
    let number = try #require(ask(on: &harness).asked.first?.question.number)
    #expect(harness.fix(north: 30).told.isEmpty)
    let answered = answer(number, AgentDecision(.allowWhileUsing), on: &harness)
    #expect(answered.failures.isEmpty)
    #expect(harness.fix(north: 60).told == [0])
  }

  @Test("a program that asks and goes, again and again, is put off")
  func askedAgain() throws {
    var harness = harness()
    _ = ask(on: &harness)
    harness.handle(.gone(ServiceHarness.app))
    harness.connectApp()
    #expect(ask(on: &harness).refusals.count == 1)
    harness.now += 2.1
    #expect(ask(on: &harness).asked.count == 1)
    harness.handle(.gone(ServiceHarness.app))
    harness.connectApp()
    harness.now += 2.1
    #expect(ask(on: &harness).refusals.count == 1)
    harness.now += 2
    #expect(ask(on: &harness).asked.count == 1)
  }

  @Test("an interpreter that may run any program is allowed once, whatever is answered")
  func shared() throws {
    for choice in [AgentDecision.Choice.allowAlways, .allowWhileUsing, .allowOnce] {
      var harness = harness()
      harness.handle(.gone(ServiceHarness.app))
      var caller = Caller(uid: 1000, pid: 7, app: "user:1000")
      caller.apply(ProgramClue(exe: "/usr/bin/python3.11", isShared: true))
      harness.handle(.connected(ServiceHarness.app, caller))
      let question = try #require(ask(.authorizedAlways, on: &harness).asked.first?.question)
      #expect(question.app == "exe:/usr/bin/python3.11")
      #expect(question.isOnceOnly)
      let outputs = answer(question.number, AgentDecision(choice), on: &harness)
      #expect(outputs.authorizations == [5: .authorizedWhenInUse])
      harness.handle(.gone(ServiceHarness.app))
      harness.handle(.connected(ServiceHarness.app, caller))
      #expect(ask(on: &harness).asked.count == 1)
    }
  }

  @Test(
    "our own command line asks on its terminal about itself; no other program, or process, does")
  func control() throws {
    let control = "exe:/usr/bin/locationctl"
    func isAsked(_ app: String, pid: Int32, asking: String, hasTerminal: Bool = true) -> Bool {
      var harness = harness(agent: false)
      harness.handle(.gone(ServiceHarness.app))
      var settings = harness.service.settings
      settings.controlApp = control
      harness.service = LocationService(settings, at: ServiceHarness.instant(100))
      var agent = Caller(uid: 1000, pid: 7, app: asking)
      agent.hasTerminal = hasTerminal
      agent.isInUserSlice = true
      harness.handle(.connected(Self.agent, agent))
      harness.call(.agentRegister, from: Self.agent)
      var caller = Caller(uid: 1000, pid: pid, app: app)
      // Its child, or itself.
      caller.lineage?.append(ProcessID(pid: 7, startTime: 0))
      harness.handle(.connected(ServiceHarness.app, caller))
      return ask(on: &harness).asked.count == 1
    }
    #expect(isAsked(control, pid: 7, asking: control))
    #expect(!isAsked(control, pid: 8, asking: control))
    #expect(!isAsked(control, pid: 7, asking: "exe:/usr/bin/evil"))
    #expect(!isAsked("exe:/usr/bin/evil", pid: 7, asking: "exe:/usr/bin/evil"))
    #expect(!isAsked("user:1000", pid: 7, asking: "user:1000"))
    #expect(!isAsked(control, pid: 7, asking: control, hasTerminal: false))
  }

  @Test("a question about our own command line says that each program can ask through it")
  func forAll() throws {
    for (app, isForAll) in [("exe:/usr/bin/locationctl", true), ("exe:/usr/bin/walk", false)] {
      var harness = harness()
      var settings = harness.service.settings
      settings.controlApp = "exe:/usr/bin/locationctl"
      harness.service = LocationService(settings, at: ServiceHarness.instant(100))
      register(Self.agent, uid: 1000, on: &harness)
      harness.handle(.connected(ServiceHarness.app, Caller(uid: 1000, pid: 7, app: app)))
      #expect(try #require(ask(on: &harness).asked.first?.question).isForAll == isForAll)
    }
  }

  @Test("a question shows what the app calls itself, as its claim")
  func named() throws {
    var harness = harness()
    harness.call(.hello(.init(name: "watch.py")), from: ServiceHarness.app)
    #expect(ask(on: &harness).asked.first?.question.name == "watch.py")
  }

  @Test("when the app goes, or an administrator decides, the question is taken back")
  func cancelled() throws {
    var harness = harness()
    let number = try #require(ask(on: &harness).asked.first?.question.number)
    let granted = harness.grant(.authorizedAlways)
    #expect(granted.cancelled == [number])
    #expect(granted.authorizations == [5: .authorizedAlways])
    var other = self.harness()
    let second = try #require(ask(on: &other).asked.first?.question.number)
    #expect(other.handle(.gone(ServiceHarness.app)).cancelled == [second])
  }

  @Test("an app out of use asks nobody")
  func outOfUse() {
    var harness = harness(use: .logind)
    harness.handle(.present([]))
    let outputs = ask(on: &harness)
    #expect(outputs.asked.isEmpty)
    #expect(outputs.refusals.map(\.code) == [.denied])
  }

  @Test("where nothing can be remembered nobody is asked")
  func noMemory() {
    var remembered = StoreSnapshot()
    remembered.trouble = "it is broken"
    var harness = ServiceHarness(.init(), remembered)
    register(Self.agent, uid: 1000, on: &harness)
    harness.connectApp()
    let looked = ask(on: &harness)
    let outputs = looked.commits.flatMap { harness.handle(.commitFailed($0, "it is broken")) }
    #expect(looked.asked.isEmpty && outputs.asked.isEmpty)
    #expect(outputs.refusals.first?.message.contains("it is broken") == true)
  }

  @Test("one that waits for an answer is not hung up on")
  func halfClosed() throws {
    var harness = harness()
    let number = try #require(ask(on: &harness).asked.first?.question.number)
    harness.call(.stopUpdatingLocation, from: ServiceHarness.app)
    #expect(harness.handle(.finished(ServiceHarness.app)).hangUps == 0)
    #expect(answer(number, AgentDecision(.deny), on: &harness).hangUps > 0)
  }
}
