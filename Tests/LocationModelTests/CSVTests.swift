import LocationModel
import Testing

@Suite("Rows of fields") struct CSVTests {
  @Test(
    "a field comes back as it was, also where a mark is put on a quote or a separator",
    arguments: ["", "a", "a\"b", "\"", "x\"\u{301},=1+1,99,99,\"", "a,\u{301}b", "a\n\u{301}b"])
  func comesBack(text: String) {
    for field in [CSV.field(text), CSV.quoted(text)] {
      var reader = CSVReader(longest: 1000)
      let row = reader.read("1,\(field),2\n".utf8)
      #expect(row == [.fields(["1", text, "2"])], "\(field)")
    }
  }

  @Test(
    "a text that a spreadsheet may take for a formula begins with an apostrophe, and no other",
    arguments: ["=1+1", "+1", "-1", "@a", "=\u{301}1", "-\u{20DD}1"])
  func formulas(text: String) {
    #expect(CSV.harmless(text) == "'" + text)
    #expect(CSV.harmless("a" + text) == "a" + text && CSV.harmless("").isEmpty)
  }
}
