import DBus
import LocationCore
import LocationModel
import Platform

/// An administrator who has listed the permissions, and is told from then on when one changes.
final class PermissionWatch {
  let caller: BusCaller
  let session: ServiceSession
  private let listener: BusListener

  init(
    of caller: BusCaller, _ session: ServiceSession, on bus: BusConnection,
    overflowing: @escaping () -> Void
  ) throws(BusError) {
    self.caller = caller
    self.session = session
    listener = try BusListener(
      caller.name, of: Manager1.path, on: bus, overflowing: overflowing)
    session.begin(as: caller.caller)
  }

  func notify(_ app: String, of uid: UInt32?) throws(BusError) {
    listener.send(
      try BusSignal("org.locationd.Permissions1", "Changed") { (body) throws(BusError) in
        try body.string(app)
        try body.uint32(uid ?? Permissions1.nobody)
      })
  }
}

extension BusDoor {
  /// Everyone may ask; who is told, is told of changes, too, until they leave the bus.
  func listPermissions(for call: BusInvocation) {
    welcome(call.sender) { [unowned self] answer in
      do throws(BusError) {
        let watch = try watch(of: answer.get())
        watch.session.ask(.permissionsList) { [unowned self] answer in
          switch answer {
          case .success(.permissions(let apps)):
            call.answer([.array(of: "a{sv}", apps.compactMap { $0.json.busValue })])
          case .success: call.refuse(.failed("no list"))
          case .failure(let refusal):
            call.refuse(BusError(refusal))
            remove(watch)
          }
        }
      } catch {
        call.refuse(error)
      }
    }
  }

  private func watch(of caller: BusCaller) throws(BusError) -> PermissionWatch {
    if let known = watches.values.first(where: { $0.caller === caller }) { return known }
    let session = makeSession()
    let watch = try PermissionWatch(of: caller, session, on: bus) { [unowned self] in
      if let watch = watches[session.id] { remove(watch) }
    }
    watches[session.id] = watch
    return watch
  }

  func remove(_ watch: PermissionWatch) {
    guard watches.removeValue(forKey: watch.session.id) != nil else { return }
    watch.session.end()
  }

  func notifyChange(of app: String, _ uid: UInt32?, to listers: [ClientID]) {
    for lister in listers {
      do throws(BusError) { try watches[lister]?.notify(app, of: uid) } catch {
        log.warning("\(error)")
      }
    }
  }
}
