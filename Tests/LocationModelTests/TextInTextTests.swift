import LocationModel
import Testing

@Suite("Texts in texts") struct TextInTextTests {
  @Test("a part is found by its bytes, at the beginning, at the end and twice")
  func found() {
    #expect("50 mph".hasText("mph") && "mph".hasText("mph") && "xx%t".hasText("%t"))
    #expect(!"mp".hasText("mph") && !"".hasText("a") && !"abc".hasText("") && !"aab".hasText("ba"))
    #expect("aaab".hasText("aab") && "ü→ö".dropFirst().hasText("→"))
  }

  @Test("each place of a part is replaced, and no other")
  func replaced() {
    #expect("a.b.c".replacingText(".", by: "/") == "a/b/c")
    #expect("%t/%t".replacingText("%t", by: "%t%t") == "%t%t/%t%t")
    #expect("HOST:PORT".replacingText("HOST", by: "ü") == "ü:PORT")
    #expect("aaa".replacingText("aa", by: "b") == "ba" && "x".replacingText("", by: "y") == "x")
  }

  @Test("in markup a sign with a mark is a sign, too, and what XML has not is replaced")
  func markup() {
    #expect("<b>&\u{301}\u{FFFE}é".markup == "&lt;b&gt;&amp;\u{301}\u{FFFD}é")
  }
}
