import LocationModel

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

  /// A service's own record of an app, in bytes of its own making: a registration, the state of a
  /// detector. `kind` tells services apart, `key` the records of one (such as a region's identifier).
  case put(App, kind: String, key: String, [UInt8])
  case remove(App, kind: String, key: String)

  /// An event that waits for being acknowledged. Numbers grow per app, and go on growing after all
  /// are acknowledged or erased: see `Remembered.lastEvents`.
  case event(App, number: UInt64, [UInt8])
  /// This one and those before it need not be told again.
  case acknowledged(App, through: UInt64)

  /// Records and events of the app go, and leave nothing readable on the disk; its permission stays.
  case erase(App)
  /// Everything of the app goes but the number of its last event.
  case forget(App)
}

/// What was remembered when the daemon started.
package struct Remembered: Equatable, Sendable {
  package struct Record: Hashable, Sendable {
    package var app: App
    package var kind: String
    package var key: String

    package init(app: App, kind: String, key: String) {
      self.app = app
      self.kind = kind
      self.key = key
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
  package var permissions: [App: Permission] = [:]
  package var usage: [App: Usage] = [:]
  package var restrictions: Set<Restriction> = []
  package var records: [Record: [UInt8]] = [:]
  /// In the order of their numbers.
  package var events: [Event] = []
  package var lastEvents: [App: UInt64] = [:]
  /// Why nothing can be remembered, or not all is known; then nothing new is granted.
  package var trouble: String?

  package init() {}
}
