import DBus
import Foundation
import LocationModel
import Platform
import TestSupport
import Testing

@testable import locationd

@Suite("What agents on the bus are asked") struct AgentMembersTests {
  @Test("each request is a call that the interface's description has, of these types")
  func members() throws {
    let unit = try #require(Activation(["unit": "x.service"]))
    let question = AgentQuestion(
      number: 7, app: "snap:x", uid: 1000, pid: 42, level: .always, current: .notDetermined,
      purpose: "to find you")
    let file = URL(filePath: Checkout.path + "/config/dbus/org.locationd.Agent1.xml")
    let description = try String(contentsOf: file, encoding: .utf8)
    for (request, member, type) in [
      (.decide(question), "Decide", "a{sv}"), (.cancel(question: 7), "Cancel", "t"),
      (.identify(pid: 42), "Identify", "u"), (.owner(busName: "org.x"), "Owner", "a{sv}"),
      (.launch(app: "userunit:x", unit), "Launch", "a{sv}"),
      (.holding(apps: []), "Holding", "a{sv}"), (.uses([]), "Uses", "aa{sv}"),
    ] as [(AgentRequest, String, String)] {
      #expect(request.member == member)
      #expect(request.arguments.map(\.type) == [type], "\(member)")
      let name = try #require(description.range(of: "<method name=\"\(member)\">"))
      let first = try #require(
        description.range(
          of: "type=\"[^\"]*\" direction=\"in\"", options: .regularExpression,
          range: name.upperBound..<description.endIndex))
      #expect(description[first] == "type=\"\(type)\" direction=\"in\"")
    }
    let launch = AgentRequest.launch(app: "userunit:x", unit).arguments[0].asDictionary
    #expect(launch == ["app": .string("userunit:x"), "unit": .string("x.service")])
    let holding = AgentRequest.holding(apps: ["snap:x"]).arguments[0].asDictionary
    #expect(holding == ["apps": .strings(["snap:x"])])
  }
}
