extension BusConnection {
  /// Asks for all properties of an object.
  package func properties(
    of interface: String, at path: String, by service: String, starts: Bool = true,
    completion: @escaping (Result<[String: BusValue], BusError>) -> Void
  ) -> BusCall {
    call(
      service, path, BusStandard.properties, "GetAll", [.string(interface)], starts: starts
    ) { completion($0.map { $0.first?.asDictionary ?? [:] }) }
  }
}

extension BusSubscription.Filter {
  /// The properties of an object as they change; of all objects without a path.
  package static func properties(at path: String? = nil) -> Self {
    Self(interface: BusStandard.properties, path: path, member: "PropertiesChanged")
  }
}

extension BusMessage {
  /// The properties of an interface that a signal of such a subscription says; nil where it is another's.
  package func changedProperties(of interface: String) -> [String: BusValue]? {
    guard let arguments = try? arguments(), arguments.count > 1,
      arguments[0].asString == interface
    else { return nil }
    return arguments[1].asDictionary
  }
}

/// The properties of one object, as they are and as they become; none while nobody has the name. Nobody is
/// started for them.
package final class BusPropertyWatch {
  private let (service, path, interface): (String, String, String)
  private let bus: BusConnection
  private let changed: ([String: BusValue]) -> Void
  private var subscription: BusSubscription?
  private var call: BusCall?
  private var properties: [String: BusValue] = [:] {
    didSet { changed(properties) }
  }

  package init(
    of interface: String, at path: String, by service: String, on bus: BusConnection,
    changed: @escaping ([String: BusValue]) -> Void
  ) {
    (self.service, self.path, self.interface) = (service, path, interface)
    self.bus = bus
    self.changed = changed
    subscription = try? bus.listen(to: service, .properties(at: path)) { [unowned self] in
      switch $0 {
      case .owner(nil): properties = [:]
      case .owner: askForAll()
      case .signal(let signal):
        guard let news = signal.changedProperties(of: interface) else { return }
        properties.merge(news) { $1 }
      }
    }
  }

  private func askForAll() {
    call = bus.properties(of: interface, at: path, by: service, starts: false) {
      [unowned self] in
      properties = (try? $0.get()) ?? [:]
    }
  }
}
