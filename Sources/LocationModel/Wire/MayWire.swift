/// The app that is asked about; without its name and without a process the one that asks.
package struct MayQuery: Equatable, Sendable {
  package var app: String?
  /// A process that is connected.
  package var pid: Int32?
  /// Nil is whoever asks.
  package var uid: UInt32?

  package init(app: String? = nil, pid: Int32? = nil, uid: UInt32? = nil) {
    self.app = app
    self.pid = pid
    self.uid = uid
  }
}

extension MayQuery {
  static let parameters: [Parameter<Self>] = [
    .text("app", \.app),
    Parameter(
      optional: "pid", \.pid, { (given) in { (name) throws(Refusal) in try given.pid(name) } },
      { .integer(Int64($0)) }), .uid(\.uid),
  ]
}

extension Parameters {
  fileprivate func pid(_ name: String) throws(Refusal) -> Int32? {
    try whole(name, 1...Int64(Int32.max)).map { Int32($0) }
  }
}

/// The answer that an app would have to each service now, and why.
package struct MayReply: Equatable, Sendable {
  package enum Answer: String, Sendable {
    case allow, refuse, ask
  }

  package var app: String
  package var uid: UInt32
  package var authorization: Authorization
  package var accuracy: AccuracyAuthorization
  package var services: [Service: Answer]
  /// Why each is answered so.
  package var reasons: [Service: String]
  /// Why the standard service is answered so.
  package var because: String

  package init(
    app: String, uid: UInt32, _ authorization: Authorization, _ accuracy: AccuracyAuthorization,
    services: [Service: Answer], reasons: [Service: String] = [:], because: String
  ) {
    self.app = app
    self.uid = uid
    self.authorization = authorization
    self.accuracy = accuracy
    self.services = services
    self.reasons = reasons
    self.because = because
  }

  package var json: JSON {
    let all = Service.allCases.compactMap { service in
      services[service].map { JSON.Member(key: service.rawValue, value: .string($0.rawValue)) }
    }
    let reasons = Service.allCases.compactMap { service in
      self.reasons[service].map { JSON.Member(key: service.rawValue, value: .string($0)) }
    }
    return [
      "app": .string(app), "uid": .integer(Int64(uid)),
      "authorization": .string(authorization.rawValue), "accuracy": .string(accuracy.rawValue),
      "services": .object(all), "reasons": .object(reasons), "because": .string(because),
    ]
  }

  package init?(_ json: JSON) {
    guard let app = json["app"]?.string,
      let uid = json["uid"]?.integer.flatMap(UInt32.init(exactly:)),
      let authorization: Authorization = json.word("authorization"),
      let because = json["because"]?.string
    else { return nil }
    var services: [Service: Answer] = [:]
    var reasons: [Service: String] = [:]
    for service in Service.allCases {
      services[service] = json["services"]?.word(service.rawValue)
      reasons[service] = json["reasons"]?[service.rawValue]?.string
    }
    self.init(
      app: app, uid: uid, authorization, json.word("accuracy") ?? .full, services: services,
      reasons: reasons, because: because)
  }
}
