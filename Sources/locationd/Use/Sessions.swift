import DBus
import Platform

/// In front of which users' sessions somebody is, as logind says: such a session is active and not
/// locked; one over ssh is active as long as it is open.
final class Sessions {
  fileprivate struct Session: Equatable {
    var uid: UInt32
    var isActive: Bool
  }

  private let bus: BusConnection
  private let log: Log
  private let handler: (Set<UInt32>) -> Void
  private var manager: BusSubscription?
  private var changes: BusSubscription?
  private var sessions: [String: Session] = [:]
  private var question: BusCall?
  /// Sessions being asked about; asked again, the older question is dropped.
  private var questions: [String: BusCall] = [:]
  private var hasSaidGone = false

  private static let login = "org.freedesktop.login1"
  private static let session = login + ".Session"
  private static let prefix = "/org/freedesktop/login1/session/"
  /// Far more than a machine has.
  private static let most = 4096

  init(
    on bus: BusConnection, _ log: Log, handler: @escaping (Set<UInt32>) -> Void
  ) throws(BusError) {
    self.bus = bus
    self.log = log
    self.handler = handler
    manager = try bus.listen(to: Self.login, .init(interface: Self.login + ".Manager")) {
      [unowned self] in
      switch $0 {
      case .owner(let owner): begin(owner)
      case .signal(let signal): handle(signal)
      }
    }
    changes = try bus.listen(to: Self.login, .properties()) { [unowned self] in
      if case .signal(let signal) = $0, let path = signal.path { ask(path) }
    }
  }

  /// Without logind nobody is known to be there.
  private func begin(_ owner: String?) {
    questions = [:]
    question = nil
    sessions = [:]
    guard owner != nil else {
      if !hasSaidGone {
        log.warning(
          "logind is not on the bus, so no app counts as in use; InUse=connected does without it")
      }
      hasSaidGone = true
      return notify()
    }
    hasSaidGone = false
    notify()
    question = bus.call(
      Self.login, "/org/freedesktop/login1", Self.login + ".Manager", "ListSessions"
    ) { [unowned self] answer in
      question = nil
      let all = (try? answer.get())?.first?.asArray ?? []
      for case .structure(let fields) in all.prefix(Self.most) {
        if let path = fields.last?.asString { ask(path) }
      }
    }
  }

  private func handle(_ signal: BusMessage) {
    guard let path = (try? signal.arguments())?.last?.asString else { return }
    switch signal.member {
    case "SessionNew": ask(path)
    case "SessionRemoved":
      questions[path] = nil
      sessions[path] = nil
      notify()
    default: break
    }
  }

  private func ask(_ path: String) {
    guard path.hasPrefix(Self.prefix), questions.count < Self.most else { return }
    questions[path] = bus.properties(of: Self.session, at: path, by: Self.login) {
      [unowned self] answer in
      questions[path] = nil
      sessions[path] = (try? answer.get()).flatMap(Session.init)
      notify()
    }
  }

  private func notify() { handler(Set(sessions.values.lazy.filter(\.isActive).map(\.uid))) }
}

extension Sessions.Session {
  /// Nil for what nobody sits in front of, such as the screen where people log in.
  fileprivate init?(_ properties: [String: BusValue]) {
    guard case .structure(let user)? = properties["User"], let uid = user.first?.asUInt32,
      properties["Class"]?.asString?.hasPrefix("user") ?? true
    else { return nil }
    self.uid = uid
    isActive =
      properties["Active"]?.asBool == true && properties["LockedHint"]?.asBool != true
      && properties["State"]?.asString != "closing"
  }
}
