package import LocationModel

/// One commit: the number it is answered by.
package struct CommitID: Hashable, Sendable {
  package let number: UInt64
  package init(_ number: UInt64) { self.number = number }
}

/// Something to be remembered over a restart. Several that go into one commit are all written, or none
/// of them.
package enum Change: Equatable, Sendable {
  case permission(App, Permission)
  case usage(App, Usage)
  case restrict(Restriction)
  case unrestrict(Restriction)
  case servicesEnabled(Bool)
  /// Where the machine stands by a person's word; nil for nowhere.
  case here(SetPlace?)

  /// Learnt networks as they are now, and those that go.
  case networks([NetworkRow], dropped: [Int64])
  /// All of them go, and leave nothing readable on the disk.
  case forgetNetworks

  /// A service's own record of an app, in bytes of its own making: a registration, the state of a
  /// detector. `kind` tells services apart, `key` the records of one (such as a region's identifier).
  case put(App, kind: String, key: String, [UInt8])
  case remove(App, kind: String, key: String)

  /// An event that waits for being acknowledged. Numbers grow per app, and go on growing after all
  /// are acknowledged, or the app is forgotten: see `StoreSnapshot.lastEvents`.
  case event(App, number: UInt64, [UInt8])
  /// This one and those before it need not be told again.
  case acknowledged(App, through: UInt64)

  /// The app has nothing registered any more: the number of its last event is kept as its user's.
  case retire(App)
  /// Records and events of the app go, and leave nothing readable on the disk; its permission stays.
  case erase(App)
  /// Everything of the app goes but the number of its last event, which is kept as its user's.
  case forget(App)
}

extension Change {
  /// The change must leave nothing readable on the disk.
  package var erases: Bool {
    switch self {
    case .erase, .forget, .forgetNetworks, .remove(_, StoredRecord.place, _),
      .remove(_, StoredRecord.networks, _), .remove(_, AccessHistory.kind, _):
      true
    default: false
    }
  }

  /// About as many bytes as it takes while it waits for the disk.
  var size: Int {
    let fixed = 256
    switch self {
    case .put(let app, _, let key, let bytes):
      return fixed + app.size + key.utf8.count + bytes.count
    case .remove(let app, _, let key): return fixed + app.size + key.utf8.count
    case .event(let app, _, let bytes): return fixed + app.size + bytes.count
    case .permission(let app, _), .usage(let app, _), .acknowledged(let app, _), .retire(let app),
      .erase(let app), .forget(let app):
      return fixed + app.size
    case .restrict(let restriction), .unrestrict(let restriction):
      return fixed + restriction.name.utf8.count
    case .networks(let rows, let dropped):
      return fixed * (rows.count + dropped.count)
    case .servicesEnabled, .here, .forgetNetworks: return fixed
    }
  }
}

extension App {
  fileprivate var size: Int { name.utf8.count }
}

/// All that the disk had when the daemon started.
package struct StoreSnapshot: Equatable, Sendable {
  package struct Record: Hashable, Sendable {
    package var app: App
    package var kind: String
    package var key: String

    package init(app: App, kind: String, key: String) {
      self.app = app
      self.kind = kind
      self.key = key
    }

    /// The record is a user's, rather than an app's.
    var isOfUser: Bool {
      kind == AgentMemory.kind || kind == AccessHistory.kind || kind == Pauses.kind
    }
  }

  package struct Event: Equatable, Sendable {
    package var app: App
    package var number: UInt64
    package var bytes: [UInt8]

    package init(app: App, number: UInt64, bytes: [UInt8]) {
      self.app = app
      self.number = number
      self.bytes = bytes
    }
  }

  package var servicesEnabled = true
  package var here: SetPlace?
  /// Learnt networks come later, as `Input.networks`.
  package var hasNetworks = false
  package var permissions: [App: Permission] = [:]
  package var usage: [App: Usage] = [:]
  package var restrictions: Set<Restriction> = []
  package var records: [Record: [UInt8]] = [:]
  /// In the order of their numbers.
  package var events: [Event] = []
  /// Forgotten apps of a user share one entry, without a name: the highest of their numbers.
  package var lastEvents: [App: UInt64] = [:]
  /// The random name under which these numbers are given.
  package var ledger: Int64?
  /// Why nothing can be remembered, or not all is known; then nothing new is granted.
  package var trouble: String?

  package init() {}
}
