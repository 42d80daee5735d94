import LocationModel
import Testing

@testable import TrackCore

@Suite("Home Assistant's discovery") struct HomeAssistantTests {
  private let finder = HomeAssistant(
    topic: "owntracks/ann/my van", device: "my van", words: .ownTracksMQTT, version: "1")

  @Test("it names the device, its battery, when it was seen, and its regions, and tells no place")
  func names() {
    let messages = finder.messages(regions: ["home", "a \"b\""], gone: ["old"])
    let node = "locationd_owntracks_ann_my-32-van"
    #expect(
      messages.map(\.topic) == [
        "homeassistant/device_tracker/\(node)/place/config",
        "homeassistant/sensor/\(node)/battery/config", "homeassistant/sensor/\(node)/seen/config",
        "homeassistant/binary_sensor/\(node)/region_home/config",
        "homeassistant/binary_sensor/\(node)/region_a-32--34-b-34-/config",
        "homeassistant/binary_sensor/\(node)/region_old/config",
      ])
    #expect(messages.last?.json == nil)
    let known = messages.compactMap(\.json)
    #expect(Set(known.compactMap { $0["unique_id"]?.string }).count == known.count)
    for json in known {
      #expect(json["device"]?["identifiers"]?.array?.first?.string == node)
      #expect(json["device"]?["name"]?.string == "my van")
    }
    #expect(known[0]["json_attributes_topic"]?.string == "owntracks/ann/my van")
    #expect(known[4]["value_template"]?.string?.contains(#""a \"b\"""#) == true)
  }

  @Test(
    "it is told once, again where regions change, and again where a broker has not confirmed it")
  func ledger() {
    func waypoint(_ name: String) -> Waypoint {
      Waypoint(
        owner: nil, id: name, name: name, made: .epoch,
        .circle(Coordinate(latitude: 45, longitude: 7), radius: 100))
    }
    var ledger = Announcements()
    #expect(ledger.takeDiscovery() == .discovery(regions: [], gone: []))
    #expect(ledger.takeDiscovery() == nil)
    ledger.forget()
    #expect(ledger.takeDiscovery() == .discovery(regions: [], gone: []))
    ledger.confirm()
    ledger.forget()
    #expect(ledger.takeDiscovery() == nil)
    ledger.show([waypoint("home"), waypoint("work")], found: ["home", "work"])
    #expect(ledger.takeDiscovery() == .discovery(regions: ["home", "work"], gone: []))
    ledger.confirm()
    ledger.show([waypoint("work")], found: ["work"])
    #expect(ledger.takeDiscovery() == .discovery(regions: ["work"], gone: ["home"]))
    // The connection is lost before the broker has it.
    ledger.forget()
    #expect(ledger.takeDiscovery() == .discovery(regions: ["work"], gone: ["home"]))
  }
}
