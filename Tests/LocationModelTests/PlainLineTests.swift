import Testing

@testable import LocationModel

@Suite("Text from elsewhere on its way to people") struct PlainLineTests {
  @Test(
    "what moves the cursor, hides or turns the writing is seen to be there",
    arguments: [
      "\u{1B}", "\u{7}", "\u{8}", "\u{0}", "\u{7F}", "\u{9B}", "\u{90}", "\u{202E}", "\u{2066}",
      "\u{2069}", "\u{200B}", "\u{200D}", "\u{2060}", "\u{FEFF}", "\u{AD}", "\u{61C}", "\u{3164}",
      "\u{E000}", "\u{10FFFD}", "\u{E0041}", "\u{FE0F}", "\u{FFFE}", "\u{FFF9}",
    ])
  func hidden(what: String) {
    #expect("a\(what)b".plain() == "a\u{FFFD}b")
  }

  @Test("a line's end and a tab are a space, in each of their forms")
  func lines() {
    #expect("a\r\nb\nc\td\u{85}e\u{2028}f\u{2029}g\u{B}h".plain() == "a  b c d e f g h")
  }

  @Test(
    "what people write stays as it is",
    arguments: [
      "Karten", "Zürich, Straße 5", "地図アプリ", "карта", "Việt Nam", "नक्शा", "مەپ", "🗺 map", "a\u{A0}b",
    ])
  func letters(text: String) {
    #expect(text.plain() == text)
  }

  @Test("it ends where it is too long, by columns and not by letters")
  func length() {
    #expect("abcdef".plain(atMost: 6) == "abcdef")
    #expect("abcdefg".plain(atMost: 6) == "abcde…")
    #expect("地図地図".plain(atMost: 8) == "地図地図")
    #expect("地図地図".plain(atMost: 7) == "地図地…")
    #expect("地図地図".plain(atMost: 6) == "地図…")
    #expect(String(repeating: "x", count: 100_000).plain().columns == 4096)
  }

  @Test("a letter carries no more marks than languages need")
  func marks() {
    let text = "a" + String(repeating: "\u{301}", count: 1000) + "b"
    let plain = text.plain(atMost: 40)
    #expect(plain.unicodeScalars.count { $0 == "\u{301}" } <= 4 * 40)
    #expect(plain.columns <= 40)
    #expect("e\u{323}\u{302}\u{301}".plain() == "e\u{323}\u{302}\u{301}")
  }

  @Test("what is quoted cannot end its quotation")
  func quotation() {
    #expect("x” (pid 1): \"denied\" «now»".quotation(atMost: 60) == "“x' (pid 1): 'denied' 'now'”")
  }

  @Test("JSON says the same exactly, and shows nothing that a terminal obeys")
  func json() throws {
    let text = "a\u{1B}[2J\u{9B}2J\u{202E}\u{E0041}\u{7F}ü地\n\u{2028}\"\\"
    let json = JSON.string(text).text
    #expect(json.unicodeScalars.allSatisfy { $0.isPlain })
    #expect(json.contains("ü地"))
    #expect(json.contains(#"\u202e\udb40\udc41"#))
    #expect(try JSON(parsing: json).string == text)
  }
}
