import Console
import Foundation
import TestSupport
import Testing

@Suite("Sentences for a person") struct SpeechTests {
  @Test("are in the person's language where there is one, and in English else")
  func languages() {
    let name = "Maps"
    let asked: Phrase = "Let \(name) know your location?"
    #expect(Speech("ko_KR")(asked) == "Maps에 내 위치를 알려 줄까요?")
    #expect(Speech("fr-CA")(asked) == "Autoriser Maps à connaître votre position ?")
    for locale in [nil, "en_GB", "xx", "", "_", "일본"] {
      #expect(Speech(locale)(asked) == "Let Maps know your location?")
    }
    #expect(
      Speech("ko")("A sentence that nobody wrote, by \(7)") == "A sentence that nobody wrote, by 7")
  }

  @Test("what is put in stays as it is, whatever it holds")
  func foreign() {
    for value in ["{1}", "{2}", "{", "}", "{1", "{-1}{9999999999999999999}", ""] {
      #expect(Speech("de")("\(value) (process \(2)) asks.") == "\(value) (Prozess 2) fragt.")
      #expect(Speech.english("Paused until \(value)") == "Paused until \(value)")
    }
  }

  @Test("each stands in five languages, once, with all that is put in")
  func whole() {
    let all = Phrases(Phrases.own).all
    #expect(all.count > 30 && Set(all.map(\.english)).count == all.count)
    func places(_ text: String) -> [String] {
      text.matches(of: /\{\d\}/).map { String($0.output) }.sorted()
    }
    for (english, others) in all {
      #expect(others.keys.sorted() == ["de", "es", "fr", "ja", "ko"], "\(english)")
      for text in others.values {
        #expect(
          places(text) == places(english) && text.trimmingCharacters(in: .whitespaces) == text)
        // Commands are typed as they are.
        for command in english.matches(of: /'[a-z ]+'/).map(\.output) {
          #expect(text.contains(command), "\(text)")
        }
      }
    }
  }

  @Test("each is one that a program says")
  func used() throws {
    let sources = URL(filePath: Checkout.path).appending(path: "Sources")
    let files = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
    let swift = (files?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "swift" }
    let said = try swift.map { try String(contentsOf: $0, encoding: .utf8) }.joined()
      .replacing(/\\\n\s*/, with: "").replacing(/\\\((?:[^()]|\([^()]*\))*\)/, with: "{}")
    for (english, _) in Phrases(Phrases.own).all {
      #expect(said.contains(english.replacing(/\{\d\}/, with: "{}")), "\(english)")
    }
  }
}
