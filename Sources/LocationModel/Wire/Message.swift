/// A line from the daemon, as a client reads it.
package enum Message: Sendable {
  case reply(id: Int64, Result<JSON, Refusal>)
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
  /// Nil where the line is no message at all.
  package init?(parsing line: UnsafeRawBufferPointer) {
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
    if let error = json["error"] {
      let refusal = Refusal(error)
      self = json["id"]?.integer.map { .reply(id: $0, .failure(refusal)) } ?? .farewell(refusal)
      return
    }
    guard let id = json["id"]?.integer, let result = json["result"] else { return nil }
    self = .reply(id: id, .success(result))
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
      self = .didFail(
        Refusal(
          Refusal.Code(parameters["code"]), parameters["error"]?.string ?? "No reason was given."))
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
        identifier: parameters["identifier"]?.string,
        Refusal(
          Refusal.Code(parameters["code"]), parameters["error"]?.string ?? "No reason was given."))
    case "didPauseLocationUpdates": self = .didPauseLocationUpdates
    case "didResumeLocationUpdates": self = .didResumeLocationUpdates
    case "didChangeAuthorization":
      guard
        let authorization = parameters["authorization"]?.string
          .flatMap(Authorization.init(rawValue:)),
        let accuracy = parameters["accuracy"]?.string.flatMap(AccuracyAuthorization.init(rawValue:))
      else { return nil }
      self = .didChangeAuthorization(authorization, accuracy)
    default: return nil
    }
  }
}

extension Refusal {
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
