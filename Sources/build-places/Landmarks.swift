internal import LocationModel
internal import PlaceCore
internal import Platform

/// A line of the table of the best-known places.
struct LandmarkLine {
  let kind: String
  /// An airport's IATA code, else the countries that the place lies in.
  let codes: [String]
  let place: Coordinate
  let kilometres: Double
  let names: [String: String]
  let others: [String]
  /// The word of the source, before a number there.
  private let source: Substring
  /// Wikidata's number, where the source has it.
  private let wikidata: String?
  private let number: Int

  private static let languages = ["", "ko", "ja", "de", "fr", "es"]

  static func all(_ path: String) throws -> [LandmarkLine] {
    let text = String(decoding: try File.bytes(of: path, atMost: 1 << 20), as: UTF8.self)
    let lines = text.split(separator: "\n")
    let sources = Set(lines.compactMap(explained))
    return try lines.enumerated().compactMap { i, line in
      if line.hasPrefix("#") { return nil }
      guard let landmark = LandmarkLine(line, i + 1) else {
        throw BuildError("\(path): line \(i + 1) is none")
      }
      guard sources.contains(landmark.source) else {
        throw BuildError("\(path): line \(i + 1) names no source that the head explains")
      }
      return landmark
    }
  }

  /// The word for a source that a line of the head explains: # = word: what it is.
  private static func explained(_ line: Substring) -> Substring? {
    guard line.hasPrefix("# = ") else { return nil }
    return line.dropFirst(4).split(separator: ":").first
  }

  private init?(_ line: Substring, _ number: Int) {
    let fields = line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
    guard fields.count == 6 + Self.languages.count else { return nil }
    kind = fields[0]
    self.number = number
    codes = fields[1].split(separator: " ").map(String.init)
    let numbers = fields[2].split(separator: ",").compactMap { Double($0) }
    place = Coordinate(latitude: numbers.first ?? 0, longitude: numbers.last ?? 0)
    kilometres = Double(fields[3]) ?? 0
    names = Dictionary(
      zip(Self.languages, fields[4..<10]).filter { !$0.1.isEmpty }, uniquingKeysWith: { $1 })
    others = fields[10].split(separator: ";").map(String.init)
    let words = fields[11].split(separator: " ")
    source = words.first ?? ""
    let isNumbered = source == "wikidata" || source == "wikivoyage"
    wikidata = isNumbered && words.count > 1 ? Folding.fold(String(words[1])) : nil
    guard kind == "airport" || numbers.count == 2, names[""] != nil, place.isValid else {
      return nil
    }
  }

  func feature(weight: Int64) -> FeatureBuilder.Feature {
    var feature = FeatureBuilder.Feature(
      kind, "mark.\(number)", at: GridPoint(place), radius: kilometres * 1000, weight: weight)
    feature.country = codes.first ?? ""
    (feature.names, feature.others) = (names, others)
    feature.tags = [wikidata].compactMap(\.self)
    return feature
  }
}

/// A lake of Natural Earth's.
struct NaturalLake {
  let shape: Shape
  private let fields: [String: String]
  private let number: Int

  /// The lines with a name.
  static func all(_ path: String) throws -> [NaturalLake] {
    let records = try Shapefile.records(path + ".dbf")
    return zip(records, try Shapefile.shapes(path + ".shp")).enumerated().compactMap {
      guard $1.0["name"]?.isEmpty == false, !$1.1.rings.isEmpty else { return nil }
      return NaturalLake(shape: $1.1, fields: $1.0, number: $0)
    }
  }

  func isPart(of other: Shape) -> Bool {
    Outline(shape).middle.map(other.contains) == true
  }

  private static let words = [
    "Lake", "Lago", "Lac", "Loch", "Lough", "Laguna", "Lagoon", "Reservoir", "Sea", "Danau", "Hu",
    "Nuur", "Ozero", "Embalse", "Represa", "Co", "Nur", "Dam",
  ]
  private static let korean = ["호", "해", "지"]

  /// Natural Earth leaves out the word for a lake in many names.
  var feature: FeatureBuilder.Feature {
    let outline = Outline(shape)
    let rank = Double(fields["scalerank"] ?? "") ?? 9
    var feature = FeatureBuilder.Feature(
      "lake", "ne.\(number)",
      at: outline.middle.flatMap { shape.contains($0) ? $0 : nil } ?? shape.rings[0][0],
      radius: outline.radius, weight: Int64(200_000 / (1 + rank)))
    let own = fields["name"] ?? ""
    let isSaid = own.split(separator: " ").contains { Self.words.contains(String($0)) }
    feature.names[""] = isSaid ? own : "Lake " + own
    for (language, word) in [("fr", "lac "), ("es", "lago ")] {
      guard let name = fields["name_" + language], !name.isEmpty else { continue }
      let isSaid = name.split(separator: " ").contains {
        Self.words.contains(String($0).capitalizedWord)
      }
      feature.names[language] = isSaid ? name : word + name
    }
    if let name = fields["name_de"], !name.isEmpty { feature.names["de"] = name }
    if let name = fields["name_ja"], !name.isEmpty { feature.names["ja"] = name }
    if let name = fields["name_ko"], let end = name.last, Self.korean.contains(String(end)) {
      feature.names["ko"] = name
    }
    feature.others = [own, fields["name_en"] ?? "", fields["name_alt"] ?? ""].filter { !$0.isEmpty }
    feature.shape = shape
    return feature
  }
}

extension String {
  fileprivate var capitalizedWord: String { prefix(1).uppercased() + dropFirst() }
}
