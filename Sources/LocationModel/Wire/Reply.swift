/// The daemon's answer to a request that it grants.
package enum Reply: Equatable, Sendable {
  case done
  case hello(Greeting)
  case status(Status)
  /// Nil where nothing is known yet.
  case location(Location?)
  case regions([Region], more: Bool)
  case state(RegionState)
  case authorization(Authorization)
  case accuracy(AccuracyAuthorization)
  case permissions([AppPermission])
  case here(HereStatus)
  case wifi(WiFiStatus)
  /// The newest days first; older ones may be left out.
  case history([AppAccess], more: Bool)
  /// Nil where none goes on.
  case pause(PauseStatus?)
  case may(MayReply)
}

extension Reply {
  /// Whether it says where the machine is, and so may not be read after a revocation.
  package var hasPlace: Bool {
    switch self {
    case .location, .state, .here: true
    case .done, .hello, .status, .authorization, .accuracy, .permissions, .regions, .wifi,
      .history, .pause, .may:
      false
    }
  }
}

// The value of a reply, for the client that asked for it.
extension Reply {
  package var greeting: Greeting? { if case .hello(let greeting) = self { greeting } else { nil } }
  package var status: Status? { if case .status(let status) = self { status } else { nil } }
  package var state: RegionState? { if case .state(let state) = self { state } else { nil } }
  package var location: Location? { if case .location(let place) = self { place } else { nil } }
  package var here: HereStatus? { if case .here(let status) = self { status } else { nil } }
  package var wifi: WiFiStatus? { if case .wifi(let status) = self { status } else { nil } }
  package var history: [AppAccess]? { if case .history(let all, _) = self { all } else { nil } }
  package var pause: PauseStatus? { if case .pause(let status) = self { status } else { nil } }
  package var may: MayReply? { if case .may(let reply) = self { reply } else { nil } }
  package var permissions: [AppPermission]? {
    if case .permissions(let apps) = self { apps } else { nil }
  }
}

/// The answer to `hello`: who the daemon takes the client for, and what it may do.
package struct Greeting: Equatable, Sendable {
  static let protocolVersion = 1

  package var version: String
  package var app: String
  package var authorization: Authorization
  package var accuracy: AccuracyAuthorization
  package var services: [Service]
  /// The random name of the daemon's memory of events: numbers of events begin anew with another one. Older daemons
  /// have none.
  package var ledger: Int64?

  package init(
    version: String, app: String, authorization: Authorization, accuracy: AccuracyAuthorization,
    services: [Service], ledger: Int64? = nil
  ) {
    self.version = version
    self.app = app
    self.authorization = authorization
    self.accuracy = accuracy
    self.services = services
    self.ledger = ledger
  }
}

/// A service for clients; all are named on the wire, with whether this daemon has it.
package enum Service: String, CaseIterable, Sendable {
  case standard, significant, visits, regions, heading, beacons
}

extension [Service] {
  var json: JSON {
    .object(Service.allCases.map { .init(key: $0.rawValue, value: .bool(contains($0))) })
  }
}

extension Greeting {
  var json: JSON {
    [
      "protocol": .integer(Int64(Self.protocolVersion)), "version": .string(version),
      "app": .string(app), "authorization": .string(authorization.rawValue),
      "accuracy": .string(accuracy.rawValue), "services": services.json,
      "ledger": ledger.map(JSON.integer),
    ]
  }
}

extension Greeting {
  /// A missing right is none that has been decided about.
  init(_ json: JSON) {
    self.init(
      version: json["version"]?.string ?? "", app: json["app"]?.string ?? "",
      authorization: json.word("authorization") ?? .notDetermined,
      accuracy: json.word("accuracy") ?? .full,
      services: Service.allCases.filter { json["services"]?[$0.rawValue]?.bool == true },
      ledger: json["ledger"]?.integer)
  }
}

extension JSON {
  /// A member that is one of certain words.
  package func word<Word: RawRepresentable<String>>(_ key: String) -> Word? {
    self[key]?.string.flatMap(Word.init(rawValue:))
  }

  /// The items of a list that can be read; nil where there is no list.
  package func list<Item>(_ key: String, _ read: (JSON) -> Item?) -> [Item]? {
    self[key]?.array?.compactMap(read)
  }
}

extension TextBuffer {
  /// A granted request's line.
  package mutating func append(_ reply: Reply, id: JSON) {
    append("{\"jsonrpc\":\"2.0\",\"id\":")
    append(id)
    append(",\"result\":")
    switch reply {
    case .done, .location(nil), .pause(nil): append("{}")
    case .hello(let greeting): append(greeting.json)
    case .status(let status): append(status.json)
    case .authorization(let authorization):
      append(["authorization": .string(authorization.rawValue)] as JSON)
    case .accuracy(let accuracy):
      append(["accuracy": .string(accuracy.rawValue)] as JSON)
    case .permissions(let apps):
      append(["permissions": .array(apps.map(\.json))] as JSON)
    case .location(let location?):
      append("{\"location\":")
      append(location)
      append(UInt8(ascii: "}"))
    case .regions(let regions, let more):
      append(["regions": .array(regions.map(\.json)), "more": .bool(more)])
    case .here(let status): append(status.json)
    case .wifi(let status): append(status.json)
    case .pause(let status?): append(status.json)
    case .may(let reply): append(reply.json)
    case .history(let entries, let more):
      append(["entries": .array(entries.map(\.json)), "more": more ? .bool(true) : nil])
    case .state(let state): append(["state": .string(state.rawValue)])
    }
    append("}\n")
  }

  /// A refused request's line.
  package mutating func append(_ refusal: Refusal, id: JSON) {
    append("{\"jsonrpc\":\"2.0\",\"id\":")
    append(id)
    append(",\"error\":")
    append(refusal.json)
    append("}\n")
  }

  /// The line of an answer that is JSON already.
  package mutating func append(_ answer: Result<JSON, Refusal>, id: JSON) {
    switch answer {
    case .success(let result):
      append(["jsonrpc": "2.0", "id": id, "result": result] as JSON)
      append(UInt8(ascii: "\n"))
    case .failure(let refusal): append(refusal, id: id)
    }
  }
}

extension Refusal {
  var json: JSON {
    [
      "code": .integer(Int64(code.number)), "message": .string(message),
      "data": ["name": .string(code.name), "domain": code.domain.map(JSON.string)],
    ]
  }
}
