import Foundation
import TestSupport
import Testing

@Suite("Polkit's rules for radios", .enabled(if: AsRoot.isPossible, AsRoot.missing))
struct RadioRulesTests {
  @Test(
    "polkit lets locationd have scans made and a modem say the place, and nothing else of theirs")
  func rules() throws {
    let script = Stage.house.appending(path: "Tests/BusPrograms/polkit-radios.sh").path
    let rule = Stage.house.appending(path: "config/polkit/locationd.rules").path
    let (answers, exit) = try Program(AsRoot.enter([script, rule])).text()
    #expect(exit == 0, "\(answers)")
    #expect(
      answers.split(separator: "\n") == [
        "locationd NetworkManager.wifi.scan: 0", "locationd NetworkManager.network-control: 2",
        "locationd NetworkManager.enable-disable-wifi: 2",
        "locationd ModemManager1.Device.Control: 0", "locationd ModemManager1.Location: 0",
        "locationd ModemManager1.Messaging: 1", "locationd ModemManager1.Contacts: 1",
        "another NetworkManager.wifi.scan: 2", "another ModemManager1.Device.Control: 1",
        "another ModemManager1.Location: 1",
      ])
  }
}
