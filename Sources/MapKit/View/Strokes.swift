/// Core Graphics is not here; these have its names.
public enum CGLineCap: Int32, Sendable {
  case butt = 0
  case round = 1
  case square = 2

  /// As a style sheet has it.
  var words: String {
    switch self {
    case .butt: "butt"
    case .round: "round"
    case .square: "square"
    }
  }
}

public enum CGLineJoin: Int32, Sendable {
  case miter = 0
  case round = 1
  case bevel = 2

  var words: String {
    switch self {
    case .miter: "miter"
    case .round: "round"
    case .bevel: "bevel"
    }
  }
}

public enum CGBlendMode: Int32, Sendable {
  case normal = 0
  case multiply = 1
  case screen = 2
  case overlay = 3
  case darken = 4
  case lighten = 5
  case colorDodge = 6
  case colorBurn = 7
  case softLight = 8
  case hardLight = 9
  case difference = 10
  case exclusion = 11
  case hue = 12
  case saturation = 13
  case color = 14
  case luminosity = 15

  /// Nil for the usual one.
  var words: String? {
    let all: [String?] = [
      nil, "multiply", "screen", "overlay", "darken", "lighten", "color-dodge", "color-burn",
      "soft-light", "hard-light", "difference", "exclusion", "hue", "saturation", "color",
      "luminosity",
    ]
    return all[Int(rawValue)]
  }
}
