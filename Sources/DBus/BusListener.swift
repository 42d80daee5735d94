import LocationModel
internal import Platform

/// A peer that is sent signals, no faster than it reads them.
///
/// The bus keeps what a peer does not read, up to 127 MiB of it, and says nothing. So now and then it is
/// asked how much that is; for a peer that is behind, only the newest signal of each kind is kept here,
/// and sent once the peer has caught up. A bus that does not tell is trusted to take care of it.
package final class BusListener {
  private let recipient: BusRecipient
  private let name: String
  private weak var connection: BusConnection?
  /// Signals sent since the bus was asked.
  private var unchecked = 0
  private var question: BusCall?
  private var isBehind = false
  private var held: [(kind: Int, signal: BusSignal)] = []
  private let overflowing: () -> Void

  /// Signals between two questions, and unread bytes beyond those in the kernel that are too many.
  private static let mostUnchecked = 256
  private static let mostUnread = 16 << 10
  /// Unread bytes past which `overflowing` is told: signals that must not be left out come too often.
  private static let mostKept = 1 << 20

  /// `name`: its unique name on the bus.
  package init(
    _ name: String, of path: String, on connection: BusConnection,
    overflowing: @escaping () -> Void
  ) throws(BusError) {
    recipient = try BusRecipient(name, of: path)
    self.name = name
    self.connection = connection
    self.overflowing = overflowing
  }

  /// `kind`: a newer signal of the same kind may take its place; nil for one that may not be left
  /// out.
  package func send(_ signal: BusSignal, kind: Int? = nil) {
    guard let connection else { return }
    guard let kind else { return send(signal, on: connection) }
    if !held.isEmpty { held.removeAll { $0.kind == kind } }
    if isBehind || connection.isFull {
      held.append((kind, signal))
      connection.flow.hold(self)
    } else {
      send(signal, on: connection)
    }
  }

  /// Whether something of that kind waits until it can be sent.
  package func isHolding(_ kind: Int) -> Bool { held.contains { $0.kind == kind } }

  /// Forgets what is held, and what the bus has not taken yet.
  package func purge() {
    held = []
    connection?.purge(recipient, owner: name)
  }

  private func send(_ signal: BusSignal, on connection: BusConnection) {
    connection.send(signal, to: recipient)
    unchecked += 1
    if unchecked >= Self.mostUnchecked, !isBehind { ask(on: connection) }
  }

  fileprivate func ask(on connection: BusConnection) {
    guard question == nil, connection.flow.isTold else { return }
    question = BusUnread.ask(about: name, on: connection) { [weak self] unread in
      // The owner lets go of it when it is told of the overflow.
      guard let self else { return }
      question = nil
      unchecked = 0
      switch unread {
      case .bytes(let count):
        isBehind = count > Self.mostUnread
        if count > Self.mostKept { overflowing() }
      case .nobody: isBehind = false
      case .later: isBehind = true
      case .untold:
        self.connection?.flow.isTold = false
        isBehind = false
      }
      if !isBehind { sendHeld() }
    }
  }

  /// Sends what is held, where the peer has read; else the bus may be asked whether it has. True where nothing is
  /// held any more.
  fileprivate func tryAgain(on connection: BusConnection, asks: Bool) -> Bool {
    if held.isEmpty { return true }
    if isBehind {
      if asks { ask(on: connection) }
      return false
    }
    if connection.isFull { return false }
    sendHeld()
    return true
  }

  private func sendHeld() {
    guard let connection else { return }
    let signals = held
    held = []
    for (_, signal) in signals { send(signal, on: connection) }
  }
}

/// The peers for which something is held.
final class BusFlow {
  private struct Entry {
    weak var listener: BusListener?
  }
  /// Whether the bus says how much its peers have not read.
  var isTold = true
  private var entries: [Entry] = []
  private var alarm: EventLoop.Timer?
  private unowned let connection: BusConnection
  private static let pause: Duration = .milliseconds(100)

  init(of connection: BusConnection) {
    self.connection = connection
    alarm = try? EventLoop.Timer(slack: .milliseconds(10), on: connection.loop) { [unowned self] in
      tryAgain(asks: true)
    }
  }

  fileprivate func hold(_ listener: BusListener) {
    guard !entries.contains(where: { $0.listener === listener }) else { return }
    if entries.isEmpty { alarm?.set(Clock.boottime + Self.pause) }
    entries.append(Entry(listener: listener))
  }

  /// Each turn of the loop ends so. The alarm alone asks the bus: a question would bring about the next turn, and
  /// that the next question.
  func drained() { if !entries.isEmpty, !connection.isFull { tryAgain(asks: false) } }

  private func tryAgain(asks: Bool) {
    entries.removeAll { $0.listener?.tryAgain(on: connection, asks: asks) ?? true }
    if asks || entries.isEmpty {
      alarm?.set(entries.isEmpty ? nil : Clock.boottime + Self.pause)
    }
  }
}
