import LocationModel
import Testing

@testable import locationctl

@Suite("Whether the time zone follows the place") struct TimezoneUnitTests {
  private func unit(_ load: String, _ file: String, _ active: String, _ text: String = "")
    -> TimezoneUnit
  {
    TimezoneUnit(
      "LoadState=\(load)\nUnitFileState=\(file)\nActiveState=\(active)\nStatusText=\(text)")
  }

  @Test("it does while the unit runs, which says itself why it does nothing")
  func running() {
    let usual = unit("loaded", "enabled", "active", "The time zone follows the place.")
    #expect(usual.lines.last == "The time zone follows the place.")
    #expect(usual.json["follows"]?.bool == true && usual.json["running"]?.bool == true)
    let desktop = unit("loaded", "enabled", "active", "A desktop here sets it; a=b.")
    #expect(desktop.lines.last == "A desktop here sets it; a=b.")
    #expect(unit("loaded", "enabled", "active").lines.last == "It follows the place.")
  }

  @Test("where it does not, the next step is said")
  func off() {
    #expect(unit("loaded", "disabled", "inactive").lines.last?.contains("follow on") == true)
    #expect(unit("loaded", "enabled", "failed").lines.last?.contains("systemctl status") == true)
    #expect(unit("not-found", "", "inactive").lines.last?.contains("not installed") == true)
    let json = unit("not-found", "", "inactive").json
    #expect(json["follows"]?.bool == false && json["running"]?.bool == false)
    #expect(TimezoneUnit("").isInstalled == false)
  }
}
