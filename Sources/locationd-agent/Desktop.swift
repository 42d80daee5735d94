import DBus
import LocationModel
import Platform

/// The desktop of the person, as far as it can put a question: by its dialog for access, or else by
/// a notification with buttons.
final class Desktop {
  private let bus: BusConnection
  private let log: Log
  private let reach: Reach
  private var prompt: (any Prompt)?

  /// `changed`: whether anybody can be asked is another matter now than before.
  init(on bus: BusConnection, _ log: Log, changed: @escaping () -> Void) {
    self.bus = bus
    self.log = log
    reach = Reach(on: bus, changed: changed)
  }

  /// Whether there is something that shows questions, as far as is known.
  var canAsk: Bool { !reach.means.isEmpty }

  /// Tells once, later: nil where the person did not answer, or cannot be asked.
  func ask(_ question: AgentQuestion, completion: @escaping (AgentDecision?) -> Void) {
    cancel()
    show(Wording(question), by: reach.means, completion)
  }

  /// One means after the other, until one shows it.
  private func show(
    _ wording: Wording, by means: [Reach.Means], _ completion: @escaping (AgentDecision?) -> Void
  ) {
    guard let first = means.first else {
      log.info("nobody could be asked")
      return completion(nil)
    }
    let next: (Outcome) -> Void = { [unowned self] outcome in
      prompt = nil
      switch outcome {
      case .answered(let decision): completion(decision)
      case .unreachable:
        reach.doubt(first)
        show(wording, by: Array(means.dropFirst()), completion)
      }
    }
    prompt =
      switch first {
      case .portal(let name): PortalPrompt(wording, by: name, on: bus, completion: next)
      case .notification: NotificationPrompt(wording, on: bus, completion: next)
      }
  }

  func cancel() {
    prompt?.close()
    prompt = nil
  }
}

/// The outcome of showing a question.
enum Outcome {
  /// Nil where it was closed.
  case answered(AgentDecision?)
  /// It could not be shown.
  case unreachable
}

/// A question that a person sees.
protocol Prompt: AnyObject {
  /// Takes it away; nothing is told then.
  func close()
}
