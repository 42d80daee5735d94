import PlaceCore
import Testing

@Suite("Folding") struct FoldingTests {
  @Test(
    "case, accents, apostrophes, hyphens and widths make no difference",
    arguments: [
      ("München", "munchen"), ("İstanbul", "istanbul"), ("Diyarbakır", "diyarbakir"),
      ("Bao'an", "baoan"), ("Huai’an", "huaian"), ("Rio-de-Janeiro", "rio de janeiro"),
      ("Łódź", "lodz"), ("København", "kobenhavn"), ("Straße", "strasse"),
      ("Ærøskøbing", "aeroskobing"),
      ("Đà Nẵng", "da nang"), ("Thành phố Hồ Chí Minh", "thanh pho ho chi minh"),
      ("e\u{301}cole", "ecole"), ("ＴＯＫＹＯ１２", "tokyo12"), ("Αθήνα", "αθηνα"), ("Ёлкино", "елкино"),
      ("القاهرة", "القاهره"), ("١٢٣", "123"), ("१२३", "123"), ("St. Louis, MO", "st louis mo"),
      ("トウキョウ", "とうきょう"), ("ﾄｳｷｮｳ", "とうきょう"), ("東京都", "東京都"), ("", ""), ("--", ""),
    ])
  func folds(text: String, folded: String) {
    #expect(Folding.fold(text) == folded)
    #expect(Folding.fold(folded) == folded)
  }

  @Test(
    "hangul that is being composed begins what it becomes",
    arguments: ["ㅅ", "서", "성", "서우", "서울", "서울트", "서울특", "서울특별ㅅ", "서울특별시"])
  func composes(typed: String) {
    // 성 is on the way to 서우: its last consonant moves on.
    #expect(Folding.fold("서울특별시").hasPrefix(Folding.fold(typed)))
  }

  @Test(
    "composed vowels and consonants are the keys that they are typed with",
    arguments: [("고", "과천"), ("과", "과천"), ("달", "닭"), ("ㅇㅡ", "의왕"), ("오", "왜관"), ("괓", "과천")])
  func keys(typed: String, name: String) {
    #expect(Folding.fold(name).hasPrefix(Folding.fold(typed)))
  }

  @Test("decomposed hangul is the same as composed")
  func decomposed() {
    #expect(Folding.fold("\u{1109}\u{1165}\u{110B}\u{116E}\u{11AF}") == Folding.fold("서울"))
  }

  @Test("a word knows where it stands in the text, in UTF-16 units")
  func places() {
    let words = Folding.words("🏙 Co\u{302}te-d’Or ß서울")
    #expect(words.map(\.text) == ["cote", "dor", "ssㅅㅓㅇㅜㄹ"])
    #expect(words.map(\.start) == [3, 9, 14])
    #expect(words[0].range(ofFirst: 2) == 3..<6)
    #expect(words[1].range(ofFirst: 2) == 9..<12)
    #expect(words[2].range(ofFirst: 1) == 14..<15)
    #expect(words[2].range(ofFirst: 3) == 14..<16)
    #expect(words[2].range(ofFirst: 99) == 14..<17)
    #expect(words[2].range(ofFirst: 0) == 14..<14)
  }

  @Test("what is no text is folded too")
  func foreign() {
    #expect(Folding.tokens("\u{FFFD}\u{0}\"*( NEAR -x\u{202E}").joined() == "nearx")
    #expect(Folding.fold("a×b÷c") == "a b c")
  }

  @Test("a name in letters of another language is told")
  func scripts() {
    let read: [(String, [String])] = [
      ("Monte-Carlo", ["fr", "en", "de", "pl", "vi"]), ("Łódź", ["pl", "en"]),
      ("모나코", ["ko", "ja"]),
      ("渋谷", ["ja", "zh"]), ("Москва", ["ru", "uk"]), ("12", ["ko", "ru", "en"]),
    ]
    for (name, codes) in read {
      #expect(codes.allSatisfy { Language($0)?.reads(name) == true }, "\(name)")
    }
    for (name, code) in [
      ("Monte-Carlo", "ko"), ("Monte-Carlo", "ru"), ("渋谷", "en"), ("Москва", "fr"),
    ] {
      #expect(Language(code)?.reads(name) == false, "\(name)")
    }
  }
}
