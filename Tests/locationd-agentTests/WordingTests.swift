import Console
import DBus
import LocationModel
import Testing

@testable import locationd_agent

private func question(
  _ app: String, _ level: AgentQuestion.Level = .whenInUse, now: Authorization = .notDetermined,
  pid: Int32 = 4711, purpose: String? = nil, isForAll: Bool = false
) -> Wording {
  Wording(
    AgentQuestion(
      number: 1, app: app, uid: 1000, pid: pid, level: level, current: now, purpose: purpose,
      isForAll: isForAll), in: .english)
}

@Suite("Wording of a question") struct WordingTests {
  @Test("each kind of permission is asked for in its own words")
  func titles() {
    #expect(question("app:org.gnome.Maps").title == "Let org.gnome.Maps know your location?")
    #expect(
      question("exe:/usr/bin/walk", .always, now: .authorizedWhenInUse).title
        == "Let /usr/bin/walk know your location even while you do not use it?")
    #expect(
      question("exe:/usr/bin/walk", .always).title == "Let /usr/bin/walk know your location?")
    #expect(
      question("app:org.gnome.Maps", .fullAccuracy, now: .authorizedWhenInUse).title
        == "Let org.gnome.Maps know exactly where you are, for now?")
  }

  @Test("a program that cannot be told from others is called a program of yours")
  func unknown() {
    #expect(question("user:alice").title == "Let a program of yours know your location?")
  }

  @Test("the app's reason is shown as its own claim, on one line, and never as ours")
  func claim() {
    #expect(question("app:a.b").claim.isEmpty)
    #expect(question("app:a.b", purpose: "").claim.isEmpty)
    let claim = question("app:a.b", purpose: "to \u{1B}[2Jshow\nthe weather\u{202E}").claim
    #expect(claim.hasPrefix("It says of itself: "))
    #expect(!claim.contains { $0.isNewline || $0 == "\u{1B}" || $0 == "\u{202E}" })
  }

  @Test("a name cannot draw on the dialog, or fill it")
  func hostileName() {
    let text = question("exe:/tmp/\u{1B}[31m\n" + String(repeating: "x", count: 5000))
    for line in [text.title, text.body] {
      #expect(line.count < 400)
      #expect(!line.contains { $0.isNewline || $0 == "\u{1B}" })
    }
  }

  @Test("of the command line it says what more is allowed, and once comes first and is proposed")
  func control() throws {
    let name = "exe:/usr/bin/locationctl"
    let words = "Allowed for longer, every program of yours can ask through locationctl."
    for level in [AgentQuestion.Level.whenInUse, .always] {
      let control = question(name, level, isForAll: true)
      #expect(control.body.contains(words))
      #expect(NotificationPrompt.actions(control).first?.key == "allowOnce")
      let first = try #require(choices(control).first)
      #expect(first[0] == .string("once") && first[3] == .string("true"))
      let other = question("exe:/usr/bin/walk", level)
      #expect(!other.body.contains("every program"))
      #expect(NotificationPrompt.actions(other).first?.key == "allowWhileUsing")
      let once = choices(other).first { $0[0] == .string("once") }
      #expect(once?[3] == .string("false"))
    }
    #expect(!question(name, .fullAccuracy, isForAll: true).body.contains("every program"))
  }

  private func choices(_ wording: Wording) -> [[BusValue]] {
    (PortalPrompt.options(wording)["choices"]?.asArray ?? []).compactMap {
      if case .structure(let parts) = $0 { parts } else { nil }
    }
  }

  @Test("the body names the app, its process if it runs, and how to change one's mind")
  func body() {
    #expect(question("app:a.b").body.hasPrefix("app:a.b (process 4711) asks."))
    #expect(question("app:a.b", pid: 0).body.hasPrefix("app:a.b asks."))
    #expect(question("app:a.b").body.hasSuffix("'locationctl apps', 'revoke' and 'reset'."))
  }

  @Test("the notice of those that are in use out of sight names each")
  func held() {
    let text = Wording.held(["app:a.b", "exe:/usr/bin/walk\n"], in: .english)
    #expect(text.hasPrefix("app:a.b, exe:/usr/bin/walk"))
    #expect(!text.contains("\n"))
  }
}

@Suite("What the agent starts") struct ActivationTests {
  @Test("only the app's own unit is started for it")
  func own() {
    #expect(Activation.unit("walk.service").isOf("userunit:walk"))
    #expect(!Activation.unit("other.service").isOf("userunit:walk"))
    #expect(Activation.unit("app-org.a.B@1.service").isOf("app:org.a.B"))
    #expect(!Activation.unit("dbus.service").isOf("app:org.a.B"))
    #expect(Activation.unit("snap.walk.main.service").isOf("snap:walk"))
    #expect(!Activation.unit("snap.other.main.service").isOf("snap:walk"))
    #expect(!Activation.unit("walk.service").isOf("exe:/usr/bin/walk"))
    #expect(!Activation.unit("walk.service").isOf("walk"))
  }
}
