import Console
import DBus
import LocationModel
import Platform

/// The access dialog of the desktop's portal backend. Of choices it is only given such as can be on or
/// off, since not every desktop shows others.
final class PortalPrompt: Prompt {
  private let bus: BusConnection
  private let backend: String
  private let handle: String
  /// Nil once it is closed.
  private var completion: ((Outcome) -> Void)?
  private var call: BusCall?
  private var closing: BusCall?
  private var retry: EventLoop.Timer?
  private var pause: Duration = .milliseconds(50)
  /// Itself, while the dialog is to go and has not gone.
  private var leaving: PortalPrompt?

  private static let path = "/org/freedesktop/portal/desktop"
  /// Longer than the daemon waits.
  private static let patience: Int32 = 300_000

  init(
    _ wording: Wording, by backend: String, on bus: BusConnection,
    completion: @escaping (Outcome) -> Void
  ) {
    self.bus = bus
    self.backend = backend
    self.completion = completion
    handle = "\(Self.path)/request/locationd/question\(wording.question.number)"
    call = bus.call(
      backend, Self.path, "org.freedesktop.impl.portal.Access", "AccessDialog",
      [
        .path(handle), .string(""), .string(""), .string(wording.title), .string(wording.claim),
        .string(wording.body), .dictionary(Self.options(wording)),
      ], patience: Self.patience
    ) { [unowned self] answer in
      // A dialog that could not be shown was closed by nobody.
      let values = try? answer.get()
      end(values.map { .answered(Self.decision($0, wording)) } ?? .unreachable)
    }
  }

  private func end(_ outcome: Outcome) {
    call = nil
    closing = nil
    retry = nil
    let completion = completion.take()
    // It may have been the last to hold this.
    leaving = nil
    completion?(outcome)
  }

  /// A backend may hear this before it has shown the dialog, and knows of none then: it is told again until
  /// the dialog has gone.
  func close() {
    guard call != nil, completion != nil else { return }
    completion = nil
    leaving = self
    sendClose()
  }

  private func sendClose() {
    closing = bus.call(backend, handle, "org.freedesktop.impl.portal.Request", "Close") {
      [unowned self] _ in
      closing = nil
      pause = min(pause * 2, Self.longestPause)
      retry = try? EventLoop.Timer(slack: .milliseconds(10), on: bus.loop) { [unowned self] in
        sendClose()
      }
      retry?.set(Clock.boottime + pause)
    }
  }

  private static let longestPause: Duration = .seconds(5)

  static func options(_ wording: Wording) -> [String: BusValue] {
    let say = wording.say
    var choices: [BusValue] = []
    if !wording.isSecond, !wording.isAboutAccuracy {
      let precise = say(
        "Precise location, else within \(AccuracyAuthorization.reducedKilometres) km")
      choices.append(choice("precise", precise, isOn: true))
      if !wording.isOnceOnly {
        let once = choice("once", say("Only this time"), isOn: wording.isOnceFirst)
        choices.insert(once, at: wording.isOnceFirst ? 0 : 1)
      }
      if !wording.isOnceOnly, wording.question.level == .always {
        choices.append(choice("always", say("Also while I do not use it"), isOn: false))
      }
    }
    let grant =
      wording.isSecond ? say("Always") : say(wording.isOnceOnly ? "Allow once" : "Allow")
    return [
      "modal": .bool(true), "icon": .string("mark-location-symbolic"),
      "grant_label": .string(grant),
      "deny_label": .string(
        say(wording.isSecond ? "Only while I use it" : "Don't allow")),
      "choices": .array(of: "(ssa(ss)s)", choices),
    ]
  }

  private static func choice(_ id: String, _ label: String, isOn: Bool) -> BusValue {
    .structure([
      .string(id), .string(label), .array(of: "(ss)", []), .string(isOn ? "true" : "false"),
    ])
  }

  /// Nil for a dialog that was closed without a word.
  static func decision(_ answer: [BusValue], _ wording: Wording) -> AgentDecision? {
    switch answer.first?.asUInt32 {
    case 0: break
    case 1: return AgentDecision(wording.isSecond ? .allowWhileUsing : .deny)
    default: return nil
    }
    if wording.isSecond { return AgentDecision(.allowAlways) }
    if wording.isAboutAccuracy { return AgentDecision(.allowOnce) }
    var chosen: [String: String] = [:]
    for case .structure(let pair) in answer.last?.asDictionary?["choices"]?.asArray ?? [] {
      guard pair.count == 2, let id = pair[0].asString, let value = pair[1].asString else {
        continue
      }
      chosen[id] = value
    }
    let choice: AgentDecision.Choice =
      wording.isOnceOnly || chosen["once"] == "true"
      ? .allowOnce : chosen["always"] == "true" ? .allowAlways : .allowWhileUsing
    return AgentDecision(choice, chosen["precise"] == "false" ? .reduced : .full)
  }
}
