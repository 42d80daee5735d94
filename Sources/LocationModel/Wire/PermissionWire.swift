/// An administrator's change of an app's permission; nil leaves a part as it is.
package struct PermissionChange: Equatable, Sendable {
  package var app: String
  /// Nil is whoever asks.
  package var uid: UInt32?
  package var authorization: Authorization?
  package var accuracy: AccuracyAuthorization?
  package var once: Bool

  package init(
    app: String, uid: UInt32? = nil, authorization: Authorization? = nil,
    accuracy: AccuracyAuthorization? = nil, once: Bool = false
  ) {
    self.app = app
    self.uid = uid
    self.authorization = authorization
    self.accuracy = accuracy
    self.once = once
  }
}

/// Which apps are meant; without a name all of them, without a user whoever asks.
package struct AppSelection: Equatable, Sendable {
  package var app: String?
  package var uid: UInt32?

  package init(app: String? = nil, uid: UInt32? = nil) {
    self.app = app
    self.uid = uid
  }
}

extension PermissionChange {
  static let parameters: [Parameter<Self>] = [
    Parameter("app", \.app, Parameters.app, JSON.string), .uid(\.uid),
    Parameter(optional: "authorization", \.authorization, Parameters.word) {
      .string($0.rawValue)
    }, Parameter(optional: "accuracy", \.accuracy, Parameters.word) { .string($0.rawValue) },
    .truth("once", \.once),
  ]

  func check() throws(Refusal) {
    guard authorization != nil || accuracy != nil || once else {
      throw Refusal(
        .invalidParameters, "Nothing is to be changed: give authorization, accuracy or once.")
    }
    guard authorization != .notDetermined else {
      throw Refusal(.invalidParameters, "permissions.reset makes an app not determined.")
    }
    guard !once || authorization == nil || authorization == .authorizedWhenInUse else {
      throw Refusal(.invalidParameters, "once goes with authorizedWhenInUse only.")
    }
  }
}

extension AppSelection {
  static let parameters: [Parameter<Self>] = [.text("app", \.app), .uid(\.uid)]
}

extension Parameter {
  static func uid(
    _ path: any WritableKeyPath<Value, UInt32?> & Sendable
  ) -> Self {
    Self(optional: "uid", path, Parameters.uid) { .integer(Int64($0)) }
  }
}

extension AppPermission {
  package var json: JSON {
    var moment = TextBuffer()
    if let lastUsed { moment.append(lastUsed) }
    let common: JSON = [
      "app": .string(app), "uid": uid.map { .integer(Int64($0)) },
      "authorization": .string(authorization.rawValue), "accuracy": .string(accuracy.rawValue),
      "source": source.map { .string($0.rawValue) }, "uses": .integer(Int64(uses)),
      "once": isOnce ? .bool(true) : nil,
      "lastUsed": lastUsed.map { _ in .string(String(decoding: moment.bytes, as: UTF8.self)) },
      "waiting": waiting == 0 ? nil : .integer(Int64(waiting)),
      "name": claim.name.map(JSON.string), "purpose": claim.purpose.map(JSON.string),
      "lines": lines.isEmpty ? nil : .array(lines.map(JSON.string)),
    ]
    return .object((common.members ?? []) + (activation?.members ?? []))
  }

  package init?(_ json: JSON) {
    guard let app = json["app"]?.string,
      let authorization = json["authorization"]?.string.flatMap(Authorization.init(rawValue:)),
      let accuracy = json["accuracy"]?.string.flatMap(AccuracyAuthorization.init(rawValue:))
    else { return nil }
    let source = json["source"]?.string.flatMap(PermissionSource.init(rawValue:))
    self.init(
      app: app, uid: json["uid"]?.integer.flatMap(UInt32.init(exactly:)),
      authorization: authorization, accuracy: accuracy, source: source)
    lastUsed = json["lastUsed"]?.string.flatMap(Timestamp.init(iso8601:))
    isOnce = json["once"] == .bool(true)
    uses = json["uses"]?.integer.flatMap { Int(exactly: $0) } ?? 0
    activation = Activation(json)
    claim = AppClaim(name: json["name"]?.string, purpose: json["purpose"]?.string)
    waiting = json["waiting"]?.integer.flatMap { Int(exactly: $0) } ?? 0
    lines = (json["lines"]?.array ?? []).compactMap(\.string)
  }
}

extension Parameters {
  fileprivate func app(_ name: String) throws(Refusal) -> String? {
    guard let app = try text(name) else {
      throw Refusal(.invalidParameters, "app is missing.")
    }
    return app
  }

  /// The level that is asked for, as the permission that it would be.
  func level() throws(Refusal) -> Authorization {
    switch try text("level") {
    case "whenInUse": .authorizedWhenInUse
    case "always": .authorizedAlways
    default: throw Refusal(.invalidParameters, "level is whenInUse or always.")
    }
  }

  fileprivate func uid(_ name: String) throws(Refusal) -> UInt32? {
    try whole(name, 0...Int64(UInt32.max - 1)).map { UInt32($0) }
  }
}
