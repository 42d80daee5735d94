enum DegreeToken: Equatable {
  case number(Double, isNegative: Bool?, isWhole: Bool)
  /// Degrees, minutes or seconds.
  case unit(Int)
  /// A direction has a sign; the mere name of the axis has none.
  case axis(isLatitude: Bool, sign: Double?)
  case separator
}

/// The tokens of a text; nil where it holds anything that coordinates do not.
struct DegreeTokens {
  private(set) var tokens: [DegreeToken] = []

  private static let words: [String: DegreeToken] = {
    var words: [String: DegreeToken] = [:]
    let axes: [(Bool, Double?, [String])] = [
      (true, 1, ["n", "north", "북위", "北緯", "北纬"]), (true, -1, ["s", "south", "남위", "南緯", "南纬"]),
      (false, 1, ["e", "east", "동경", "東経", "东经", "東經"]),
      (false, -1, ["w", "west", "서경", "西経", "西经", "西經"]),
      (true, nil, ["lat", "latitude", "위도", "緯度", "纬度"]),
      (false, nil, ["lon", "lng", "long", "longitude", "경도", "経度", "经度", "經度"]),
    ]
    for (isLatitude, sign, names) in axes {
      for name in names { words[name] = .axis(isLatitude: isLatitude, sign: sign) }
    }
    let units = [["deg", "도", "度"], ["min", "분", "分"], ["sec", "초", "秒"]]
    for (unit, names) in units.enumerated() { for name in names { words[name] = .unit(unit) } }
    return words
  }()

  private static let marks: [Unicode.Scalar: DegreeToken] = [
    "°": .unit(0), "º": .unit(0), "˚": .unit(0), "'": .unit(1), "′": .unit(1), "’": .unit(1),
    "‘": .unit(1), "ʹ": .unit(1), "＇": .unit(1), "\"": .unit(2), "″": .unit(2), "”": .unit(2),
    "“": .unit(2), "ʺ": .unit(2), "＂": .unit(2), ";": .separator, "/": .separator,
    "、": .separator, "،": .separator,
  ]

  init?(_ text: String) {
    let scalars = Array(text.unicodeScalars)
    let hasDecimalCommas = Self.hasDecimalCommas(scalars)
    var i = 0
    while i < scalars.count {
      let scalar = scalars[i]
      if let number = Self.number(scalars, &i, hasDecimalCommas) {
        tokens.append(number)
      } else if scalar == "," {
        (tokens, i) = (tokens + [.separator], i + 1)
      } else if let mark = Self.marks[scalar] {
        i += 1
        // Two minute signs are a second sign.
        if mark == .unit(1), i < scalars.count, Self.marks[scalars[i]] == mark {
          tokens.append(.unit(2))
          i += 1
        } else {
          tokens.append(mark)
        }
      } else if scalar.properties.isAlphabetic {
        let end = scalars[i...].firstIndex { !$0.properties.isAlphabetic } ?? scalars.count
        var word = String.UnicodeScalarView()
        word.append(contentsOf: scalars[i..<end])
        guard let token = Self.words[String(word).lowercased()] else { return nil }
        tokens.append(token)
        i = end
      } else if scalar.properties.isWhitespace || "()[]:=".unicodeScalars.contains(scalar) {
        i += 1
      } else {
        return nil
      }
      guard tokens.count <= 16 else { return nil }
    }
  }

  /// `37,566 126,978` and `37,566; 126,978`: no point, and two commas each between digits.
  private static func hasDecimalCommas(_ scalars: [Unicode.Scalar]) -> Bool {
    guard !scalars.contains("."), !scalars.contains("٫") else { return false }
    let count = scalars.indices.count {
      scalars[$0] == "," && $0 > 0 && $0 + 1 < scalars.count && digit(scalars[$0 - 1]) != nil
        && digit(scalars[$0 + 1]) != nil
    }
    return count == 2
  }

  private static func digit(_ scalar: Unicode.Scalar) -> Int? {
    guard scalar.properties.numericType == .decimal, let value = scalar.properties.numericValue
    else { return nil }
    return Int(value)
  }

  /// The number that begins at `i`.
  private static func number(
    _ scalars: [Unicode.Scalar], _ i: inout Int, _ hasDecimalCommas: Bool
  ) -> DegreeToken? {
    var end = i
    var isNegative: Bool?
    if "+-−".unicodeScalars.contains(scalars[i]) {
      // Behind a digit it is a dash.
      if i > 0, digit(scalars[i - 1]) != nil { return nil }
      isNegative = scalars[i] != "+"
      end += 1
    }
    var (text, isWhole) = ("", true)
    while end < scalars.count, text.utf8.count < 24 {
      if let value = digit(scalars[end]) {
        text += String(value)
      } else if isWhole, !text.isEmpty, end + 1 < scalars.count, digit(scalars[end + 1]) != nil,
        scalars[end] == "." || scalars[end] == "٫" || hasDecimalCommas && scalars[end] == ","
      {
        (text, isWhole) = (text + ".", false)
      } else {
        break
      }
      end += 1
    }
    guard let value = Double(text), value <= 360 else { return nil }
    i = end
    return .number(value, isNegative: isNegative, isWhole: isWhole)
  }
}
