import DBus
import LocationModel
import Platform

/// `org.locationd.Timezone` on the bus: it tells agents that the time zone was set, and is told by those of
/// people at this machine that their desktop sets it.
final class TimezoneDoor {
  static let name = "org.locationd.Timezone"
  private static let path = "/org/locationd/Timezone"
  private static let interfaceName = "org.locationd.Timezone1"

  private let bus: BusConnection
  private let log: Log
  private let yields: (Bool) -> Void
  private var ownName: BusName?
  private var object: BusObject?
  private let callers: BusCallers<Desktop>
  /// The unique names of the agents whose desktops set the zone.
  private var desktops: Set<String> = [] {
    didSet { follow(after: oldValue) }
  }
  fileprivate var zone = ""
  private var seats: [String: BusCall] = [:]

  private struct Desktop {
    var name: String
    var uid: UInt32
  }

  private static let most = 64

  init(
    on bus: BusConnection, _ log: Log, yields: @escaping (Bool) -> Void
  ) throws(BusError) {
    self.bus = bus
    self.log = log
    self.yields = yields
    callers = BusCallers(on: bus) { (name, completion) throws(BusError) in
      try bus.process(of: name) { credentials, _ in
        do throws(BusError) {
          completion(.success(Desktop(name: name, uid: try credentials.get().uid)))
        } catch {
          completion(.failure(error))
        }
      }
    }
    let object = BusObject(Self.path, target: self, [Self.interface])
    self.object = object
    try bus.export(object)
    callers.gone = [{ [unowned self] in desktops.remove($0.name) }]
    ownName = try bus.own(Self.name) { log.note(Self.name, $0) }
  }

  /// The zone was set by this program.
  func tell(_ zone: String) {
    self.zone = zone
    if let object { try? bus.propertiesChanged(["Timezone"], of: Self.interfaceName, on: object) }
  }

  private static let interface = BusInterface(
    interfaceName,
    methods: [
      BusMethod("SetDesktopFollows", in: [.init("follows", "b")]) {
        (door: TimezoneDoor, call) throws(BusError) in
        door.note(call, call.arguments[0].asBool == true)
        return nil
      }
    ],
    properties: [
      BusProperty("Timezone", "s") { (door: TimezoneDoor) in .string(door.zone) }
    ])

  private func note(_ call: BusInvocation, _ follows: Bool) {
    callers.identify(call.sender) { [unowned self] in
      switch $0 {
      case .failure(let error): call.refuse(error)
      case .success(let desktop) where !follows:
        desktops.remove(desktop.name)
        call.answer([])
      case .success(let desktop): admit(desktop, call)
      }
    }
  }

  /// Only a person who sits at this machine, as logind says, has a desktop here.
  private func admit(_ desktop: Desktop, _ call: BusInvocation) {
    guard desktops.count + seats.count < Self.most, seats[desktop.name] == nil else {
      return call.refuse(.limitsExceeded("too many desktops"))
    }
    seats[desktop.name] = bus.call(
      "org.freedesktop.login1", "/org/freedesktop/login1", "org.freedesktop.login1.Manager",
      "ListSessions"
    ) { [unowned self] answer in
      seats[desktop.name] = nil
      let sessions = (try? answer.get())?.first?.asArray ?? []
      guard sessions.contains(where: { $0.isSession(of: desktop.uid) }) else {
        return call.refuse(.accessDenied("you have no session at this machine's seat"))
      }
      desktops.insert(desktop.name)
      call.answer([])
    }
  }

  private func follow(after old: Set<String>) {
    guard desktops.isEmpty != old.isEmpty else { return }
    let text =
      desktops.isEmpty
      ? "The time zone follows the place."
      : "A desktop here sets the time zone itself, so this program does nothing."
    log.notice(text)
    Process.notify("STATUS=\(text)")
    yields(!desktops.isEmpty)
  }
}

extension BusValue {
  /// An entry of `ListSessions`: number, uid, name, seat and path.
  fileprivate func isSession(of uid: UInt32) -> Bool {
    guard case .structure(let fields) = self, fields.count == 5 else { return false }
    return fields[1].asUInt32 == uid && fields[3].asString?.isEmpty == false
  }
}
