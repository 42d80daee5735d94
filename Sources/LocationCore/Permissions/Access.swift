package import LocationModel

/// A rule about an app in an administrator's files.
package enum PolicyRule: Equatable, Sendable {
  /// Without asking, unless the person has decided otherwise.
  case allow(Authorization, AccuracyAuthorization)
  /// As if the person had refused.
  case deny
  /// The person cannot decide.
  case restrict
  /// A person is asked, even for a program of root's.
  case ask
}

/// All that is known of an app when it is decided what it may do.
package struct Standing: Equatable, Sendable {
  /// The master switch.
  package var servicesEnabled = true
  package var rule: PolicyRule?
  var isRestricted = false
  package var permission = Permission()
  /// Root's program, or the daemon's own user's: it could read the receivers and what is remembered,
  /// so that asking for it would protect nobody.
  var isTrusted = false
  /// It cannot be told who it is, only that it is kept apart: nothing that was decided is for it, and
  /// nobody can be asked about it.
  var isAnonymous = false
  var hasTemporaryFull = false
  package var isInUse = false

  package init() {}
}

/// An app's rights now: decided when something changes, never per fix.
package struct Access: Equatable, Sendable {
  package var authorization: Authorization
  package var accuracy: AccuracyAuthorization
  package var source: PermissionSource
  package var isInUse: Bool
  /// Beyond use, the person is asked once more before the app is told anything.
  package var isProvisional: Bool
}

/// The table's verdict about one service of one app.
enum Verdict: Equatable, Sendable {
  case allow(AccuracyAuthorization)
  /// Nothing now; as soon as the app is in use again, or its accuracy suffices.
  case wait
  /// Nobody has decided yet.
  case ask
  /// Nothing now: it was allowed Always provisionally, and the person is to say it again.
  case confirm
  case refuse
}

extension Access {
  /// The first of these wins: the master switch, having no name, a restriction, an administrator's denial,
  /// what was decided, an administrator's permission, trust.
  package init(_ standing: Standing) {
    let permission = standing.permission
    accuracy = permission.accuracy
    source = permission.source
    isInUse = standing.isInUse
    isProvisional = false
    if !standing.servicesEnabled {
      authorization = .denied
    } else if standing.isAnonymous {
      authorization = .denied
      source = .policy
    } else if standing.isRestricted {
      authorization = .restricted
      source = .administrator
    } else if standing.rule == .restrict || standing.rule == .deny {
      authorization = standing.rule == .deny ? .denied : .restricted
      source = .policy
    } else if permission.authorization != .notDetermined {
      authorization = permission.authorization
      isProvisional = permission.isProvisional
    } else if case .allow(let allowed, let exactness) = standing.rule {
      authorization = allowed
      accuracy = exactness
      source = .policy
    } else {
      let isTrusted = standing.isTrusted && standing.rule != .ask
      authorization = isTrusted ? .authorizedAlways : .notDetermined
      if isTrusted { source = .policy }
    }
    if standing.hasTemporaryFull, authorization.isAuthorized { accuracy = .full }
  }

  func verdict(for service: Service) -> Verdict {
    switch authorization {
    case .restricted, .denied: return .refuse
    case .notDetermined: return .ask
    case .authorizedWhenInUse:
      if service.needsAlways { return .refuse }
      if !isInUse { return .wait }
    case .authorizedAlways: break
    }
    // Crossing a line, and what is near, are known exactly or not at all.
    if service == .regions || service == .beacons, accuracy == .reduced { return .wait }
    if isProvisional, !isInUse { return .confirm }
    return .allow(accuracy)
  }
}

extension Authorization {
  package var isAuthorized: Bool { self == .authorizedWhenInUse || self == .authorizedAlways }
}

extension Service {
  /// The service runs while nobody looks.
  var needsAlways: Bool { self == .significant || self == .visits }
}

extension Verdict {
  package var isAllowed: Bool { if case .allow = self { true } else { false } }
}
