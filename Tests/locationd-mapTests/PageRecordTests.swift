import LocationModel
import Testing

@testable import locationd_map

@Suite("What a page is told") struct PageRecordTests {
  private func messages(_ record: PageRecord, after told: inout UInt64) -> [String] {
    var all: [String] = []
    while let message = record.message(after: &told) {
      all.append(String(decoding: message, as: UTF8.self))
    }
    return all
  }

  @Test("a page that comes late is told the newest of each name, and the list since it was set")
  func late() {
    var record = PageRecord()
    record.set("position", Array("1".utf8))
    record.add("track", Array("10".utf8))
    record.set("position", Array("2".utf8))
    record.add("track", Array("11".utf8))
    var told: UInt64 = 0
    #expect(
      messages(record, after: &told) == [
        #"{"add":"track","values":[10]}"#, #"{"set":"position","value":2}"#,
        #"{"add":"track","values":[11]}"#,
      ])
    record.set("position", Array("3".utf8))
    record.set("position", Array("4".utf8))
    #expect(messages(record, after: &told) == [#"{"set":"position","value":4}"#])
    #expect(messages(record, after: &told) == [])
  }

  @Test("what is set takes the place of what was added")
  func reset() {
    var record = PageRecord()
    record.add("track", Array("1".utf8))
    record.set("track", Array("[]".utf8))
    record.add("track", Array("2".utf8))
    var told: UInt64 = 0
    #expect(
      messages(record, after: &told) == [
        #"{"set":"track","value":[]}"#, #"{"add":"track","values":[2]}"#,
      ])
  }

  @Test("a hundred thousand positions take no more memory than one")
  func bounded() {
    var record = PageRecord()
    record.set("position", Array("1".utf8))
    let held = record.held
    for i in 0..<100_000 { record.set("position", Array("\(i % 10)".utf8)) }
    #expect(record.held == held)
  }

  @Test("of a list that grows for ever the newest part stays, in order")
  func grows() throws {
    var record = PageRecord()
    let count = PageRecord.mostItems + 50_000
    for i in 0..<count { record.add("track", Array("\(i)".utf8)) }
    var told: UInt64 = 0
    var items: [Int64] = []
    for message in messages(record, after: &told) {
      items += (try JSON(parsing: message)["values"]?.array ?? []).compactMap(\.integer)
    }
    #expect(items.count <= PageRecord.mostItems && items.count >= PageRecord.mostItems / 2)
    #expect(items == Array(Int64(count - items.count)..<Int64(count)))
  }

  @Test(
    "a server of pictures is a host and nothing that would mean more in a policy",
    arguments: [
      ("https://tile.example.org", true), ("http://127.0.0.1:8080", true),
      ("https://a.example; script-src *", false), ("https://*.example", false),
      ("javascript:alert(1)", false), ("https://a.example/path", false), ("https://", false),
      ("https://a.example\n", false),
    ])
  func pictures(server: String, isOne: Bool) {
    let line: JSON = ["pictures": .array([.string(server)])]
    let word = Array(line.text.utf8).withUnsafeBytes { ParentMessage(.text($0)) }
    #expect((word != nil) == isOne)
  }
}
