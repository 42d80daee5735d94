import LocationModel
import Testing

@testable import TrackCore

@Suite("Budgets and networks of an uplink") struct DataBudgetTests {
  private func date(_ text: String) throws -> Timestamp {
    try #require(Timestamp(iso8601: text))
  }

  private func limit(_ text: String) throws -> DataBudget.Limit {
    try #require(DataBudget.Limit(text: text))
  }

  @Test(
    "a budget is a size and a time",
    arguments: [
      "100", "100M", "M/day", "0K/day", "-1K/day", "9999999G/day", "1M/year", "1M/day/day",
    ])
  func bad(text: String) { #expect(DataBudget.Limit(text: text) == nil) }

  @Test(
    "at the limit nothing goes before the next month, and the next month begins with nothing sent")
  func month() throws {
    var budget = DataBudget(try limit("10K/month"))
    let now = try date("2026-12-24T10:00:00Z")
    _ = budget.count(10_239, at: now)
    #expect(budget.rest(at: now) == nil)
    _ = budget.count(1, at: now)
    let next = try date("2027-01-01T00:00:00Z")
    #expect(budget.rest(at: now) == next)
    #expect(budget.rest(at: next) == nil && budget.used(at: next) == 0)
  }

  @Test("a day ends at midnight of UTC")
  func day() throws {
    var budget = DataBudget(try limit("1K/day"))
    let now = try date("2026-02-28T23:59:59Z")
    _ = budget.count(5000, at: now)
    #expect(budget.rest(at: now) == (try date("2026-03-01T00:00:00Z")))
  }

  @Test(
    "a program that is killed at any moment has never sent more than it finds saved, and saves seldom"
  )
  func saved() throws {
    let limit = try limit("100M/month")
    let now = try date("2026-11-24T10:00:00Z")
    var budget = DataBudget(limit)
    var text = ""
    var saves = 0
    for sent in 1...20_000 {
      if budget.count(300, at: now) {
        text = budget.text
        saves += 1
      }
      let found = DataBudget(limit, text: text).used(at: now)
      #expect(found >= Int64(sent) * 300 && found <= Int64(sent) * 300 + limit.bytes / 1000 + 300)
    }
    #expect(saves < 100, "\(saves)")
  }

  @Test("a clock that jumps years ahead and back, or is not set yet, changes no month's count")
  func jumps() throws {
    var budget = DataBudget(try limit("1M/month"))
    let now = try date("2026-11-24T10:00:00Z")
    _ = budget.count(1000, at: now)
    _ = budget.count(20, at: try date("2040-01-01T00:00:00Z"))
    _ = budget.count(300, at: now)
    #expect(budget.used(at: now) == 1300)
    _ = budget.count(7, at: Timestamp(microseconds: 5_000_000))
    #expect(budget.used(at: now) == 1307)
    let again = DataBudget(budget.limit, text: budget.text)
    #expect(again.used(at: now) >= 1307)
  }

  @Test("what is saved is read whatever stands there")
  func nonsense() throws {
    let now = try date("2026-11-24T10:00:00Z")
    let text = "x,2026-11:-5,2026-11,:,2026-10:9,2026-11:77"
    #expect(DataBudget(try limit("1M/month"), text: text).used(at: now) == 77)
    var full = DataBudget(try limit("1M/month"), text: "2026-11:\(Int64.max)")
    _ = full.count(.max, at: now)
    #expect(full.rest(at: now) != nil)
  }

  @Test("an uplink is sent on the networks that it names: by name, UUID, type or a usual word")
  func networks() throws {
    var plan = UplinkPlan(name: "fleet", try UplinkAddress("mqtt://broker"))
    #expect(plan.obstacle(on: nil) == nil)
    let home = NetworkConnection(id: "Home 5G", uuid: "AB-1", type: "802-11-wireless")
    for word in ["Home 5G", "ab-1", "802-11-wireless", "WiFi"] {
      plan.onlyOn = ["other", word]
      #expect(plan.obstacle(on: home) == nil)
    }
    plan.onlyOn = ["wired", "home 5g"]
    #expect(plan.obstacle(on: home)?.contains("'Home 5G'") == true)
    #expect(plan.obstacle(on: nil)?.contains("NetworkManager") == true)
  }

  @Test("the address may fix the version of MQTT")
  func version() throws {
    #expect(try UplinkAddress("mqtt://b/t?version=5&format=owntracks").version == .v5)
    #expect(try UplinkAddress("mqtt://b/t?version=3.1.1").version == .v3)
    #expect(try UplinkAddress("mqtt://b/t").version == nil)
    #expect(throws: Unusable.self) { try UplinkAddress("mqtt://b/t?version=4") }
  }

  @Test(
    "a track without entries is a file without a line", arguments: [TrackExport.Format.gpx, .kml])
  func empty(format: TrackExport.Format) {
    var export = TrackExport(format)
    var text = export.beginning
    for pass in export.passes { text += export.begin(pass) + export.end(pass) }
    text += export.ending
    #expect(!text.contains("<trk>") && !text.contains("LineString"))
  }

  @Test("an uplink that waits for another network says since when, until it goes on")
  func since() throws {
    var world = try UplinkWorld.running(entries: 1) { $0.onlyOn = ["wifi"] }
    func status() -> JSON { world.machine.status(at: world.now) }
    #expect(status()["waits"] == nil && status()["waitsSince"] == nil)
    world.pass(.seconds(5))
    let since = world.now.utc.iso8601
    world.move(to: .phone)
    world.pass(.seconds(60))
    world.move(to: nil)
    #expect(status()["waits"] != nil && status()["waitsSince"]?.string == since)
    world.move(to: .home)
    #expect(status()["waits"] == nil && status()["waitsSince"] == nil)
  }
}
