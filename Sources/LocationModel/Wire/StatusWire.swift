extension Status {
  package var json: JSON {
    [
      "version": .string(version), "services": services.json, "client": client.json,
      "enabled": .bool(isEnabled), "pause": pause?.json, "obstacle": obstacle.map(JSON.string),
      "agent": .string(agent.rawValue), "sky": sky?.json,
      "sources": isForAdministrator || isForPage
        ? sources.map { .array($0.map(isForAdministrator ? \.json : \.outline)) } : nil,
      "places": places.map { .array($0.map(\.json)) },
      "clients": clients.map { .array($0.map(\.json)) },
      "monitors": monitors.map { .array($0.map(\.json)) },
      "counters": counters.map {
        [
          "fixes": .integer(Int64($0.fixes)), "refused": .integer(Int64($0.refused)),
          "told": .integer(Int64($0.told)), "wakeUps": .integer(Int64($0.wakeUps)),
          "launches": .integer(Int64($0.launches)), "slow": .integer(Int64($0.slow)),
        ]
      },
      "need": need?.json, "trouble": trouble.map(JSON.string),
    ]
  }

  package init?(_ json: JSON) {
    guard let version = json["version"]?.string,
      let client = json["client"].flatMap(ClientStatus.init)
    else { return nil }
    self.init(
      version: version,
      services: Service.allCases.filter { json["services"]?[$0.rawValue]?.bool == true },
      client: client)
    isEnabled = json["enabled"]?.bool ?? true
    pause = json["pause"].flatMap(PauseStatus.init)
    obstacle = json["obstacle"]?.string
    sky = json["sky"].map(SkyStatus.init)
    agent = json["agent"]?.string.flatMap(AgentState.init) ?? .none
    sources = json["sources"]?.array.map { $0.compactMap(SourceStatus.init) }
    places = json["places"]?.array.map { $0.compactMap(PlaceStatus.init) }
    clients = json["clients"]?.array.map { $0.compactMap(ClientStatus.init) }
    monitors = json["monitors"]?.array.map { $0.compactMap(MonitorStatus.init) }
    counters = json["counters"].map {
      var counters = Counters()
      counters.fixes = $0.count("fixes")
      counters.refused = $0.count("refused")
      counters.told = $0.count("told")
      counters.wakeUps = $0.count("wakeUps")
      counters.launches = $0.count("launches")
      counters.slow = $0.count("slow")
      return counters
    }
    need = json["need"].flatMap(NeedStatus.init)
    trouble = json["trouble"]?.string
  }
}

extension SkyStatus {
  package var json: JSON {
    [
      "satellites": .array(satellites.map(\.json)),
      "horizontalDilution": dilution.horizontal.map(JSON.number),
      "verticalDilution": dilution.vertical.map(JSON.number),
      "positionDilution": dilution.position.map(JSON.number),
    ]
  }

  package init(_ json: JSON) {
    self.init(
      satellites: (json["satellites"]?.array ?? []).compactMap(Satellite.init),
      dilution: Dilution(
        horizontal: json["horizontalDilution"]?.double,
        vertical: json["verticalDilution"]?.double, position: json["positionDilution"]?.double))
  }
}

extension NeedStatus {
  var json: JSON {
    [
      "updating": .integer(Int64(updating)), "waiting": .integer(Int64(waiting)),
      "headings": .integer(Int64(headings)), "monitoring": .integer(Int64(monitoring)),
      "ranging": .integer(Int64(ranging)), "advertising": .integer(Int64(advertising)),
      "accuracy": .number(accuracy.rounded(toPlaces: 3)),
      "every": .number(every.rounded(toPlaces: 3)),
      "resting": resting.map { .number($0.rounded(toPlaces: 3)) },
    ]
  }

  init?(_ json: JSON) {
    guard let accuracy = json["accuracy"]?.double, let every = json["every"]?.double else {
      return nil
    }
    updating = json.count("updating")
    waiting = json.count("waiting")
    headings = json.count("headings")
    monitoring = json.count("monitoring")
    ranging = json.count("ranging")
    advertising = json.count("advertising")
    self.accuracy = accuracy
    self.every = every
    resting = json["resting"]?.double
  }
}

extension ClientStatus {
  var json: JSON {
    [
      "app": .string(app), "uid": .integer(Int64(uid)), "pid": .integer(Int64(pid)),
      "name": name.map(JSON.string), "authorization": .string(authorization.rawValue),
      "accuracy": .string(accuracy.rawValue), "inUse": .bool(isInUse),
      "holdsUse": holdsUse ? .bool(true) : nil, "updating": .integer(Int64(updating)),
      "waiting": .integer(Int64(waiting)), "headings": .integer(Int64(turning)),
      "ranging": .integer(Int64(ranging)), "advertising": isAdvertising ? .bool(true) : nil,
    ]
  }

  init?(_ json: JSON) {
    guard let app = json["app"]?.string,
      let uid = json["uid"]?.integer.flatMap(UInt32.init(exactly:)),
      let pid = json["pid"]?.integer.flatMap(Int32.init(exactly:)),
      let authorization = json["authorization"]?.string.flatMap(Authorization.init(rawValue:)),
      let accuracy = json["accuracy"]?.string.flatMap(AccuracyAuthorization.init(rawValue:))
    else { return nil }
    self.init(
      app: app, uid: uid, pid: pid, name: json["name"]?.string, authorization: authorization,
      accuracy: accuracy)
    isInUse = json["inUse"]?.bool ?? false
    holdsUse = json["holdsUse"]?.bool ?? false
    updating = json.count("updating")
    waiting = json.count("waiting")
    turning = json.count("headings")
    ranging = json.count("ranging")
    isAdvertising = json["advertising"]?.bool ?? false
  }
}

extension SourceStatus {
  /// For the settings of a person: other states would say when programs of others use the place, a reason where
  /// on the disk a recording is.
  fileprivate var outline: JSON {
    var word: String? = nil
    if case .failed = state { word = state.word }
    return ["name": .string(name), "state": word.map(JSON.string)]
  }

  package var json: JSON {
    var reason: String? = nil
    if case .failed(let why) = state { reason = why }
    let common: JSON = [
      "name": .string(name), "state": .string(state.word), "reason": reason.map(JSON.string),
      "stateAge": .number(stateAge.rounded(toPlaces: 3)),
      "fixes": .integer(Int64(fixes)),
      "lastFixAge": lastFixAge.map { .number($0.rounded(toPlaces: 3)) },
      "horizontalAccuracy": horizontalAccuracy.map { .number($0.rounded(toPlaces: 3)) },
      "doubted": .integer(Int64(doubted)),
      "headings": .integer(Int64(headings)), "chosen": .bool(isChosen), "counters": counters,
      "contradicts": contradiction.map {
        ["source": .string($0.name), "distance": .number($0.metres.rounded(toPlaces: 0))]
      },
    ]
    return .object((common.members ?? []) + details.members)
  }

  init?(_ json: JSON) {
    guard let name = json["name"]?.string,
      let state = SourceState(
        word: json["state"]?.string ?? SourceState.closed.word, reason: json["reason"]?.string)
    else { return nil }
    self.init(name: name, state: state, stateAge: json["stateAge"]?.double ?? 0)
    fixes = json.count("fixes")
    doubted = json.count("doubted")
    headings = json.count("headings")
    isChosen = json["chosen"]?.bool ?? false
    lastFixAge = json["lastFixAge"]?.double
    horizontalAccuracy = json["horizontalAccuracy"]?.double
    counters = json["counters"]
    if let name = json["contradicts"]?["source"]?.string,
      let metres = json["contradicts"]?["distance"]?.double
    {
      contradiction = Contradiction(name: name, metres: metres)
    }
    details = SourceDetails(json)
  }
}

extension SourceState {
  fileprivate init?(word: String, reason: String?) {
    switch word {
    case "closed": self = .closed
    case "resting": self = .resting
    case "waiting": self = .waiting
    case "running": self = .running
    case "failed": self = .failed(reason ?? "")
    default: return nil
    }
  }
}

extension JSON {
  func count(_ key: String) -> Int {
    self[key]?.integer.flatMap { Int(exactly: $0) } ?? 0
  }
}
