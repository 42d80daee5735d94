/// The daemon's request to an agent, which stands for the person it runs for.
package enum AgentRequest: Equatable, Sendable {
  case decide(AgentQuestion)
  /// The question need not be answered any more.
  case cancel(question: Int64)
  /// `socket`: the inode of the daemon's end of the program's connection, if it has one.
  case identify(pid: Int32, socket: UInt32? = nil)
  /// Which process has this name on the session's bus; answered with `AgentOwner`.
  case owner(busName: String)
  /// Starts one of its user's programs, as that program once said how; answered with anything.
  case launch(app: String, Activation)
  /// These apps, and no others, stay in use though nobody may be looking: the person is to see it.
  case holding(apps: [String])
  /// These apps, and no others, are being told the place; until that moment the person has paused.
  case uses([AppUse], pausedUntil: Timestamp? = nil, services: [MachineService] = [])
}

/// An app that is being told the place.
package struct AppUse: Equatable, Sendable {
  package var app: String
  /// The app's own name.
  package var name: String?
  package var since: Timestamp
  package var accuracy: AccuracyAuthorization
  package var isBackground: Bool

  package init(
    app: String, name: String?, since: Timestamp, accuracy: AccuracyAuthorization,
    isBackground: Bool
  ) {
    self.app = app
    self.name = name
    self.since = since
    self.accuracy = accuracy
    self.isBackground = isBackground
  }

  package var json: JSON {
    [
      "app": .string(app), "name": name.map(JSON.string), "since": .string(since.iso8601),
      "accuracy": .string(accuracy.rawValue), "background": .bool(isBackground),
    ]
  }

  package init?(_ json: JSON) {
    guard let app = json["app"]?.string,
      let since = json["since"]?.string.flatMap(Timestamp.init(iso8601:))
    else { return nil }
    self.init(
      app: app, name: json["name"]?.string, since: since, accuracy: json.word("accuracy") ?? .full,
      isBackground: json["background"]?.bool ?? false)
  }
}

/// An agent's answer to `owner`.
package struct AgentOwner: Equatable, Sendable {
  package var pid: Int32

  package init(pid: Int32) { self.pid = pid }

  package var json: JSON { ["pid": .integer(Int64(pid))] }

  package init?(_ json: JSON) {
    guard let pid = json["pid"]?.integer.flatMap(Int32.init(exactly:)), pid > 0 else { return nil }
    self.pid = pid
  }
}

/// A question to a person about an app.
package struct AgentQuestion: Equatable, Sendable {
  package enum Level: String, Sendable {
    case whenInUse, always, fullAccuracy
  }

  package var number: Int64
  package var app: String
  package var uid: UInt32
  package var pid: Int32
  package var level: Level
  /// The permission that it has already.
  package var current: Authorization
  /// The app's name for itself and its reason: its claims, and nobody else's.
  package var name: String?
  package var purpose: String?
  /// An interpreter that may run any program: it can be allowed once, and not for good.
  package var isOnceOnly: Bool
  /// The command line, through which each program of its user can ask.
  package var isForAll: Bool

  package init(
    number: Int64, app: String, uid: UInt32, pid: Int32, level: Level, current: Authorization,
    name: String? = nil, purpose: String?, isOnceOnly: Bool = false,
    isForAll: Bool = false
  ) {
    self.number = number
    self.app = app
    self.uid = uid
    self.pid = pid
    self.level = level
    self.current = current
    self.name = name
    self.purpose = purpose
    self.isOnceOnly = isOnceOnly
    self.isForAll = isForAll
  }

  /// What the person decides besides: they allow more than the one program that asks.
  package var warning: String? {
    guard isForAll, !isOnceOnly, level != .fullAccuracy else { return nil }
    return current == .authorizedWhenInUse
      ? "Every program of yours can ask through locationctl."
      : "Once is for now. Allowed for longer, every program of yours can ask through locationctl."
  }
}

/// A person's decision.
package struct AgentDecision: Equatable, Sendable {
  package enum Choice: String, Sendable {
    case allowWhileUsing, allowOnce, allowAlways, deny
  }

  package var choice: Choice
  package var accuracy: AccuracyAuthorization

  package init(_ choice: Choice, _ accuracy: AccuracyAuthorization = .full) {
    self.choice = choice
    self.accuracy = accuracy
  }
}

extension AgentRequest {
  package var method: String {
    switch self {
    case .decide: "agent.decide"
    case .cancel: "agent.cancel"
    case .identify: "agent.identify"
    case .owner: "agent.owner"
    case .launch: "agent.launch"
    case .holding: "agent.holding"
    case .uses: "agent.uses"
    }
  }

  private var parameters: JSON {
    switch self {
    case .decide(let question):
      [
        "question": .integer(question.number), "app": .string(question.app),
        "uid": .integer(Int64(question.uid)), "pid": .integer(Int64(question.pid)),
        "level": .string(question.level.rawValue), "current": .string(question.current.rawValue),
        "name": question.name.map(JSON.string), "purpose": question.purpose.map(JSON.string),
        "onceOnly": question.isOnceOnly ? .bool(true) : nil,
        "forAll": question.isForAll ? .bool(true) : nil,
      ]
    case .cancel(let number): ["question": .integer(number)]
    case .identify(let pid, let socket):
      ["pid": .integer(Int64(pid)), "socket": socket.map { .integer(Int64($0)) }]
    case .owner(let name): ["busName": .string(name)]
    case .launch(let app, let activation):
      .object([.init(key: "app", value: .string(app))] + activation.members)
    case .holding(let apps): ["apps": .array(apps.map(JSON.string))]
    case .uses(let apps, let end, let services):
      .object(
        [JSON.Member(key: "apps", value: .array(apps.map(\.json)))]
          + (end.map { [JSON.Member(key: "pausedUntil", value: .string($0.iso8601))] } ?? [])
          + services.members)
    }
  }

  /// The request as a line; without an id no answer is wanted.
  package func json(id: JSON?) -> JSON {
    ["jsonrpc": "2.0", "id": id, "method": .string(method), "params": parameters]
  }

  package init?(method: String, _ parameters: JSON) {
    switch method {
    case "agent.decide":
      guard let number = parameters["question"]?.integer, let app = parameters["app"]?.string,
        let uid = parameters["uid"]?.integer.flatMap(UInt32.init(exactly:)),
        let pid = parameters["pid"]?.integer.flatMap(Int32.init(exactly:)),
        let level = parameters["level"]?.string.flatMap(AgentQuestion.Level.init(rawValue:))
      else { return nil }
      self = .decide(
        AgentQuestion(
          number: number, app: app, uid: uid, pid: pid, level: level,
          current: parameters["current"]?.string.flatMap(Authorization.init(rawValue:))
            ?? .notDetermined,
          name: parameters["name"]?.string, purpose: parameters["purpose"]?.string,
          isOnceOnly: parameters["onceOnly"] == .bool(true),
          isForAll: parameters["forAll"] == .bool(true)))
    case "agent.cancel":
      guard let number = parameters["question"]?.integer else { return nil }
      self = .cancel(question: number)
    case "agent.identify":
      guard let pid = parameters["pid"]?.integer.flatMap(Int32.init(exactly:)) else { return nil }
      self = .identify(
        pid: pid, socket: parameters["socket"]?.integer.flatMap(UInt32.init(exactly:)))
    case "agent.owner":
      guard let name = parameters["busName"]?.string, case .busName? = Activation(busName: name)
      else { return nil }
      self = .owner(busName: name)
    case "agent.launch":
      guard let app = parameters["app"]?.string, let activation = Activation(parameters) else {
        return nil
      }
      self = .launch(app: app, activation)
    case "agent.holding":
      guard let apps = parameters["apps"]?.array else { return nil }
      self = .holding(apps: apps.compactMap(\.string))
    case "agent.uses":
      guard let apps = parameters.list("apps", AppUse.init) else { return nil }
      self = .uses(
        apps, pausedUntil: parameters["pausedUntil"]?.string.flatMap(Timestamp.init(iso8601:)),
        services: .init(parameters))
    default: return nil
    }
  }
}

extension AgentDecision {
  package var json: JSON {
    ["decision": .string(choice.rawValue), "accuracy": .string(accuracy.rawValue)]
  }

  /// Nil for what is no decision, which is not to be taken for one.
  package init?(_ json: JSON) {
    guard let choice = json["decision"]?.string.flatMap(Choice.init(rawValue:)) else { return nil }
    var accuracy = AccuracyAuthorization.full
    if let word = json["accuracy"] {
      guard let known = word.string.flatMap(AccuracyAuthorization.init(rawValue:)) else {
        return nil
      }
      accuracy = known
    }
    self.init(choice, accuracy)
  }
}

/// A client's answer to something the daemon asked it.
package struct ClientAnswer: Equatable, Sendable {
  package var id: JSON
  /// Nil where it could not or would not.
  package var result: JSON?

  package init(id: JSON, result: JSON?) {
    self.id = id
    self.result = result
  }

  /// Nil where the line is a request, or nothing.
  package init?(parsing line: UnsafeRawBufferPointer) {
    guard let json = try? JSON(parsing: line), json["method"] == nil, let id = json["id"],
      json["result"] != nil || json["error"] != nil
    else { return nil }
    self.init(id: id, result: json["result"])
  }

  package var json: JSON {
    let refusal: JSON = ["code": .integer(-32603), "message": "No answer."]
    return ["jsonrpc": "2.0", "id": id, "result": result, "error": result == nil ? refusal : nil]
  }
}
