package import LocationModel

/// The decision about an app, and what led to it.
package struct Permission: Equatable, Sendable {
  /// Never `restricted`, which is fixed elsewhere and leaves this as it is.
  package var authorization: Authorization
  package var accuracy: AccuracyAuthorization
  package var source: PermissionSource
  /// The app sees Always, the person has said While Using: the second question is still to come.
  package var isProvisional = false
  /// It has had its one try for Always.
  package var hasAskedForAlways = false
  /// Until use ends. It is not stored: on the disk it is not determined.
  package var isOnce = false

  package init(
    _ authorization: Authorization = .notDetermined, _ accuracy: AccuracyAuthorization = .full,
    by source: PermissionSource = .person
  ) {
    self.authorization = authorization
    self.accuracy = accuracy
    self.source = source
  }
}

extension Permission {
  /// No more than either: what holds while it is not known which of the two it will be.
  func narrowed(by other: Permission) -> Permission {
    var less = authorization.rank <= other.authorization.rank ? self : other
    if accuracy == .reduced || other.accuracy == .reduced { less.accuracy = .reduced }
    return less
  }
}

extension Authorization {
  fileprivate var rank: Int {
    switch self {
    case .restricted, .denied: 0
    case .notDetermined: 1
    case .authorizedWhenInUse: 2
    case .authorizedAlways: 3
    }
  }
}

/// When an app last used a service, and how often it has.
package struct Usage: Equatable, Sendable {
  package var last: Timestamp
  package var count: Int

  package init(last: Timestamp, count: Int) {
    self.last = last
    self.count = count
  }
}

/// An app that an administrator keeps from locations, whatever its user decides; without a user, it is
/// kept from them for all.
package struct Restriction: Hashable, Sendable {
  package var uid: UInt32?
  package var name: String

  package init(uid: UInt32?, name: String) {
    self.uid = uid
    self.name = name
  }

  func covers(_ app: App) -> Bool { name == app.name && (uid == nil || uid == app.uid) }
}
