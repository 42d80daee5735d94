import Testing

@testable import locationctl

@Suite("How long an import still takes") struct ImportPaceTests {
  @Test("nothing is said in the first seconds, nor where the phase is not known")
  func early() {
    let pace = ImportPace(at: 100)
    #expect(pace.left(in: "ways", 50, at: 102) == nil)
    #expect(pace.left(in: "relations", 10, at: 200) == nil)
    #expect(
      pace.left(in: "magic", 50, at: 200) == nil && pace.left(in: "ground", 100, at: 200) == nil)
  }

  @Test("what is left grows with what has passed, and shrinks with what is done")
  func growing() {
    let pace = ImportPace(at: 0)
    #expect(pace.left(in: "roads", 90, at: 100)?.hasSuffix(" s left") == true)
    #expect(pace.left(in: "nodes", 50, at: 600)?.hasSuffix(" h left") == true)
    func minutes(_ phase: String, _ percent: Int64) -> Int {
      let words = pace.left(in: phase, percent, at: 600)?.split(separator: " ") ?? []
      return words.count == 5 && words[3] == "min" ? Int(words[2]) ?? -1 : -1
    }
    #expect(
      minutes("ways", 100) > minutes("words", 50) && minutes("words", 50) > minutes("roads", 50))
    #expect(minutes("roads", 50) > 0)
  }
}
