/// A line from the daemon, as a client reads it.
package enum Message: Sendable {
  case reply(id: Int64, Result<JSON, Refusal>)
  case event(manager: Int, Event)
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
      let manager = Int(parameters["manager"]?.integer ?? 0)
      self = Event(name: method, parameters).map { .event(manager: manager, $0) } ?? .unknown
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
  fileprivate init?(name: String, _ parameters: JSON) {
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
    self.init(Code(json["code"]), json["message"]?.string ?? "No reason was given.")
  }
}

extension Refusal.Code {
  /// A number this version does not know stands for a failure like any other.
  fileprivate init(_ json: JSON?) {
    self = json?.integer.flatMap { Int(exactly: $0) }.flatMap(Self.init(rawValue:)) ?? .failed
  }
}
