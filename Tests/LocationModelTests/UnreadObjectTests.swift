import LocationModel
import Testing

@Suite("What is passed on unread") struct UnreadObjectTests {
  private func value(_ key: String, in text: String) -> String? {
    Array(text.utf8).withUnsafeBytes { line in
      UnreadObject(line)?[key].map { String(decoding: $0, as: UTF8.self) }
    }
  }

  @Test("a member stands as it was written, whatever is in it")
  func values() {
    let text =
      #" {"id":7 , "result":{"a":[1, 2,{"b":"}]\""}],"c":null},"x":-1.5e+3,"x":true,"s":"ü\"" } "#
    #expect(value("id", in: text) == "7")
    #expect(value("result", in: text) == #"{"a":[1, 2,{"b":"}]\""}],"c":null}"#)
    #expect(value("x", in: text) == "true" && value("s", in: text) == #""ü\"""#)
    #expect(value("b", in: text) == nil && value("y", in: "{}") == nil)
  }

  @Test(
    "what would be more than one line or one value is none",
    arguments: [
      "", "{", "[]", "7", #"{"a":1"#, #"{"a":1}}"#, #"{"a":[1}"#, #"{"a":}"#, #"{"a":1,}"#,
      #"{"a":"b}"#, #"{a:1}"#, #"{"a":1 "b":2}"#, "{\"a\":1\n}", "{\"a\":\"\r\"}",
      "{\"a\":[1,\r2]}", #"{"a":'b'}"#, #"{"a":1}{"b":2}"#,
    ])
  func refused(text: String) {
    #expect(value("a", in: text) == nil)
  }

  @Test("brackets are counted to a bound")
  func deep() {
    let deep = String(repeating: "[", count: 33) + String(repeating: "]", count: 33)
    #expect(value("a", in: #"{"a":\#(deep)}"#) == nil)
    #expect(value("a", in: #"{"a":\#(deep.dropFirst().dropLast())}"#) != nil)
  }
}
