/// Latin letters without their accents.
enum Latin {
  /// From U+00C0 and from U+1E00 on. `.` stays as it is, `*` becomes more than one letter.
  private static let extended: StaticString = """
    aaaaaa*ceeeeiiiidnooooo.ouuuuy**aaaaaa*ceeeeiiiidnooooo.ouuuuy*y\
    aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiii**jjkkklllllll\
    lllnnnnnnnnnoooooo**rrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs\
    bb....o..dd...eeeff....ikkl.....oo.............uu..yy...........\
    ....*********aaiioouuuuuuuuuueaaaa..ggggkkoooo..j***gg..nnaa....\
    aaaaeeeeiiiioooorrrruuuusstt..hh....zzaaeeooooooooyy...j.....l..\
    ...b..eejjqqrryy
    """
  private static let additional: StaticString = """
    aabbbbbbccddddddddddeeeeeeeeeeffgghhhhhhhhhhiiiikkkkkkllllllllmm\
    mmmmnnnnnnnnoooooooopppprrrrrrrrssssssssssttttttttuuuuuuuuuuvvvv\
    wwwwwwwwwwxxxxyyzzzzzzhtwyas..*daaaaaaaaaaaaaaaaaaaaaaaaeeeeeeee\
    eeeeeeeeiiiioooooooooooooooooooooooouuuuuuuuuuuuuuyyyyyyyy......
    """

  static func fold(_ scalar: Unicode.Scalar, into letters: inout String.UnicodeScalarView) {
    let (table, place) =
      scalar.value < 0x1E00
      ? (extended, Int(scalar.value) - 0xC0) : (additional, Int(scalar.value) - 0x1E00)
    let letter = table.withUTF8Buffer { place < $0.count ? $0[place] : UInt8(ascii: ".") }
    switch letter {
    case UInt8(ascii: "."):
      letters.append(contentsOf: scalar.properties.lowercaseMapping.unicodeScalars)
    case UInt8(ascii: "*"): letters.append(contentsOf: several(scalar).unicodeScalars)
    default: letters.append(Unicode.Scalar(letter))
    }
  }

  private static func several(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "Æ", "æ", "Ǣ", "ǣ", "Ǽ", "ǽ": "ae"
    case "ß", "ẞ": "ss"
    case "Þ", "þ": "th"
    case "Œ", "œ": "oe"
    case "Ĳ", "ĳ": "ij"
    case "Ǆ", "ǅ", "ǆ", "Ǳ", "ǲ", "ǳ": "dz"
    case "Ǉ", "ǈ", "ǉ": "lj"
    default: "nj"
    }
  }
}

/// Greek, Cyrillic and Arabic letters without what is often left out.
enum Alphabets {
  private static let pairs: [Unicode.Scalar: Unicode.Scalar] = {
    let with = "άέήίόύώϊϋΐΰςΆΈΉΊΌΎΏΪΫйёѐѓїќѝўѣґЙЁЀЃЇЌЍЎҐ" + "أإآٱىیةکؤئەہ"
    let without = "αεηιουωιυιυσαεηιουωιυиеегикиуегиеегикиуг" + "ااااييهكويهه"
    return Dictionary(
      zip(with.unicodeScalars, without.unicodeScalars), uniquingKeysWith: { first, _ in first })
  }()
  /// From U+1F00 on.
  private static let polytonic = Array(
    """
    ααααααααααααααααεεεεεε..εεεεεε..ηηηηηηηηηηηηηηηηιιιιιιιιιιιιιιιιοοοοοο..οοοοοο..υυυυυυυυ\
    .υ.υ.υ.υωωωωωωωωωωωωωωωωααεεηηιιοουυωω..ααααααααααααααααηηηηηηηηηηηηηηηηωωωωωωωωωωωωωωωω\
    ααααα.ααααααα.ι...ηηη.ηηεεηηη...ιιιι..ιιιιιι....υυυυρρυυυυυυρ.....ωωω.ωωοοωωω...
    """.unicodeScalars)

  static func plain(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    if scalar.value >= 0x1F00 {
      let place = Int(scalar.value) - 0x1F00
      guard place < polytonic.count, polytonic[place] != "." else { return scalar }
      return polytonic[place]
    }
    return pairs[scalar] ?? scalar
  }
}

enum Kana {
  /// As hiragana.
  private static let half = Array(
    "をぁぃぅぇぉゃゅょっーあいうえおかきくけこさしすせそたちつてとなにぬねのはひふへほまみむめもやゆよらりるれろわん"
      .unicodeScalars)

  static func wide(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    let place = Int(scalar.value) - 0xFF66
    return place >= 0 && place < half.count ? half[place] : scalar
  }
}
