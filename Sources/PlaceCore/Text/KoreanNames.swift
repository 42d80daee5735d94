/// Korea's districts are said in short, too: 서울 for 서울특별시, 해운대 for 해운대구, 명동 for 명동1가.
package enum KoreanNames {
  /// The name, and how else it is said.
  package static func forms(of name: String) -> [String] {
    if let province = provinces.first(where: { $0.contains(name) }) {
      return [name] + province.filter { $0 != name }
    }
    if name.hasSuffix("가"), let digit = name.dropLast().last, digit.isNumber {
      let road = String(name.dropLast().reversed().drop { $0.isNumber }.reversed())
      return road.isEmpty ? [name] : [name, road]
    }
    for end in ["특별자치시", "광역시", "구", "시", "군"] where name.hasSuffix(end) {
      let short = name.dropLast(end.count)
      // One syllable is too little to mean it.
      return short.count > 1 ? [name, String(short)] : [name]
    }
    return [name]
  }

  /// The names that the district of a station, a city hall or a district's office may have, with the words before it, the likely
  /// first: 강남 of 강남역, 역삼동 of 역삼역, 강남구 of 강남구청. None for other texts.
  package static func districts(ofPlace text: String) -> [String] {
    for (end, division) in [("시청", "시"), ("구청", "구"), ("군청", "군"), ("도청", "도")] {
      for end in [end, end + "역"] where text.hasSuffix(end) {
        let stem = text.dropLast(end.count)
        return lastWord(stem).isEmpty ? [] : [named(stem, division)]
      }
    }
    guard text.hasSuffix("역") else { return [] }
    let stem = text.dropLast()
    // Too many 면 have one name, and lie far from railways.
    guard lastWord(stem).count > 1, stem.last != "면" else { return [] }
    return [String(stem), stem + "동"]
  }

  /// 경남도청 is 경남's.
  private static func named(_ stem: Substring, _ division: String) -> String {
    let isProvince = division == "도" && provinces.contains { $0.contains(lastWord(stem)) }
    return String(stem) + (isProvince ? "" : division)
  }

  private static func lastWord(_ text: Substring) -> String {
    text.split(separator: " ", omittingEmptySubsequences: false).last.map(String.init) ?? ""
  }

  private static let provinces = [
    ["서울특별시", "서울", "서울시"], ["부산광역시", "부산", "부산시"], ["대구광역시", "대구", "대구시"],
    ["인천광역시", "인천", "인천시"], ["광주광역시", "광주", "광주시"], ["대전광역시", "대전", "대전시"],
    ["울산광역시", "울산", "울산시"], ["세종특별자치시", "세종", "세종시"], ["경기도", "경기"],
    ["강원특별자치도", "강원", "강원도"], ["충청북도", "충북"], ["충청남도", "충남"],
    ["전북특별자치도", "전북", "전라북도"], ["전라남도", "전남"], ["경상북도", "경북"], ["경상남도", "경남"],
    ["제주특별자치도", "제주", "제주도"],
  ]
}
