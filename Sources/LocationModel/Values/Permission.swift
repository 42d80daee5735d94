/// The source of a decision about an app.
package enum PermissionSource: String, Sendable {
  case person, administrator, policy
}

/// An app, what it may do, and when it last did.
package struct AppPermission: Equatable, Sendable {
  package var app: String
  /// Nil is every user.
  package var uid: UInt32?
  package var authorization: Authorization
  package var accuracy: AccuracyAuthorization
  /// Who decided; nil where nothing is decided.
  package var source: PermissionSource?
  /// Until use ends.
  package var isOnce = false
  package var lastUsed: Timestamp?
  package var uses = 0
  /// The app's name for itself and its reason, beside its name by the kernel.
  package var claim = AppClaim()
  /// The service that is started when an event is for it and it is gone.
  package var activation: Activation?
  /// Events that it has not acknowledged.
  package var waiting = 0
  /// The readers that an administrator lets it tell without knowing them, as `everyone at 10.0.0.0/16`.
  package var lines: [String] = []

  package init(
    app: String, uid: UInt32?, authorization: Authorization, accuracy: AccuracyAuthorization,
    source: PermissionSource?
  ) {
    self.app = app
    self.uid = uid
    self.authorization = authorization
    self.accuracy = accuracy
    self.source = source
  }
}
