/// Somebody on the bus, whose going is told once. Let go of, it is not.
package final class BusPeer {
  package let name: String
  private weak var connection: BusConnection?
  private var completion: (() -> Void)?

  fileprivate init(_ name: String, of connection: BusConnection, completion: @escaping () -> Void) {
    self.name = name
    self.connection = connection
    self.completion = completion
  }

  deinit { if completion != nil, let connection { connection.peers.forget(name, on: connection) } }

  fileprivate func complete() {
    let completion = completion.take()
    completion?()
  }
}

/// The peers whose going is awaited.
final class BusPeers {
  /// A bus takes 512 rules of one connection. With more peers than this, one rule hears of all
  /// that go.
  static let mostRules = 256

  private enum Rule {
    case own
    case shared
  }

  private final class Awaited {
    struct Entry {
      weak var peer: BusPeer?
    }
    let rule: Rule
    var entries: [Entry] = []
    var question: BusCall?
    init(rule: Rule) { self.rule = rule }
  }

  private var awaited: [String: Awaited] = [:]
  private var ownRules = 0
  private var sharers = 0

  func isAwaited(_ name: String) -> Bool { awaited[name] != nil }

  fileprivate func add(_ peer: BusPeer, on connection: BusConnection) throws(BusError) {
    if let known = awaited[peer.name] { return known.entries.append(.init(peer: peer)) }
    let new = Awaited(rule: ownRules < Self.mostRules ? .own : .shared)
    new.entries.append(.init(peer: peer))
    let question = try BusMessage(
      to: Bus.name, Bus.path, Bus.interface, "NameHasOwner", [.string(peer.name)])
    awaited[peer.name] = new
    switch new.rule {
    case .own:
      ownRules += 1
      connection.callBus("AddMatch", [.string(Self.rule(for: peer.name))])
    case .shared:
      sharers += 1
      if sharers == 1 { connection.callBus("AddMatch", [.string(Self.ruleForAll)]) }
    }
    let name = peer.name
    // It may have gone before the bus knew that we want to hear of it.
    new.question = connection.call(question) { [unowned self, unowned connection, unowned new] in
      new.question = nil
      let answer = try? $0.get().arguments()
      if answer?.first?.asBool == false { gone(name, on: connection) }
    }
  }

  fileprivate func forget(_ name: String, on connection: BusConnection) {
    guard let known = awaited[name] else { return }
    known.entries.removeAll { $0.peer == nil }
    if known.entries.isEmpty { remove(name, known, on: connection) }
  }

  func gone(_ name: String, on connection: BusConnection) {
    guard let known = awaited[name] else { return }
    remove(name, known, on: connection)
    for peer in known.entries.compactMap(\.peer) { peer.complete() }
  }

  /// Unique names mean nothing on the bus that comes after this one.
  func lostAll() {
    let all = awaited.values.flatMap { $0.entries.compactMap(\.peer) }
    awaited = [:]
    ownRules = 0
    sharers = 0
    for peer in all { peer.complete() }
  }

  private func remove(_ name: String, _ known: Awaited, on connection: BusConnection) {
    awaited[name] = nil
    switch known.rule {
    case .own:
      ownRules -= 1
      connection.callBus("RemoveMatch", [.string(Self.rule(for: name))])
    case .shared:
      sharers -= 1
      if sharers == 0 { connection.callBus("RemoveMatch", [.string(Self.ruleForAll)]) }
    }
  }

  private static let ruleForAll =
    "type='signal',sender='\(Bus.name)',interface='\(Bus.interface)',member='NameOwnerChanged',arg2=''"

  static func rule(for name: String) -> String {
    "type='signal',sender='\(Bus.name)',interface='\(Bus.interface)',member='NameOwnerChanged',arg0='\(name)'"
  }
}

extension BusConnection {
  /// Of one whose going is awaited: else it would never be forgotten.
  func learn(_ name: String, is user: UInt32) {
    if peers.isAwaited(name) { unanswered.learn(name, is: user) }
  }

  /// Tells when the owner of a unique name has left the bus, or the bus is gone; not at once.
  package func awaitEnd(
    of name: String, completion: @escaping () -> Void
  ) throws(BusError) -> BusPeer {
    try BusSyntax.check(name: name)
    guard name.hasPrefix(":") else { throw .invalidArguments("not a unique name: \(name)") }
    guard link?.isUp == true else { throw .disconnected("not on the bus") }
    let peer = BusPeer(name, of: self, completion: completion)
    try peers.add(peer, on: self)
    return peer
  }
}
