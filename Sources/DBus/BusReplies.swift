import LocationModel
internal import Platform

/// Answers, no faster than their callers read them.
///
/// The bus keeps what a peer does not read, and takes nothing more from us once it keeps 127 MiB of ours: one deaf
/// caller would shut all others out. So a caller is sent some answers, then the bus is asked how much it has not
/// read. Meanwhile its answers wait here, within a bound; past that it is not answered. So they do while the bus itself
/// takes little: it does not count what it has not taken, and too much of that is a reason to leave it.
final class BusReplies {
  private struct Held {
    var kind: BusOutbox.Kind
    var bytes: [UInt8]
    /// With what it takes to keep it.
    var cost: Int { bytes.count + 128 }
  }

  private final class Peer {
    /// Bytes that it may not have read.
    var unread: Int
    var held: [Held] = []
    /// Its user, whose account the held answers are in; nil as long as that is not known.
    var user: UInt32?
    var cost: Int { held.reduce(0) { $0 + $1.cost } }
    var question: BusCall?
    var identification: BusCall?
    /// When the bus is asked again, and the next pause before that.
    var due: Boottime?
    var pause = BusReplies.shortestPause
    init(unread: Int) { self.unread = unread }
  }

  private unowned let connection: BusConnection
  private var peers: [String: Peer] = [:]
  /// Bytes that wait here, by users.
  private(set) var bytes: [UInt32?: Int] = [:]
  private var alarm: EventLoop.Timer?
  /// Small peers have been forgotten: the bus is asked about a new one at once.
  private var hasForgotten = false

  /// Bytes that are sent before the bus is asked.
  private static let mostUnchecked = 128 << 10
  /// A peer with more unread bytes is behind.
  private static let mostUnread = 64 << 10
  /// Bytes that wait for all of a user's peers before new answers are refusals, and before there are none.
  private static let mostHeld = (answers: 4 << 20, refusals: 5 << 20)
  /// Bytes that the bus has not taken before answers wait here.
  private static let mostUnsent = 1 << 20
  private static let mostPeers = 1024
  private static let shortestPause: Duration = .milliseconds(10)
  private static let longestPause: Duration = .seconds(3)

  init(of connection: BusConnection) {
    self.connection = connection
    alarm = try? EventLoop.Timer(slack: .milliseconds(1), on: connection.loop) { [unowned self] in
      askAgain()
    }
  }

  func send(
    _ answer: [UInt8], _ kind: BusOutbox.Kind, of call: UInt32, to name: String
  ) {
    guard connection.flow.isTold else { return deliver(answer, kind) }
    let peer = peers[name] ?? add(name)
    if peer.held.isEmpty, peer.unread + answer.count <= Self.mostUnchecked, hasRoom {
      peer.unread += answer.count
      return deliver(answer, kind)
    }
    hold(answer, kind, of: call, for: peer, name)
    if peer.question == nil, peer.due == nil { ask(name, peer) }
  }

  private var hasRoom: Bool { (connection.link?.unsent ?? 0) <= Self.mostUnsent }

  private func deliver(_ answer: [UInt8], _ kind: BusOutbox.Kind) {
    connection.link?.send(answer, kind)
  }

  private func add(_ name: String) -> Peer {
    if peers.count >= Self.mostPeers {
      peers = peers.filter { !$0.value.held.isEmpty || $0.value.question != nil }
      hasForgotten = true
    }
    let peer = Peer(unread: hasForgotten ? Self.mostUnchecked : 0)
    peers[name] = peer
    return peer
  }

  private func hold(
    _ answer: [UInt8], _ kind: BusOutbox.Kind, of call: UInt32, for peer: Peer, _ name: String
  ) {
    guard let link = connection.link else { return }
    var held = Held(kind: kind, bytes: answer)
    let isFirst = peer.held.isEmpty
    if isFirst { peer.user = connection.unanswered.user(of: name) ?? peer.user }
    let before = bytes[peer.user] ?? 0
    // Users that are not known yet share an account, which one of them may fill: of each of their peers a first
    // short answer is kept all the same. The bus bounds the peers of a user.
    let isKept = isFirst && peer.user == nil && answer.count <= BusOutbox.longest
    if !isKept, before + held.cost > Self.mostHeld.answers {
      let error = BusError.limitsExceeded("too much waits that your programs have not read")
      held = Held(
        kind: .other,
        bytes: BusOutbox.refusal(link.nextSerial(), of: call, to: name, error))
    }
    guard isKept || before + held.cost <= Self.mostHeld.refusals else { return }
    peer.held.append(held)
    charge(held.cost, to: peer.user)
  }

  private func charge(_ change: Int, to user: UInt32?) {
    let sum = (bytes[user] ?? 0) + change
    bytes[user] = sum > 0 ? sum : nil
  }

  private func release(_ count: Int, of peer: Peer) {
    let released = peer.held.prefix(count)
    peer.held.removeFirst(released.count)
    charge(-released.reduce(0) { $0 + $1.cost }, to: peer.user)
    for answer in released {
      peer.unread += answer.bytes.count
      deliver(answer.bytes, answer.kind)
    }
  }
}

// MARK: - What peers have read

extension BusReplies {
  private func ask(_ name: String, _ peer: Peer) {
    peer.question = BusUnread.ask(about: name, on: connection) {
      [unowned self, unowned peer] unread in
      peer.question = nil
      switch unread {
      case .bytes(let count):
        peer.unread = count
        handle(name, peer)
      case .nobody: forget(name)
      case .later: wait(name, peer)
      case .untold:
        connection.flow.isTold = false
        for peer in peers.values { release(peer.held.count, of: peer) }
        forgetAll()
      }
    }
  }

  private func handle(_ name: String, _ peer: Peer) {
    guard peer.unread <= Self.mostUnread, hasRoom else { return wait(name, peer) }
    peer.pause = Self.shortestPause
    // The first, however long it is.
    var (count, sum) = (0, peer.unread)
    while count < peer.held.count, count == 0 || sum <= Self.mostUnchecked {
      sum += peer.held[count].bytes.count
      count += 1
    }
    release(count, of: peer)
    if !peer.held.isEmpty { ask(name, peer) }
  }

  private func wait(_ name: String, _ peer: Peer) {
    if peer.user == nil, peer.identification == nil { identify(name, peer) }
    peer.due = Clock.boottime + peer.pause
    peer.pause = min(peer.pause * 2, Self.longestPause)
    setAlarm()
  }

  /// Moves what a peer has not read from the account of unknown users to that of its own.
  private func identify(_ name: String, _ peer: Peer) {
    peer.identification = connection.call(
      Bus.name, Bus.path, Bus.interface, "GetConnectionUnixUser", [.string(name)],
      patience: connection.limits.patience
    ) { [unowned self, unowned peer] answer in
      peer.identification = nil
      guard let user = (try? answer.get())?.first?.asUInt32 else { return }
      charge(-peer.cost, to: peer.user)
      peer.user = user
      charge(peer.cost, to: user)
    }
  }

  private func setAlarm() { alarm?.set(peers.values.compactMap(\.due).min()) }

  private func askAgain() {
    let now = Clock.boottime
    for (name, peer) in peers where peer.due.map({ $0 <= now }) == true {
      peer.due = nil
      if !peer.held.isEmpty { ask(name, peer) }
    }
    setAlarm()
  }

  func forget(_ name: String) {
    guard let peer = peers.removeValue(forKey: name) else { return }
    charge(-peer.cost, to: peer.user)
  }

  func forgetAll() {
    peers = [:]
    bytes = [:]
  }

  /// Refuses instead what its owner asked properties for.
  func purge(owner name: String) {
    guard let peer = peers[name] else { return }
    for (i, answer) in peer.held.enumerated() {
      guard case .properties(_, let serial) = answer.kind, let link = connection.link else {
        continue
      }
      let refusal = BusOutbox.refusal(
        link.nextSerial(), of: serial, to: name, .failed("not any more"))
      charge(refusal.count - answer.bytes.count, to: peer.user)
      peer.held[i] = Held(kind: .other, bytes: refusal)
    }
  }
}
