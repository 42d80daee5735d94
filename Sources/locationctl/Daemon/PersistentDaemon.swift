import Console
import Glibc
import LocationClient
import LocationModel

/// The daemon of a command that goes on. After a restart it knows nothing of the command: the owner greets it
/// and asks for everything again.
final class PersistentDaemon {
  enum Event {
    case opened
    case received(Message)
    /// The daemon is waited for, with a sentence that says so.
    case lost(String)
  }

  private let link: PersistentConnection
  private let path: String
  /// The first connection is told by the first step.
  private var isNew = true
  private var isAwaited = false

  /// A person waits for the daemon, too.
  private static let longestPause: Duration = .seconds(1)
  private static let rest: Duration = .seconds(5)

  /// Fails where there is no daemon now.
  init(at path: String) throws(Failure) {
    self.path = path
    link = PersistentConnection(path: path, longestPause: Self.longestPause)
    for case .lost(let error) in link.step(at: .now) { throw Failure(error, at: path) }
  }

  /// Nil while the daemon is gone.
  var descriptor: Int32? { link.descriptor }

  /// What has come since. A daemon that hung up with a reason would do so again: the reason is thrown.
  func step() throws(Failure) -> [Event] {
    var events: [Event] = isNew ? [.opened] : []
    isNew = false
    if link.descriptor == nil { miss(&events) }
    for event in link.step(at: .now) {
      switch event {
      case .opened: events.append(.opened)
      case .received(let message):
        link.succeed()
        isAwaited = false
        events.append(.received(message))
      case .lost(.closed(let refusal?)): throw Failure(refusal)
      case .lost(.garbled): throw Failure(.garbled, at: path)
      case .lost: miss(&events)
      }
    }
    return events
  }

  /// Says once that the daemon is gone.
  private func miss(_ events: inout [Event]) {
    guard !isAwaited else { return }
    isAwaited = true
    events.append(.lost("the daemon has gone; waiting until it is back."))
  }

  /// Does something with the daemon; nil where it goes meanwhile, which the next step tells.
  func perform<Answer>(
    _ body: (Daemon) throws(Failure) -> Answer
  ) throws(Failure) -> Answer? {
    guard let connection = link.connection else { return nil }
    do throws(Failure) {
      let answer = try body(Daemon(connection, .daemon, at: path))
      link.succeed()
      isAwaited = false
      return answer
    } catch {
      guard error.code == .noDaemon else { throw error }
      link.lose(at: .now)
      return nil
    }
  }

  /// Lets the daemon go for a while, which is not told.
  func rest() {
    isAwaited = true
    link.lose(for: Self.rest, at: .now)
  }

  /// Says who asks, and has the person asked where nobody has decided yet; then `clearing` makes room on the
  /// terminal. Nil where the daemon goes meanwhile.
  func introduce(
    _ name: String, for level: Authorization = .authorizedWhenInUse,
    clearing: () throws(Failure) -> Void = {}
  ) throws(Failure) -> Introduction? {
    try perform { (daemon) throws(Failure) in
      guard try daemon.greet(name, for: level) else { return Introduction() }
      try clearing()
      return Introduction(refusal: try daemon.tryToAskPerson(for: level))
    }
  }

  struct Introduction {
    /// Why the program may not know the location, if it may not.
    var refusal: Failure?
  }

  /// Gives the number of the reply; nil where there is no daemon, which the next step tells.
  func send(_ request: Request) throws(Failure) -> Int64? {
    try perform { (daemon) throws(Failure) in try daemon.send(request) }
  }

  /// Hands over what comes, until a signal is to end the program. `tick` follows what has come, and each pause.
  func follow(
    pausing milliseconds: Int32 = -1, _ handle: (Event) throws(Failure) -> Void,
    tick: () throws(Failure) -> Void = {}
  ) throws(Failure) {
    Interrupts.begin()
    repeat {
      for event in try step() { try handle(event) }
      try tick()
    } while !wait(milliseconds: milliseconds)
  }

  /// Waits until there is something to do; true if a signal came that is to end the program.
  func wait(milliseconds: Int32) -> Bool {
    Interrupts.wait(for: [link.descriptor ?? -1], milliseconds: pause(atMost: milliseconds)) == nil
  }

  /// Milliseconds until `step` is to be called whatever comes; negative for never.
  func pause(atMost milliseconds: Int32 = -1) -> Int32 {
    if link.hasUnread { return 0 }
    guard let retry = link.retriesAt else { return milliseconds }
    let left = Int32(max(0, retry.seconds(since: .now)) * 1000) + 1
    return milliseconds < 0 ? left : min(left, milliseconds)
  }
}
