import LocationModel
import Testing

@testable import LocationCore

@Suite("The answer that an app would have") struct DryRunTests {
  private func may(
    _ harness: inout ServiceHarness, _ query: MayQuery, from client: ClientID = ServiceHarness.root
  ) -> MayReply? {
    harness.call(.may(query), from: client).replies.first?.may
  }

  @Test("the answer is the one that the app has then, for each service")
  func answers() throws {
    var harness = ServiceHarness(use: .logind)
    harness.handle(.present([1000]))
    harness.connectApp()
    let app = MayQuery(app: "user:1000", uid: 1000)
    #expect(may(&harness, app)?.services[.standard] == .ask)
    #expect(may(&harness, app)?.because.contains("sudo locationctl grant user:1000") == true)
    harness.grant(.authorizedWhenInUse, accuracy: .reduced)
    var reply = try #require(may(&harness, app))
    #expect(reply.services[.standard] == .allow && reply.services[.visits] == .refuse)
    #expect(reply.services[.regions] == .refuse && reply.accuracy == .reduced)
    #expect(reply.because == "An administrator has allowed it, while in use, roughly.")
    harness.handle(.present([]))
    reply = try #require(may(&harness, app))
    #expect(reply.services[.standard] == .refuse)
    #expect(reply.because.contains("not in use now"))
    harness.grant(.denied)
    #expect(may(&harness, app)?.services.values.allSatisfy { $0 == .refuse } == true)
    let outputs = harness.call(.may(app))
    #expect(outputs.count == 1)
  }

  @Test("each service has a reason of its own")
  func reasons() throws {
    var harness = ServiceHarness(use: .logind)
    harness.handle(.present([1000]))
    harness.connectApp()
    let app = MayQuery(app: "user:1000", uid: 1000)
    harness.grant(.authorizedWhenInUse, accuracy: .reduced)
    let reply = try #require(may(&harness, app))
    #expect(Set(reply.reasons.keys) == Set(Service.allCases))
    #expect(reply.reasons[.standard] == reply.because)
    #expect(reply.reasons[.visits]?.contains("This service needs Always") == true)
    #expect(reply.reasons[.significant]?.contains("This service needs Always") == true)
    #expect(reply.reasons[.regions]?.contains("need full accuracy") == true)
    #expect(reply.reasons[.beacons] == reply.reasons[.regions])
    #expect(MayReply(reply.json) == reply)
    harness.grant(.authorizedAlways)
    harness.connectTerminal()
    harness.write(harness.call(.pause(PauseRequest()), from: ServiceHarness.terminal))
    let paused = try #require(may(&harness, app))
    #expect(paused.reasons.values.allSatisfy { $0.contains("Location is paused") })
  }

  @Test("an app that is not there is answered as if it came now; a process wants to be connected")
  func absent() throws {
    var harness = ServiceHarness()
    harness.write(
      harness.call(
        .permissionsSet(
          PermissionChange(app: "app:maps", uid: 1000, authorization: .authorizedAlways))))
    let reply = try #require(may(&harness, MayQuery(app: "app:maps", uid: 1000)))
    #expect(reply.services[.visits] == .allow)
    #expect(may(&harness, MayQuery(app: "app:new", uid: 1000))?.services[.standard] == .ask)
    #expect(harness.call(.may(MayQuery(app: "no name"))).refusals.map(\.code) == [.failed])
    harness.connect(ClientID(8), app: "app:maps")
    #expect(may(&harness, MayQuery(pid: 8))?.app == "app:maps")
    #expect(harness.call(.may(MayQuery(pid: 4711))).refusals.map(\.code) == [.failed])
  }

  @Test("others than administrators ask about their own programs, and a sandbox about itself")
  func views() {
    var harness = ServiceHarness()
    harness.connect(ClientID(5), app: "flatpak:org.a.B", .sandbox)
    harness.connect(ClientID(6), app: "app:maps")
    harness.connect(ClientID(11), app: "app:other", uid: 1001)
    #expect(may(&harness, MayQuery(app: "app:maps"), from: ClientID(6))?.uid == 1000)
    #expect(may(&harness, MayQuery(pid: 5), from: ClientID(6))?.app == "flatpak:org.a.B")
    for query in [MayQuery(app: "app:maps"), MayQuery(pid: 6), MayQuery(pid: 4711)] {
      #expect(harness.call(.may(query), from: ClientID(5)).refusals.map(\.code) == [.denied])
    }
    #expect(may(&harness, MayQuery(), from: ClientID(5))?.app == "flatpak:org.a.B")
    // Another user's process and none at all are one answer.
    let other = harness.call(.may(MayQuery(pid: 11)), from: ClientID(6)).refusals
    let none = harness.call(.may(MayQuery(pid: 4711)), from: ClientID(6)).refusals
    #expect(other == none && other.map(\.code) == [.failed])
    let whose = MayQuery(app: "app:other", uid: 1001)
    #expect(harness.call(.may(whose), from: ClientID(6)).refusals.map(\.code) == [.denied])
    #expect(may(&harness, MayQuery(pid: 11))?.uid == 1001)
  }
}
