import LocationModel
import Platform

/// The desktop of the person, as far as it can put a question: by its dialog for access, or else by
/// a notification with buttons.
final class Desktop {
  typealias Told = (AgentDecision?) -> Void

  private let bus: BusConnection
  private let log: Log
  private var call: BusCall?
  private var prompt: (any Prompt)?

  init(on bus: BusConnection, _ log: Log) {
    self.log = log
    self.bus = bus
  }

  /// Tells once, later: nil where the person did not answer, or cannot be asked.
  func ask(_ question: AgentQuestion, told: @escaping Told) {
    cancel()
    findPortal { [unowned self] portal in
      let wording = Wording(question)
      if let portal {
        prompt = PortalPrompt(wording, by: portal, on: bus, told: told)
      } else {
        prompt = NotificationPrompt(wording, on: bus) { [unowned self] decision in
          if decision == nil { log.info("nobody could be asked, or nobody answered") }
          told(decision)
        }
      }
    }
  }

  func cancel() {
    call = nil
    prompt?.close()
    prompt = nil
  }

  /// The backend of the desktop that has a dialog for access.
  private func findPortal(_ found: @escaping (String?) -> Void) {
    guard
      let message = try? BusMessage(
        to: "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
        "ListActivatableNames")
    else { return found(nil) }
    call = bus.call(message) { [unowned self] answer in
      let activatable = Self.names(answer)
      let message = try? BusMessage(
        to: "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "ListNames")
      call = message.map {
        bus.call($0) { [unowned self] answer in
          call = nil
          let all = Set(activatable + Self.names(answer))
          found(Self.backends.first { all.contains($0) })
        }
      }
    }
  }

  private static func names(_ answer: BusCall.Answer) -> [String] {
    let values = (try? answer.get().arguments())?.first?.asArray
    return values?.compactMap(\.asString) ?? []
  }

  private static let backends = ["gnome", "kde", "gtk", "xapp", "lxqt", "cosmic", "pantheon"]
    .map { "org.freedesktop.impl.portal.desktop.\($0)" }
}

/// A question that a person sees.
protocol Prompt: AnyObject {
  /// Takes it away; nothing is told then.
  func close()
}
