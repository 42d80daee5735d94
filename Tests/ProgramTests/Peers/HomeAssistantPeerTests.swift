import Foundation
import Glibc
import LocationModel
import TestSupport
import Testing

/// `make peers` runs this, with Home Assistant itself.
@Suite("Home Assistant", .serialized, .enabled(if: isAmongPeers, "make peers installs it"))
struct HomeAssistantPeerTests {
  private static let longest: Double = 180

  /// The entities that it knows, as it tells them each time they change.
  private final class Assistant {
    private let program: Program
    private let folder = FileManager.default.temporaryDirectory.appending(path: "hass-\(UUID())")
    private(set) var states: JSON = [:]

    init(_ broker: RunningBroker) throws {
      program = try Program([
        "setpriv", "--pdeathsig", "KILL",
        Checkout.path + "/.build/peers/home-assistant/bin/python",
        Checkout.path + "/Tests/Servers/home-assistant.py", "\(broker.port)", folder.path,
      ])
    }

    deinit {
      program.signal(SIGKILL)
      try? FileManager.default.removeItem(at: folder)
    }

    func wait(_ condition: (JSON) -> Bool) throws {
      try #require(
        eventually(within: HomeAssistantPeerTests.longest) {
          while let line = self.program.waitingLine() {
            if let json = try? JSON(parsing: line), json.members != nil { self.states = json }
          }
          return condition(self.states)
        }, "\(self.states.text)")
    }
  }

  @Test(
    "it finds the device, where it is, when it was seen, its battery and its regions",
    arguments: ["", "?format=json"])
  func finds(format: String) throws {
    let broker = try RunningBroker()
    let daemon = try RunningDaemon(
      ["replay://{folder}/track.jsonl?rate=20&loop=1"],
      files: ["track.jsonl": MonitoringProgramTests.toAndFro + "\n"])
    let tracker = try RunningTracker(
      daemon,
      """
      [Record]
      Distance=50
      [Uplink broker]
      URL=mqtt://127.0.0.1:\(broker.port)/owntracks/ann/van\(format)
      Discovery=homeassistant
      [Region yard]
      Circle=45,7,400

      """)
    let assistant = try Assistant(broker)
    try assistant.wait { states in
      let place = states["device_tracker.van"]
      return abs((place?["latitude"]?.double ?? 0) - 45) < 0.1 && place?["longitude"]?.double == 7
        && place?["gps_accuracy"]?.double == 5
        && states["sensor.van_last_seen"]?["state"]?.string?.hasPrefix("20") == true
        && states["devices"]?.array?.contains(.string("van")) == true
    }
    for state in ["on", "off", "on"] {
      try assistant.wait { $0["binary_sensor.van_yard"]?["state"]?.string == state }
    }
    try tracker.kill()
    let place =
      format.isEmpty
      ? #"{"_type":"location","lat":46,"lon":8,"acc":9,"tst":1790000000,"batt":77}"#
      : #"""
      {"device":"van","track":"1","entries":[{"number":1,"kind":"place",\#
      "timestamp":"2026-09-21T14:13:20.000Z","latitude":46,"longitude":8,"horizontalAccuracy":9,\#
      "battery":77}]}
      """#
    // The broker's word that it has gone leaves its last place.
    let gone = #"{"_type":"lwt","tst":1790000001,"device":"van","track":"1","gone":"x"}"#
    for text in [place, gone] {
      let publish = try Program([
        "mosquitto_pub", "-h", "127.0.0.1", "-p", "\(broker.port)", "-q", "1", "-t",
        "owntracks/ann/van", "-m", text,
      ])
      #expect(try publish.exit() == 0)
    }
    try assistant.wait {
      $0["sensor.van_battery"]?["state"]?.string == "77"
        && $0["device_tracker.van"]?["latitude"]?.double == 46
        && $0["sensor.van_last_seen"]?["state"]?.string?.hasPrefix("2026-09-21T14:13:20") == true
        && $0["binary_sensor.van_yard"]?["state"]?.string == "off"
    }
  }
}
