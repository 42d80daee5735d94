import Console
import DBus
import LocationModel
import Platform

/// A notification with a button for each answer, where there is no dialog. One that is closed, or whose
/// server draws no buttons, is no answer.
final class NotificationPrompt: Prompt {
  private let bus: BusConnection
  /// Nil once it is closed.
  private var completion: ((Outcome) -> Void)?
  private var call: BusCall?
  private var signals: BusSubscription?
  /// It is sent; its number comes later.
  private var isShown = false
  private var number: UInt32?
  /// Itself, where it is closed before its number is known.
  private var leaving: NotificationPrompt?

  private static let name = "org.freedesktop.Notifications"
  private static let path = "/org/freedesktop/Notifications"

  init(_ wording: Wording, on bus: BusConnection, completion: @escaping (Outcome) -> Void) {
    self.bus = bus
    self.completion = completion
    signals = try? bus.listen(to: Self.name, .init(interface: Self.name)) { [unowned self] in
      switch $0 {
      case .signal(let signal): handle(signal)
      case .owner(nil): if number != nil { end(.unreachable) }
      case .owner: break
      }
    }
    call = bus.call(Self.name, Self.path, Self.name, "GetCapabilities") { [unowned self] in
      let values = (try? $0.get())?.first?.asArray ?? []
      guard values.contains(.string("actions")) else { return end(.unreachable) }
      notify(wording)
    }
  }

  private func notify(_ wording: Wording) {
    var text = wording.body
    if !wording.claim.isEmpty { text = wording.claim + "\n" + text }
    let hints: [String: BusValue] = [
      "urgency": .byte(2), "resident": .bool(true), "category": .string("device"),
    ]
    isShown = true
    call = bus.call(
      Self.name, Self.path, Self.name, "Notify",
      [
        .string("locationd"), .uint32(0), .string("mark-location-symbolic"),
        .string(wording.title), .string(text.markup),
        .strings(Self.actions(wording).flatMap { [$0.key, $0.label] }), .dictionary(hints),
        .int32(0),
      ]
    ) { [unowned self] answer in
      call = nil
      number = (try? answer.get())?.first?.asUInt32
      if completion == nil { return takeAway() }
      if number == nil { end(.unreachable) }
    }
  }

  static func actions(_ wording: Wording) -> [(key: String, label: String)] {
    let say = wording.say
    let deny = ("deny", say("Don't allow"))
    if wording.isSecond {
      return [("allowAlways", say("Always")), ("allowWhileUsing", say("Only while I use it"))]
    }
    if wording.isAboutAccuracy { return [("allowOnce", say("Allow")), deny] }
    if wording.isOnceOnly { return [("allowOnce", say("Once")), deny] }
    var longer = [("allowWhileUsing", say("While using"))]
    if wording.question.level == .always { longer.append(("allowAlways", say("Always"))) }
    let once = [("allowOnce", say("Once"))]
    return (wording.isOnceFirst ? once + longer : longer + once)
      + [
        ("reduced", say("While using, within \(AccuracyAuthorization.reducedKilometres) km")), deny,
      ]
  }

  private func handle(_ signal: BusMessage) {
    guard let number, let arguments = try? signal.arguments(),
      arguments.first?.asUInt32 == number
    else { return }
    switch signal.member {
    case "ActionInvoked":
      switch arguments.last?.asString {
      case "reduced": answer(AgentDecision(.allowWhileUsing, .reduced))
      case let key:
        answer(key.flatMap(AgentDecision.Choice.init(rawValue:)).map { AgentDecision($0) })
      }
    case "NotificationClosed":
      self.number = nil
      end(.answered(nil))
    default: break
    }
  }

  private func answer(_ decision: AgentDecision?) {
    takeAway()
    end(.answered(decision))
  }

  private func end(_ outcome: Outcome) {
    call = nil
    signals = nil
    number = nil
    let completion = completion.take()
    completion?(outcome)
  }

  func close() {
    let isBeingShown = isShown && number == nil
    completion = nil
    signals = nil
    if isBeingShown { leaving = self } else { takeAway() }
  }

  private func takeAway() {
    call = nil
    // It may be the last to hold this.
    defer { leaving = nil }
    guard let number else { return }
    self.number = nil
    let message = try? BusMessage(
      to: Self.name, Self.path, Self.name, "CloseNotification", [.uint32(number)])
    if let message { bus.send(message) }
  }
}
