import LocationModel

extension Decoder {
  /// Lines of JSON, whoever says them: clients, agents, and a daemon to either.
  static var requests: Decoder {
    let calls = [
      #""hello","params":{"name":"a","purpose":"b"}"#, #""status""#, #""location""#,
      #""startUpdatingLocation","params":{"desiredAccuracy":100,"distanceFilter":50,"manager":7,"#
        + #""activityType":"fitness","pausesAutomatically":true}"#,
      #""requestLocation","params":{"desiredAccuracy":10,"timeout":0.5}"#,
      #""startMonitoring","params":{"regions":[{"identifier":"a","latitude":50,"longitude":8,"#
        + #""radius":100,"notifyOnExit":false},{"identifier":"b","points":[[50,8],[50,9],[51,8]],"#
        + #""holes":[[[50.1,8.1],[50.1,8.2],[50.2,8.1]]]}]}"#,
      #""startMonitoringVisits""#, #""startMonitoringSignificantLocationChanges""#,
      #""monitoredRegions","params":{"after":"a","limit":100}"#,
      #""requestState","params":{"identifier":"a"}"#, #""acknowledge","params":{"event":1}"#,
      #""setActivation","params":{"unit":"a.service"}"#,
      #""agent.register","params":{"asks":true}"#,
      #""startUpdatingHeading","params":{"headingFilter":5}"#,
      #""requestAuthorization","params":{"level":"always"}"#,
      #""permissions.set","params":{"app":"exe:/a","uid":1000,"authorization":"denied","once":true}"#,
      #""permissions.reset","params":{"app":"exe:/a","uid":1000}"#, #""permissions.list""#,
      #""services.set","params":{"enabled":false}"#,
      #""requestTemporaryFullAccuracy","params":{"purpose":"a"}"#, #""beginUse""#,
      #""agent.decide","params":{"question":1,"app":"a","uid":1,"pid":2,"level":"always"}"#,
      #""agent.owner","params":{"busName":"a.b"}"#,
      #""didUpdateLocations","params":{"locations":[{"latitude":50,"longitude":8,"#
        + #""horizontalAccuracy":5,"timestamp":"2025-06-15T12:00:00.000Z"}],"service":"standard","#
        + #""event":3,"manager":2}"#,
      #""didVisit","params":{"visit":{"latitude":50,"longitude":8,"horizontalAccuracy":5,"#
        + #""arrivalDate":"2025-06-15T12:00:00.000Z"}}"#,
    ]
    let answers = [
      #"{"id":"question-1","result":{"decision":"allowAlways","accuracy":"reduced"}}"#,
      #"{"id":1,"error":{"code":-32001,"message":"a"}}"#, #"{"id":"launch-1","result":{"pid":5}}"#,
      #"{"id":1,"result":{"version":"1","client":{"app":"a","uid":0,"pid":1,"authorization":"#
        + #""denied","accuracy":"full"},"sources":[{"name":"a","state":"running","stateAge":1}]}}"#,
    ]
    return Decoder(
      name: "requests",
      words: extremes + [
        #""manager":"#, #""id":"#, #""method":"#, #""params":{"#, #""timeout":"#, #""limit":"#,
        #""radius":"#, #""points":[["#, #""uid":"#, #""desiredAccuracy":"#, #""distanceFilter":"#,
        "null", "{", "}", "[", "]", "\n", "\\u0000", "\\ud800\\udc00",
      ],
      seeds: calls.map {
        [UInt8](0x40, #"{"jsonrpc":"2.0","id":1,"method":"# + $0 + "}\n")
      } + answers.map { [UInt8](0x40, $0 + "\n") }
    ) { input in
      let (choice, bytes) = input.choice
      var lines = LineBuffer(longest: 1 << 12)
      var mind: Mind?
      (bytes + [0x0A]).forEachPiece(of: 1 + Int(choice >> 2) * 16) { piece in
        lines.append(piece)
        while let line = lines.next() {
          if case .text(let text) = line { hear(text, &mind) }
        }
      }
      check(lines.held == 0, "something is left")
    }
  }

  private static func hear(_ line: UnsafeRawBufferPointer, _ mind: inout Mind?) {
    do throws(UnusableCall) {
      let call = try Call(parsing: line)
      check(again(call) == call.request, "it would be another request")
      if mind == nil { mind = Mind() }
      mind?.call(call)
      mind?.fix(at: Coordinate(latitude: 50, longitude: 8))
      mind?.pass(.seconds(4))
    } catch {
      var text = TextBuffer()
      text.append(error.refusal, id: error.id ?? .null)
      check((try? JSON(parsing: text.bytes)) != nil, "the refusal is not JSON")
    }
    if let answer = ClientAnswer(parsing: line) {
      _ = answer.result.flatMap(AgentDecision.init)
      _ = answer.result.flatMap(AgentOwner.init)
      if mind == nil { mind = Mind() }
      mind?.answer(answer)
    }
    var awaited: [Int64: Request] = [0: .status, 1: .location, 2: .permissionsList]
    guard let message = Message(parsing: line, awaited: &awaited) else { return }
    switch message {
    case .reply(_, .success(.status(let status))): _ = status.json.text
    case .event(let manager, let event), .numbered(let manager, let event, _):
      var text = TextBuffer()
      var written = EventText()
      written.write(event)
      written.append(to: &text, manager: manager)
    case .request(_, let request): _ = request.json(id: nil).text
    case .reply, .farewell, .unknown: break
    }
  }

  private static func again(_ call: Call) -> Request? {
    var text = TextBuffer()
    text.append(call)
    return try? Call(parsing: text.bytes).request
  }
}
