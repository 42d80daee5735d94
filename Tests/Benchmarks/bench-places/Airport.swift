import LocationModel
import PlaceCore

/// A line of airportsdata's table.
struct Airport {
  var coordinate: Coordinate
  var country: String
  var province: String

  static func all(in text: String) -> [Airport] {
    let lines = text.split(whereSeparator: \.isNewline).map(fields)
    guard let head = lines.first, let y = head.firstIndex(of: "lat"),
      let x = head.firstIndex(of: "lon"), let country = head.firstIndex(of: "country"),
      let province = head.firstIndex(of: "subd")
    else { return [] }
    return lines.dropFirst().compactMap { line in
      guard line.count == head.count, let latitude = Double(line[y]),
        let longitude = Double(line[x])
      else { return nil }
      return Airport(
        coordinate: Coordinate(latitude: latitude, longitude: longitude), country: line[country],
        province: line[province])
    }
  }

  private static func fields(_ line: Substring) -> [String] {
    var fields = [""]
    var isQuoted = false
    for letter in line {
      switch letter {
      case "\"": isQuoted.toggle()
      case "," where !isQuoted: fields.append("")
      default: fields[fields.count - 1].append(letter)
      }
    }
    return fields
  }

  /// The table writes names in German, Korean in Latin letters or English: as words, without what says the kind.
  func isIn(_ name: String) -> Bool { Self.plain(name) == Self.plain(province) }

  private static func plain(_ name: String) -> String {
    let kinds: Set = [
      "do", "ken", "fu", "to", "si", "prefecture", "province", "state", "land", "region",
      "territory",
      "of", "free", "and", "hanseatic", "city", "estado", "de", "commonwealth",
    ]
    let words = Folding.tokens(name).filter { !kinds.contains($0) }
    let text = words.joined(separator: " ")
    return other[text] ?? text
  }

  private static let other = [
    "bayern": "bavaria", "nordrhein westfalen": "north rhine westphalia",
    "niedersachsen": "lower saxony", "rheinland pfalz": "rhineland palatinate",
    "sachsen anhalt": "saxony anhalt", "sachsen": "saxony", "thuringen": "thuringia",
    "hessen": "hesse", "act": "australian capital territory", "centre": "centre val loire",
    "pays la loire": "pays loire",
    "bretagne": "brittany", "corse": "corsica", "normandie": "normandy",
    "mecklenburg vorpommern": "mecklenburg western pomerania",
    "chungcheongnam": "south chungcheong", "chungcheongbuk": "north chungcheong",
    "jeollabuk": "north jeolla", "jeonbuk": "north jeolla", "jeollanam": "south jeolla",
    "gyeongsangnam": "south gyeongsang", "gyeongsangbuk": "north gyeongsang",
  ]
}
