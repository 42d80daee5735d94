import Foundation
import LocationModel
import TestSupport
import Testing

@Suite("Discovery by Home Assistant", .timeLimit(.minutes(60))) struct DiscoveryTests {
  @Test("what it needs is retained at the broker, goes with its region, and is not there unasked")
  func retained() throws {
    let broker = try RunningBroker()
    func configuration(_ regions: [String], _ more: String = "Discovery=homeassistant") -> String {
      TrackerTests.uplink(broker) + more + "\n"
        + regions.map { "[Region \($0)]\nCircle=45,7,400\n" }.joined()
    }
    func found(_ name: String) throws -> [String: JSON] {
      let subscriber = try Subscriber(
        broker, "homeassistant/#", named: name, hearsRetained: true)
      let mark = try Program([
        "mosquitto_pub", "-h", "127.0.0.1", "-p", "\(broker.port)", "-q", "1", "-r", "-t",
        "homeassistant/mark", "-m", "1",
      ])
      try #require(try mark.exit() == 0)
      try #require(
        eventually(within: patience) {
          subscriber.listen()
          return subscriber.messages.contains { $0.topic == "homeassistant/mark" }
        })
      let others = subscriber.messages.filter { $0.topic != "homeassistant/mark" }
      return Dictionary(others.map { ($0.topic, $0.json) }) { $1 }
    }
    let tracker = try RunningTracker(try RunningDaemon(), configuration(["home"], ""))
    try #require(try eventually(within: patience) { try tracker.entries().count >= 1 })
    try #require(try eventually(within: patience) { try tracker.backlog() == 0 })
    #expect(try found("before").isEmpty)
    try tracker.reload(configuration(["home", "work"]))
    let node = "locationd_owntracks_ann_van"
    let device = ["device_tracker/\(node)/place", "sensor/\(node)/battery", "sensor/\(node)/seen"]
    func topics(_ regions: [String]) -> Set<String> {
      Set(
        (device + regions.map { "binary_sensor/\(node)/region_\($0)" }).map {
          "homeassistant/\($0)/config"
        })
    }
    var tries = 0
    func expect(_ regions: [String]) throws {
      let isThere = try eventually(within: patience) {
        tries += 1
        return try Set(found("try-\(tries)").keys) == topics(regions)
      }
      try #require(isThere)
    }
    try expect(["home", "work"])
    try tracker.reload(configuration(["work"]))
    try expect(["work"])
    // A zone takes away what was there to be found of it.
    let zone = "[Zone home]\nCircle=45.02,7,400\n"
    try tracker.reload(
      configuration(["home", "work"]) + "[Region inner]\nCircle=45.021,7,50\n"
        + "[Region same]\nCircle=45.02,7,400\n")
    try expect(["home", "work", "inner", "same"])
    try tracker.reload(
      configuration(["home", "work"]) + "[Region inner]\nCircle=45.021,7,50\n"
        + "[Region same]\nCircle=45.02,7,400\n" + zone)
    try expect(["home", "work"])
    for (topic, json) in try found("texts") {
      #expect(!json.text.contains("45.") && json["unique_id"] != nil, "\(topic)")
    }
  }
}
