import LocationModel
package import Platform

/// A name on the bus that is ours while we may have it. Let go of, it is given back.
package final class BusName {
  package enum State: Equatable {
    case owned
    /// Somebody else has it; it becomes ours when they give it up.
    case waiting
    /// The bus is gone, or gave it to somebody else.
    case lost
    case refused(BusError)
  }

  package let name: String
  package fileprivate(set) var state: State = .lost
  private let handler: (State) -> Void
  private weak var connection: BusConnection?
  fileprivate var call: BusCall?
  private var alarm: EventLoop.Timer?
  private var pause = BusName.shortest
  private static let shortest: Duration = .seconds(1)
  private static let longest: Duration = .seconds(300)

  fileprivate init(_ name: String, of connection: BusConnection, handler: @escaping (State) -> Void)
  {
    self.name = name
    self.connection = connection
    self.handler = handler
  }

  deinit {
    if state == .owned || state == .waiting || call != nil {
      connection?.callBus("ReleaseName", [.string(name)])
    }
  }

  fileprivate func become(_ state: State) {
    if case .refused = state {
      askLater()
    } else {
      alarm = nil
      pause = Self.shortest
    }
    guard self.state != state else { return }
    self.state = state
    handler(state)
  }

  /// The bus's policy may change: a package brings it while we run already.
  private func askLater() {
    guard let connection else { return }
    if alarm == nil {
      alarm = try? EventLoop.Timer(slack: Self.shortest, on: connection.loop) { [unowned self] in
        if let connection = self.connection, connection.link?.isUp == true { ask(on: connection) }
      }
    }
    alarm?.set(Clock.boottime + pause)
    pause = min(pause * 2, Self.longest)
  }

  fileprivate func ask(on connection: BusConnection) {
    let flags = BusValue.uint32(0)
    do throws(BusError) {
      let request = try BusMessage(
        to: Bus.name, Bus.path, Bus.interface, "RequestName", [.string(name), flags])
      call = connection.call(request) { [unowned self] answer in
        call = nil
        switch answer {
        case .success(let reply): handle((try? reply.arguments())?.first?.asUInt32)
        // A bus that goes refuses nothing; it is asked again.
        case .failure(let error) where self.connection?.link?.isUp == true: become(.refused(error))
        case .failure: break
        }
      }
    } catch {
      become(.refused(error))
    }
  }

  private func handle(_ answer: UInt32?) {
    switch answer {
    // The owner, now or before.
    case 1, 4: become(.owned)
    case 2: become(.waiting)
    default: become(.refused(.failed("\(name) belongs to somebody else")))
    }
  }
}

/// The names that are ours or wanted.
final class BusNames {
  fileprivate var list = WeakList<BusName>()

  func askAgain(on connection: BusConnection) {
    for name in list.all { name.ask(on: connection) }
  }
  func acquired(_ name: String) { become(.owned, name) }
  func lost(_ name: String) { become(.lost, name) }

  private func become(_ state: BusName.State, _ name: String) {
    for one in list.all where one.name == name { one.become(state) }
  }

  func lostAll() {
    for name in list.all {
      name.call = nil
      name.become(.lost)
    }
  }
}

extension BusConnection {
  /// Asks for a name, now and whenever the bus is back, and tells each change of its state.
  package func own(
    _ name: String, handler: @escaping (BusName.State) -> Void
  ) throws(BusError) -> BusName {
    try BusSyntax.check(name: name)
    let owned = BusName(name, of: self, handler: handler)
    names.list.add(owned)
    if link?.isUp == true { owned.ask(on: self) }
    return owned
  }
}

extension Log {
  /// Logs what has become of a name on the bus.
  package func note(_ name: String, _ state: BusName.State) {
    switch state {
    case .owned: info("serving \(name)")
    case .waiting: warning("another program has the name \(name); waiting for it")
    case .lost: break
    case .refused(let why):
      error("the bus does not let us have the name \(name), so nobody is served by it: \(why)")
    }
  }
}
