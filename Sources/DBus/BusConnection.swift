import LocationModel
package import Platform

/// A program's place on a bus, kept through the bus's restarts: names are asked for again, objects
/// are there again, what cannot outlive a bus is told to be gone.
package final class BusConnection {
  package enum Event: Equatable {
    /// On the bus, under this unique name.
    case up(String)
    /// Off it. It is tried again after a pause.
    case down(BusError)
  }

  package struct Limits: Sendable {
    /// Unsent bytes past which signals that a newer one may replace are held back.
    package var replaceable = 256 << 10
    /// Unsent bytes past which a bus is left that takes nothing any more.
    var unsent = 4 << 20
    /// Milliseconds for the bus to take us in, and to say what a peer has not read.
    package var patience: Int32 = 10_000
    /// Nanoseconds before it is tried again, doubled each time up to the longest.
    package var firstPause: Duration = .milliseconds(250)
    package var longestPause: Duration = .seconds(30)
    /// Calls of one sender that may wait for an answer.
    package var unanswered = 128
    /// The same of all senders of one user.
    var unansweredPerUser = 1024
    package init() {}
  }

  package let loop: EventLoop
  private let place: BusPlace
  let limits: Limits
  private let handler: (Event) -> Void
  private(set) var link: BusLink?
  /// A link that has ended, kept until libdbus has returned from telling so.
  private var ended: BusLink?
  private var attempt: EventLoop.Timer?
  private var cleaning: EventLoop.Later?
  private var pause: Duration
  private var isNew = true
  /// Callbacks for when it is known whether the bus takes us in.
  private var waiting: [() -> Void] = []
  /// Told of signals that others send to us and no subscription is for.
  package var signals: (BusMessage) -> Void = { _ in }

  let objects = BusObjects()
  let names = BusNames()
  let peers = BusPeers()
  let subscriptions = BusSubscriptions()
  let unanswered = BusUnanswered()
  private(set) lazy var flow = BusFlow(of: self)
  private(set) lazy var replies = BusReplies(of: self)

  /// Connects in the loop's next turn.
  package init(
    to place: BusPlace, limits: Limits = Limits(), on loop: EventLoop,
    handler: @escaping (Event) -> Void
  ) throws(SystemError) {
    self.place = place
    self.limits = limits
    self.loop = loop
    self.handler = handler
    pause = limits.firstPause
    attempt = try EventLoop.Timer(slack: .milliseconds(10), on: loop) { [unowned self] in connect()
    }
    cleaning = try EventLoop.Later(on: loop) { [unowned self] in ended = nil }
    attempt?.set(.start)
  }

  /// Nil while off the bus.
  package var uniqueName: String? { link?.uniqueName }
  /// Whether the bus is slow to take what is sent.
  var isFull: Bool { link.map { $0.untold > limits.replaceable } ?? false }
}

// MARK: - Coming and going

extension BusConnection {
  /// Tells at once, but while the bus may be about to take us in, as at the start: then once it has, or
  /// has not.
  package func whenKnown(_ body: @escaping () -> Void) {
    let isKnown = link.map(\.isUp) ?? !isNew
    if isKnown { body() } else { waiting.append(body) }
  }

  private func runWaiting() {
    let bodies = waiting
    waiting = []
    for body in bodies { body() }
  }

  private func connect() {
    isNew = false
    do throws(BusError) {
      link = try BusLink(to: BusAddress(of: place), patience: limits.patience, on: loop) {
        [unowned self] in
        wentUp()
      } received: { [unowned self] in
        receive($0)
      } drained: { [unowned self] in
        flow.drained()
      } ended: { [unowned self] in
        wentDown($0)
      }
    } catch {
      wentDown(error)
    }
  }

  private func wentUp() {
    guard let name = uniqueName else { return }
    pause = limits.firstPause
    flow.isTold = true
    names.askAgain(on: self)
    subscriptions.beginAgain(on: self)
    handler(.up(name))
    runWaiting()
  }

  private func wentDown(_ why: BusError) {
    ended = link
    link = nil
    cleaning?.set()
    attempt?.set(Clock.boottime + pause)
    pause = min(pause * 2, limits.longestPause)
    names.lostAll()
    peers.lostAll()
    unanswered.forgetAll()
    replies.forgetAll()
    subscriptions.endAll()
    handler(.down(why))
    runWaiting()
  }

  private func receive(_ message: BusMessage) {
    switch message.kind {
    case .call: answer(message)
    case .signal where message.sender == Bus.name: heedBus(message)
    case .signal: if !subscriptions.handle(message) { signals(message) }
    default: break
    }
  }

  private func heedBus(_ signal: BusMessage) {
    guard signal.interface == Bus.interface, let arguments = try? signal.arguments(),
      let name = arguments.first?.asString
    else { return }
    switch signal.member {
    case "NameAcquired": names.acquired(name)
    case "NameLost": names.lost(name)
    case "NameOwnerChanged" where arguments.count == 3:
      let owner = arguments[2].asString.flatMap { $0.isEmpty ? nil : $0 }
      if owner == nil {
        peers.gone(name, on: self)
        unanswered.forget(name)
        replies.forget(name)
      }
      subscriptions.changed(name, owner: owner)
    default: break
    }
  }
}

// MARK: - Sending

extension BusConnection {
  /// Whether it went, or waits to be sent.
  @discardableResult
  package func send(_ message: BusMessage) -> Bool {
    openLink?.send(message) ?? false
  }

  /// Whether it went, or waits to be sent.
  @discardableResult
  package func send(_ signal: BusSignal, to recipient: BusRecipient) -> Bool {
    guard let link, link.isUp, link.untold <= limits.unsent else { return openLink != nil }
    link.send(signal, to: recipient)
    return true
  }

  /// Signals that are sent within the body go together, in about as few writes as the bus reads.
  package func gather(_ body: () -> Void) {
    if let link { link.gather(body) } else { body() }
  }

  /// Forgets the signals that have not gone to the recipient, and the properties that have not gone to its
  /// owner.
  func purge(_ recipient: BusRecipient, owner: String) {
    link?.purge(recipient, owner: owner)
    replies.purge(owner: owner)
  }

  func answer(
    _ call: UInt32, of sender: String, _ type: String, isProperties: Bool,
    _ body: (inout BusWriter) throws(BusError) -> Void
  ) throws(BusError) {
    guard let link = openLink else { return }
    let answer = try BusOutbox.answer(link.nextSerial(), to: call, of: sender, type, body)
    let kind: BusOutbox.Kind = isProperties ? .properties(of: sender, serial: call) : .other
    replies.send(answer, kind, of: call, to: sender)
  }

  func refuse(_ call: UInt32, of sender: String, because error: BusError) {
    guard let link = openLink else { return }
    let refusal = BusOutbox.refusal(link.nextSerial(), of: call, to: sender, error)
    replies.send(refusal, .other, of: call, to: sender)
  }

  /// One that takes too little is left.
  private var openLink: BusLink? {
    guard let link, link.isUp else { return nil }
    guard link.unsent <= limits.unsent else {
      link.close(because: .limitsExceeded("the bus takes no messages any more"))
      return nil
    }
    return link
  }

  /// Tells the answer later, never at once, unless the call is let go of before. `patience`:
  /// milliseconds.
  package func call(
    _ message: BusMessage, patience: Int32 = 25_000, completion: @escaping (BusCall.Answer) -> Void
  ) -> BusCall {
    guard let link, link.isUp else {
      return BusCall(failed: .disconnected("not on the bus"), on: loop, completion: completion)
    }
    guard openLink != nil else {
      let error = BusError.limitsExceeded("the bus takes no messages any more")
      return BusCall(failed: error, on: loop, completion: completion)
    }
    return link.call(message, patience: patience, completion: completion)
  }
}
