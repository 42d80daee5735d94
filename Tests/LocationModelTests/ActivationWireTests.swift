import Testing

@testable import LocationModel

@Suite("What is to be started, on the wire") struct ActivationWireTests {
  private func request(_ parameters: JSON) throws(Refusal) -> Request {
    try Request(method: "setActivation", parameters: Parameters(parameters))
  }

  @Test(
    "a request says a unit, a name or nothing, and comes back as it was",
    arguments: [nil, .unit("a.service"), .busName("org.a.B")] as [Activation?])
  func request(activation: Activation?) throws {
    let request = Request.setActivation(activation)
    #expect(try self.request(request.parameters) == request)
  }

  @Test(
    "two at once, and what is no name, are refused, with the member named",
    arguments: [
      (["unit": "a.service", "busName": "a.b"], "not both"), (["unit": "a"], "unit"),
      (["busName": "a"], "busName"), (["unit": .integer(3)], "unit"),
    ] as [(JSON, String)])
  func refused(parameters: JSON, word: String) {
    #expect {
      try request(parameters)
    } throws: { error in
      let refusal = error as? Refusal
      return refusal?.code == .invalidParameters && refusal?.message.contains(word) == true
    }
  }

  @Test("agents are asked to start something, and who has a name, in words that they read")
  func agents() throws {
    for request in [
      AgentRequest.launch(app: "userunit:a", .unit("a.service")),
      .launch(app: "app:org.a.B", .busName("org.a.B")), .owner(busName: "org.a.B"),
    ] {
      let json = request.json(id: .integer(1))
      let method = try #require(json["method"]?.string)
      #expect(AgentRequest(method: method, try #require(json["params"])) == request)
    }
    #expect(AgentRequest(method: "agent.launch", ["app": "a:b", "unit": "../a"]) == nil)
    #expect(AgentRequest(method: "agent.launch", ["app": "a:b"]) == nil)
    #expect(AgentRequest(method: "agent.owner", ["busName": ":1.1"]) == nil)
    #expect(AgentOwner(AgentOwner(pid: 7).json) == AgentOwner(pid: 7))
    for pid in [0, -1, 1 << 40] as [Int64] { #expect(AgentOwner(["pid": .integer(pid)]) == nil) }
  }

  @Test("an administrator sees what is started for an app, and how much waits for it")
  func permissions() throws {
    var app = AppPermission(
      app: "userunit:a", uid: 1000, authorization: .authorizedAlways, accuracy: .full,
      source: .person)
    #expect(app.json["unit"] == nil)
    #expect(app.json["waiting"] == nil)
    app.activation = .unit("a.service")
    app.waiting = 3
    #expect(app.json["unit"] == "a.service")
    #expect(AppPermission(app.json) == app)
  }
}
