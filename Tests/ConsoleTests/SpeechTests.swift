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

  @Test("a value that is put in stays as it is, whatever it holds")
  func foreign() {
    for value in ["{1}", "{2}", "{", "}", "{1", "{-1}{9999999999999999999}", ""] {
      #expect(Speech("de")("\(value) (process \(2)) asks.") == "\(value) (Prozess 2) fragt.")
      #expect(Speech.english("Paused until \(value)") == "Paused until \(value)")
    }
  }

  @Test("a daemon's English sentence is told from others and said again")
  func refusals() {
    let say = Speech("ko_KR")
    let grant = "sudo locationctl grant exe:/usr/bin/walk always"
    #expect(
      say(said: "Location is denied to exe:/usr/bin/walk. An administrator may allow it: \(grant)")
        == "exe:/usr/bin/walk에는 위치가 거부되어 있습니다. 관리자가 허용할 수 있습니다: \(grant)")
    let undecided = say(
      said: "app:a.b has no permission to know the location yet: it may ask with x, or an"
        + " administrator may allow it: y")
    #expect(undecided == "app:a.b에는 아직 위치가 허용되지 않았습니다. x(으)로 요청하거나, 관리자가 허용할 수 있습니다: y")
    #expect(
      say(said: "Location is switched off for all; 'sudo locationctl enable' switches it on.")
        .hasPrefix("위치가"))
    // A refusal of places: what it has put in is said, too.
    let german = Speech("de")
    #expect(
      german(said: "No road is near stop 2 on the way: the nearest is 5.2 km away.")
        == "Keine Straße ist nahe bei Halt 2: Die nächste ist 5.2 km entfernt.")
    #expect(
      german(said: "The roads near the destination are not for cars, or lead nowhere.")
        == "Die Straßen nahe bei Ziel sind nichts für Autos, oder führen nirgendwohin.")
    #expect(
      german(said: "No road is near the destination.") == "Keine Straße ist nahe bei Ziel.")
    // A name stays as it is, though the table has it, and so does a command with it.
    #expect(
      german(
        said: "The extract cars, which covers the start, has no roads: import it again"
          + " ('locationctl places import').")
        == "Der Auszug cars enthält Start, hat aber keine Straßen: Importieren Sie ihn noch einmal"
        + " ('locationctl places import').")
    let odd = "exe:/a contradicts b, which is believed, by c"
    #expect(
      say(said: "Location is denied to \(odd). An administrator may allow it: grant '\(odd)'")
        == "\(odd)에는 위치가 거부되어 있습니다. 관리자가 허용할 수 있습니다: grant '\(odd)'")
    // Some sentences are found in others.
    #expect(say(said: "ann asks.") == "ann asks." && say(said: "7 fixes") == "7 fixes")
    #expect(say(said: "running") == "작동 중")
    for other in ["", "Something else.", "Location is denied to", "{1}", "a.conf:3: no such key"] {
      #expect(say(said: other) == other && Speech.english(said: other) == other)
    }
  }

  private static let languages = ["de", "es", "fr", "ja", "ko"]

  private func check(_ phrases: Phrases, mayBeKoreanAlone: Bool) {
    let all = phrases.all
    #expect(all.count > 30 && Set(all.map(\.english)).count == all.count)
    func places(_ text: String) -> [String] {
      text.matches(of: /\{\d\}/).map { String($0.output) }.sorted()
    }
    for (english, others) in all {
      let isWhole = others.keys.sorted() == Self.languages
      #expect(isWhole || mayBeKoreanAlone && others.keys.sorted() == ["ko"], "\(english)")
      for text in others.values {
        #expect(
          places(text) == places(english.replacing("+}", with: "}"))
            && text.trimmingCharacters(in: .whitespaces) == text)
        // Commands are typed as they are.
        for command in english.matches(of: /['"“][a-z. A-Z-]+['"”]/).map({
          $0.output.dropFirst().dropLast()
        }) {
          #expect(text.contains(command), "\(text)")
        }
      }
    }
  }

  @Test("each stands once, in five languages or in Korean, with all that is put in")
  func whole() { check(Phrases(Phrases.own), mayBeKoreanAlone: true) }

  private static let page = URL(filePath: Checkout.path + "/Sources/locationd-map/Page")

  @Test("each of the pages' stands once, in five languages; the pages say it, and have no other")
  func pages() throws {
    let file = Self.page.appending(path: "phrases.txt")
    let phrases = Phrases(try String(contentsOf: file, encoding: .utf8))
    check(phrases, mayBeKoreanAlone: false)
    let known = Set(phrases.all.map(\.english))
    let scripts = try FileManager.default.contentsOfDirectory(atPath: Self.page.path)
      .filter { $0.hasSuffix(".js") }
      .map { try String(contentsOf: Self.page.appending(path: $0), encoding: .utf8) }.joined()
    let literals = scripts.matches(of: /'([^'\n]*)'/).map { String($0.output.1) }
    // A region's states are words of the daemon's.
    #expect(known.subtracting(literals).isSubset(of: ["inside", "outside", "unknown"]))
    let said = scripts.matches(of: /\bt\('([^'\n]*)'/).map { String($0.output.1) }
    let tables = scripts.matches(of: /(?s)const (?:words|errors|kinds) = \{\n(.*?)\n\};/).flatMap {
      $0.output.1.matches(of: /(?:'[^'\n]*': )?'([^'\n]*)'/).map { String($0.output.1) }
    }
    #expect(said.count > 70 && tables.count > 80)
    #expect(Set(said + tables).isSubset(of: known))
  }

  @Test("each is one that a program says, or the system")
  func used() throws {
    let sources = URL(filePath: Checkout.path).appending(path: "Sources")
    let files = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
    let swift = (files?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "swift" }
    let said = try swift.map { try String(contentsOf: $0, encoding: .utf8) }.joined()
      .replacing(/"\s*\+ "/, with: "")
      .replacing(/\\\n\s*/, with: "")
    let system = Set((1..<134).map { String(cString: strerror($0)) })
    for (english, _) in Phrases(Phrases.own).all where !system.contains(english) {
      // Some are put together where they are said.
      for part in english.split(separator: #/\{\d\+?\}|: |, or /#) {
        #expect(said.contains(part), "\(english)")
      }
    }
  }
}
