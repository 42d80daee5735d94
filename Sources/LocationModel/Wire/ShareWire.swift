/// The requests of locationd-share about the programs at its doors. The share numbers them; a descriptor of the
/// program's connection comes with `client`.
package enum ShareRequest: ServiceRequest {
  /// `place`: the administrator's line for a door without callers; nil where the kernel knows the caller.
  case client(Int64, ShareDoorKind, place: String?)
  case watch(Int64, isOn: Bool)
  /// `isSlow`: the client did not read what it was told, and is let go.
  case close(Int64, isSlow: Bool)

  package enum Reply: Equatable, Sendable {
    case done
    case client(ShareClient)
  }
}

/// The caller at a door, as the daemon knows it.
package struct ShareClient: Equatable, Sendable {
  package var app: String
  package var uid: UInt32
  package var authorization: Authorization
  package var accuracy: AccuracyAuthorization

  package init(
    app: String, uid: UInt32, authorization: Authorization, accuracy: AccuracyAuthorization
  ) {
    self.app = app
    self.uid = uid
    self.authorization = authorization
    self.accuracy = accuracy
  }

  /// The caller may be told what a receiver says.
  package var mayKnow: Bool {
    accuracy == .full
      && (authorization == .authorizedAlways || authorization == .authorizedWhenInUse)
  }
}

extension ShareRequest {
  package static let methods: [Method<ShareRequest>] = [
    Method("share.client", ["client", "door", "place"], reply: client) {
      (given) throws(Refusal) in
      guard let door: ShareDoorKind = try given.word("door") else {
        throw Refusal(.invalidParameters, "door is missing.")
      }
      return .client(try given.client(), door, place: try given.text("place"))
    } write: {
      guard case .client(let number, let door, let place) = $0 else { return nil }
      return [
        "client": .integer(number), "door": .string(door.rawValue),
        "place": place.map(JSON.string),
      ]
    },
    Method("share.watch", ["client", "on"], reply: done) {
      (given) throws(Refusal) in
      .watch(try given.client(), isOn: try given.truth("on") ?? true)
    } write: {
      guard case .watch(let number, let isOn) = $0 else { return nil }
      return ["client": .integer(number), "on": .bool(isOn)]
    },
    Method("share.close", ["client", "slow"], reply: done) {
      (given) throws(Refusal) in
      .close(try given.client(), isSlow: try given.truth("slow") ?? false)
    } write: {
      guard case .close(let number, let isSlow) = $0 else { return nil }
      return ["client": .integer(number), "slow": isSlow ? .bool(true) : nil]
    },
  ]

  private static func done(_ json: JSON) -> Reply? { .done }

  private static func client(_ json: JSON) -> Reply? { ShareClient(json).map(Reply.client) }
}

extension ShareClient {
  init?(_ json: JSON) {
    guard let app = json["app"]?.string,
      let uid = json["uid"]?.integer.flatMap(UInt32.init(exactly:))
    else { return nil }
    self.init(
      app: app, uid: uid, authorization: json.word("authorization") ?? .denied,
      accuracy: json.word("accuracy") ?? .full)
  }
}

extension Parameters {
  fileprivate func client() throws(Refusal) -> Int64 {
    guard let number = try whole("client", 1...Int64.max) else {
      throw Refusal(.invalidParameters, "client is missing.")
    }
    return number
  }
}

extension ShareClient {
  package var json: JSON {
    [
      "app": .string(app), "uid": .integer(Int64(uid)),
      "authorization": .string(authorization.rawValue),
      "accuracy": .string(accuracy.rawValue),
    ]
  }
}

// MARK: - What the share is told

/// A notification to locationd-share, for some of its clients.
package enum ShareNotice: Equatable, Sendable {
  case fix(clients: [Int64], SharedEpoch)
  case heading(clients: [Int64], Heading)
  /// The client may do something else from now on.
  case access(client: Int64, ShareClient)
  /// The client may be told nothing more, not even what waits.
  case stop(client: Int64)
}

extension TextBuffer {
  package mutating func append(_ notice: ShareNotice) {
    append("{\"jsonrpc\":\"2.0\",\"method\":\"")
    switch notice {
    case .fix(let clients, let epoch):
      append("share.fix\",\"params\":{")
      append(clients: clients)
      append(",\"location\":")
      append(epoch.fix.location)
      append(factsOf: epoch)
    case .heading(let clients, let heading):
      append("share.heading\",\"params\":{")
      append(clients: clients)
      append(",\"heading\":")
      append(heading)
    case .access(let client, let access):
      append("share.access\",\"params\":{\"client\":")
      append(integer: client)
      append(",\"access\":")
      append(access.json)
    case .stop(let client):
      append("share.stop\",\"params\":{\"client\":")
      append(integer: client)
    }
    append("}}\n")
  }

  private mutating func append(clients: [Int64]) {
    append("\"clients\":[")
    for (i, client) in clients.enumerated() {
      if i > 0 { append(UInt8(ascii: ",")) }
      append(integer: client)
    }
    append(UInt8(ascii: "]"))
  }

  private mutating func append(factsOf epoch: SharedEpoch) {
    let fix = epoch.fix
    append(",\"kind\":\"")
    append(fix.kind.rawValue)
    append(UInt8(ascii: "\""))
    if let received = fix.received {
      append(",\"receivedAt\":")
      append(integer: received.microseconds)
    }
    if let used = fix.satellitesUsed {
      append(",\"satellitesUsed\":")
      append(integer: Int64(used))
    }
    append(",\"hdop\":", fix.dilution.horizontal)
    append(",\"vdop\":", fix.dilution.vertical)
    append(",\"pdop\":", fix.dilution.position)
    if let deviations = fix.deviations {
      append(",\"deviations\":")
      append(deviations.json)
    }
    guard let satellites = epoch.satellites else { return }
    append(",\"satellites\":[")
    for (i, one) in satellites.enumerated() {
      if i > 0 { append(UInt8(ascii: ",")) }
      append(one.json)
    }
    append(UInt8(ascii: "]"))
  }

  private mutating func append(_ name: StaticString, _ value: Double?) {
    guard let value else { return }
    append(name)
    append(decimal: value, places: 3)
  }
}

extension ShareNotice {
  /// The client that may know nothing any more.
  package var revoked: Int64? {
    switch self {
    case .stop(let client): client
    case .access(let client, let access): access.mayKnow ? nil : client
    case .fix, .heading: nil
    }
  }

  package func withoutPlace(for revoked: Set<Int64>) -> ShareNotice {
    switch self {
    case .fix(let clients, let epoch):
      .fix(clients: clients.filter { !revoked.contains($0) }, epoch)
    case .heading(let clients, let heading):
      .heading(clients: clients.filter { !revoked.contains($0) }, heading)
    case .access, .stop: self
    }
  }

  /// Nil for a line that this program does not know.
  package init?(_ json: JSON) {
    guard let method = json["method"]?.string, let params = json["params"] else { return nil }
    switch method {
    case "share.fix":
      guard let location = params["location"].flatMap(Location.init) else { return nil }
      var fix = Fix(location, kind: params.word("kind") ?? .autonomous)
      fix.received = params["receivedAt"]?.integer.map(Timestamp.init(microseconds:))
      fix.satellitesUsed = params["satellitesUsed"]?.integer.flatMap { Int(exactly: $0) }
      fix.deviations = params["deviations"].map(Deviations.init)
      fix.dilution = Dilution(
        horizontal: params["hdop"]?.double, vertical: params["vdop"]?.double,
        position: params["pdop"]?.double)
      self = .fix(
        clients: params.clients,
        SharedEpoch(fix, satellites: params.list("satellites", Satellite.init)))
    case "share.heading":
      guard let heading = params["heading"].flatMap(Heading.init) else { return nil }
      self = .heading(clients: params.clients, heading)
    case "share.access":
      guard let client = params["client"]?.integer,
        let access = params["access"].flatMap(ShareClient.init)
      else { return nil }
      self = .access(client: client, access)
    case "share.stop":
      guard let client = params["client"]?.integer else { return nil }
      self = .stop(client: client)
    default: return nil
    }
  }
}

extension JSON {
  fileprivate var clients: [Int64] { list("clients", \.integer) ?? [] }
}

extension Deviations {
  fileprivate init(_ json: JSON) {
    self.init()
    ranges = json["ranges"]?.double
    (major, minor) = (json["major"]?.double, json["minor"]?.double)
    orientation = json["orientation"]?.double
    (latitude, longitude) = (json["latitude"]?.double, json["longitude"]?.double)
    altitude = json["altitude"]?.double
  }

  fileprivate var json: JSON {
    [
      "ranges": ranges.map(JSON.number), "major": major.map(JSON.number),
      "minor": minor.map(JSON.number), "orientation": orientation.map(JSON.number),
      "latitude": latitude.map(JSON.number), "longitude": longitude.map(JSON.number),
      "altitude": altitude.map(JSON.number),
    ]
  }
}
