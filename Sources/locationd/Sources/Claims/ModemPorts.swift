import DBus
import Platform

/// ModemManager, asked for the ports of its modems, if it runs.
final class ModemPorts: Informant {
  private let bus: BusConnection?
  private var call: BusCall?
  private var over: (() -> Void)?
  /// One that is asked again and hangs still means what it said.
  private(set) var claims: [Claim] = []

  private static let name = "org.freedesktop.ModemManager1"
  private static let path = "/org/freedesktop/ModemManager1"

  /// Nil where there is no bus.
  init(on bus: BusConnection?) {
    self.bus = bus
  }

  func ask(over: @escaping () -> Void) {
    guard let bus else { return over() }
    self.over = over
    bus.whenKnown { [weak self] in self?.ask(on: bus) }
  }

  func cancel() {
    over = nil
    call = nil
  }

  private func ask(on bus: BusConnection) {
    // No longer wanted, or asked already.
    guard over != nil, call == nil else { return }
    guard bus.uniqueName != nil else { return hear([]) }
    call = bus.call(
      Self.name, Self.path, "org.freedesktop.DBus.ObjectManager", "GetManagedObjects",
      starts: false
    ) { [unowned self] in
      // Where it does not run, nothing is a modem's.
      hear(Self.claims(of: (try? $0.get())?.first))
    }
  }

  private func hear(_ claims: [Claim]) {
    self.claims = claims
    call = nil
    let over = over.take()
    over?()
  }
}

// MARK: - What it says

extension ModemPorts {
  private static let modem = name + ".Modem"
  private static let location = modem + ".Location"

  /// `objects`: `a{oa{sa{sv}}}`.
  static func claims(of objects: BusValue?) -> [Claim] {
    (objects?.asArray ?? []).flatMap { object -> [Claim] in
      guard case .entry(_, let interfaces) = object, let interfaces = interfaces.asDictionary,
        let modem = interfaces[modem]?.asDictionary
      else { return [] }
      // Raw and NMEA: what it reads itself.
      let read = (interfaces[location]?.asDictionary?["Enabled"]?.asUInt32 ?? 0) & 0b110
      // Where those that it ignores are told apart, they are its, too.
      let ports = ["Ports", "IgnoredPorts"].flatMap { modem[$0]?.asArray ?? [] }
      return ports.compactMap { Claim(modemPort: $0, isRead: read != 0) }
    }
  }
}

extension Claim {
  /// `(su)`: the name of a device, and ModemManager's number for what it is.
  fileprivate init?(modemPort: BusValue, isRead: Bool) {
    guard case .structure(let fields) = modemPort, fields.count == 2,
      let name = fields[0].asString, let type = fields[1].asUInt32
    else { return nil }
    let port: Port =
      switch type {
      case 5: .receiver(isRead: isRead)
      case 9: .ignored
      default: .control
      }
    self.init(path: "/dev/\(name)", owner: .modem(port))
  }
}
