/// Signals of whoever owns a name, heard through restarts of the bus and of the sender, and only
/// from that sender: anybody may send us any signal. Let go of, they are not heard any more.
package final class BusSubscription {
  package enum Event {
    /// The name has this owner now, or none: what its signals have told is to be asked for again.
    case owner(String?)
    case signal(BusMessage)
  }

  /// Which signals: of an interface, and if given of one object and member.
  package struct Filter: Sendable {
    let interface: String
    let path: String?
    let member: String?
    package init(interface: String, path: String? = nil, member: String? = nil) {
      self.interface = interface
      self.path = path
      self.member = member
    }
  }

  let name: String
  private let filter: Filter
  private let handler: (Event) -> Void
  private weak var connection: BusConnection?
  private var question: BusCall?
  /// Nil as long as it is not known; then the owner, if there is one.
  private var owner: String??

  fileprivate init(
    _ name: String, _ filter: Filter, of connection: BusConnection,
    handler: @escaping (Event) -> Void
  ) {
    self.name = name
    self.filter = filter
    self.connection = connection
    self.handler = handler
  }

  deinit { for rule in rules { connection?.callBus("RemoveMatch", [.string(rule)]) } }

  /// In this order: whoever is told of an owner misses nothing that it signals from then on.
  private var rules: [String] {
    var signals = "type='signal',sender='\(name)',interface='\(filter.interface)'"
    if let path = filter.path { signals += ",path='\(path)'" }
    if let member = filter.member { signals += ",member='\(member)'" }
    return [signals, BusPeers.rule(for: name)]
  }

  fileprivate func begin(on connection: BusConnection) {
    for rule in rules { connection.callBus("AddMatch", [.string(rule)]) }
    question = connection.findOwner(of: name) { [unowned self] owner in
      question = nil
      // Where the bus is gone it will be asked again.
      if self.connection?.link?.isUp == true { become(owner) }
    }
  }

  fileprivate func become(_ owner: String?) {
    question = nil
    guard self.owner != .some(owner) else { return }
    self.owner = .some(owner)
    handler(.owner(owner))
  }

  fileprivate func end() {
    question = nil
    if case .some(.some) = owner { handler(.owner(nil)) }
    owner = nil
  }

  fileprivate func matches(_ signal: BusMessage) -> Bool {
    guard case .some(.some(let owner)) = owner, signal.sender == owner,
      signal.interface == filter.interface
    else { return false }
    return (filter.path == nil || filter.path == signal.path)
      && (filter.member == nil || filter.member == signal.member)
  }

  fileprivate func handle(_ signal: BusMessage) { handler(.signal(signal)) }
}

/// All subscriptions of a connection.
final class BusSubscriptions {
  fileprivate var list = WeakList<BusSubscription>()

  func beginAgain(on connection: BusConnection) {
    for one in list.all { one.begin(on: connection) }
  }
  func endAll() { for one in list.all { one.end() } }
  func changed(_ name: String, owner: String?) {
    for one in list.all where one.name == name { one.become(owner) }
  }

  /// Whether it was anybody's.
  func handle(_ signal: BusMessage) -> Bool {
    var isAnybodys = false
    for one in list.all where one.matches(signal) {
      isAnybodys = true
      one.handle(signal)
    }
    return isAnybodys
  }
}

extension BusConnection {
  /// Begins now and whenever the bus is back.
  package func listen(
    to name: String, _ filter: BusSubscription.Filter,
    handler: @escaping (BusSubscription.Event) -> Void
  ) throws(BusError) -> BusSubscription {
    try BusSyntax.check(name: name)
    try BusSyntax.check(interface: filter.interface)
    if let path = filter.path { try BusSyntax.check(path: path) }
    if let member = filter.member { try BusSyntax.check(member: member) }
    let subscription = BusSubscription(name, filter, of: self, handler: handler)
    subscriptions.list.add(subscription)
    if link?.isUp == true { subscription.begin(on: self) }
    return subscription
  }
}
