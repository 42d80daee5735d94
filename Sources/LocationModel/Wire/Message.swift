/// A line from the daemon, as a client reads it.
package enum Message: Sendable {
  case reply(id: Int64, Result<Reply, Refusal>)
  case event(manager: Int, Event)
  /// Something an agent is asked; without an id no answer is wanted.
  case request(id: JSON?, AgentRequest)
  /// One that is told again until it, or a later one, is acknowledged.
  case numbered(manager: Int, Event, number: UInt64)
  /// A refusal that answers no request in particular: the connection is about to end.
  case farewell(Refusal)
  /// Something a newer daemon says.
  case unknown
}

extension Message {
  /// Nil where the line is no message at all. `awaited`: the requests whose replies have not come yet.
  package init?(parsing line: UnsafeRawBufferPointer, awaited: inout [Int64: Request]) {
    guard let json = try? JSON(parsing: line), json.members != nil else { return nil }
    if let method = json["method"]?.string {
      let parameters = json["params"] ?? [:]
      if let request = AgentRequest(method: method, parameters) {
        self = .request(id: json["id"], request)
        return
      }
      let manager = Int(parameters["manager"]?.integer ?? 0)
      guard let event = Event(name: method, parameters) else {
        self = .unknown
        return
      }
      let number = parameters["event"]?.integer.flatMap(UInt64.init(exactly:)) ?? 0
      self =
        number == 0
        ? .event(manager: manager, event) : .numbered(manager: manager, event, number: number)
      return
    }
    let id = json["id"]?.integer
    let request = id.flatMap { awaited.removeValue(forKey: $0) }
    if let error = json["error"] {
      let refusal = Refusal(error)
      self = id.map { .reply(id: $0, .failure(refusal)) } ?? .farewell(refusal)
      return
    }
    guard let id, let result = json["result"] else { return nil }
    guard let request else {
      self = .unknown
      return
    }
    self = .reply(id: id, Result { () throws(Refusal) in try request.reply(result) })
  }
}

/// A reply to a request that its reader knows by the number; its result stands as it came, unread.
package struct UnreadReply {
  package var id: Int64
  package var result: Result<UnsafeRawBufferPointer, Refusal>

  /// Nil for a line that is no reply.
  package init?(_ line: UnsafeRawBufferPointer) {
    guard let members = UnreadObject(line), let text = members["id"],
      let id = (try? JSON(parsing: text))?.integer
    else { return nil }
    self.id = id
    if let error = members["error"] {
      result = .failure(Refusal((try? JSON(parsing: error)) ?? [:]))
    } else if let value = members["result"] {
      result = .success(value)
    } else {
      return nil
    }
  }
}

extension Event {
  package init?(name: String, _ parameters: JSON) {
    switch name {
    case "didUpdateLocations":
      guard let json = parameters["locations"]?.array?.last, let location = Location(json),
        let service = parameters["service"]?.string.flatMap(Service.init(rawValue:))
      else { return nil }
      self = .didUpdateLocations(location, service)
    case "didUpdateHeading":
      guard let heading = parameters["heading"].flatMap(Heading.init) else { return nil }
      self = .didUpdateHeading(heading)
    case "didFail":
      self = .didFail(Refusal(told: parameters))
    case "didVisit":
      guard let visit = parameters["visit"].flatMap(Visit.init) else { return nil }
      self = .didVisit(visit)
    case "didEnterRegion", "didExitRegion":
      guard let identifier = parameters["region"]?.string,
        let moment = parameters["timestamp"]?.string.flatMap(Timestamp.init(iso8601:))
      else { return nil }
      self =
        name == "didEnterRegion"
        ? .didEnterRegion(identifier: identifier, moment)
        : .didExitRegion(identifier: identifier, moment)
    case "didDetermineState":
      guard let identifier = parameters["identifier"]?.string,
        let state = parameters["state"]?.string.flatMap(RegionState.init(rawValue:))
      else { return nil }
      self = .didDetermineState(identifier: identifier, state)
    case "didStartMonitoring":
      guard let identifier = parameters["identifier"]?.string else { return nil }
      self = .didStartMonitoring(identifier: identifier)
    case "monitoringDidFail":
      self = .monitoringDidFail(
        identifier: parameters["identifier"]?.string, Refusal(told: parameters))
    case "didPauseLocationUpdates": self = .didPauseLocationUpdates
    case "didResumeLocationUpdates": self = .didResumeLocationUpdates
    case "didChangeAuthorization":
      guard
        let authorization: Authorization = parameters.word("authorization"),
        let accuracy: AccuracyAuthorization = parameters.word("accuracy")
      else { return nil }
      self = .didChangeAuthorization(authorization, accuracy)
    case "didRangeBeacons":
      guard let constraint = parameters.constraint, let beacons = parameters["beacons"]?.array
      else { return nil }
      self = .didRangeBeacons(constraint, beacons.compactMap(Beacon.init))
    case "rangingDidFail":
      guard let constraint = parameters.constraint else { return nil }
      self = .rangingDidFail(constraint, Refusal(told: parameters))
    case "didStartAdvertising": self = .didStartAdvertising
    case "advertisingDidFail": self = .advertisingDidFail(Refusal(told: parameters))
    default: return nil
    }
  }
}

extension JSON {
  fileprivate var constraint: BeaconConstraint? {
    self["constraint"].flatMap { try? BeaconConstraint($0) }
  }
}

extension Refusal {
  /// The refusal of an event's parameters.
  fileprivate init(told parameters: JSON) {
    self.init(Code(parameters["code"]), parameters["error"]?.string ?? "No reason was given.")
  }

  fileprivate init(_ json: JSON) {
    self.init(
      Code(json["code"], json["data"]?["domain"]?.string),
      json["message"]?.string ?? "No reason was given.")
  }
}

extension Refusal.Code {
  /// A number this version does not know stands for a failure like any other.
  fileprivate init(_ json: JSON?, _ domain: String? = nil) {
    let number = json?.integer.flatMap { Int(exactly: $0) }.flatMap { $0 < 1000 ? $0 : nil }
    self = number.flatMap { Self(number: $0, domain: domain) } ?? .failed
  }
}
