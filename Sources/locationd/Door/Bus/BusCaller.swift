import DBus
import LocationCore

/// Somebody on the bus, and who that is.
final class BusCaller {
  /// Unique on this bus, and never given again.
  let name: String
  private(set) var caller: Caller
  private let quota: BusQuota
  private var clients = 0

  private static let mostClients = 128

  init(_ name: String, _ caller: Caller, within quota: BusQuota) {
    self.name = name
    self.caller = caller
    self.quota = quota
  }

  /// Its user's agent has told it since.
  func rename(to caller: Caller) { self.caller = caller }

  /// Counts one client more. False where there are enough.
  func admitClient() -> Bool {
    guard clients < Self.mostClients, quota.admitClient(of: caller.uid) else { return false }
    clients += 1
    return true
  }

  func dismissClient() {
    clients -= 1
    quota.dismissClient(of: caller.uid)
  }
}

/// The clients of each user at the doors on the bus, all programs together.
final class BusQuota {
  /// New limits hold for what comes.
  var clientsPerUser: Int
  private var clients: [UInt32: Int] = [:]

  init(clientsPerUser: Int) { self.clientsPerUser = clientsPerUser }

  fileprivate func admitClient(of uid: UInt32) -> Bool {
    guard clients[uid, default: 0] < clientsPerUser else { return false }
    clients[uid, default: 0] += 1
    return true
  }

  fileprivate func dismissClient(of uid: UInt32) {
    let rest = (clients[uid] ?? 1) - 1
    clients[uid] = rest > 0 ? rest : nil
  }
}
