/// The sentences of a language that tell a way.
struct Phrases {
  var code: String
  /// Eight of them, clockwise from the north.
  var compass: [String]
  /// As Turn's cases are; the second is said where the road has a name.
  var turns: [Turn: (plain: String, named: String)]
  var depart: (plain: String, named: String)
  var goOn: (plain: String, named: String)
  var keep: (left: String, right: String)
  var merge: (plain: String, named: String)
  var ramp: (plain: String, named: String)
  var roundabout: (plain: String, named: String)
  var roundaboutExit: (plain: String, named: String)
  var board: (plain: String, named: String)
  var via: String
  var arrive: (plain: String, left: String, right: String)
  var advisories: [Advisory: String]
  /// The way begins or ends `{d}` away from the place that was asked for.
  var gaps: (start: String, end: String)
  /// How the nth is written.
  var ordinal: @Sendable (Int) -> String = { "\($0)" }
}

extension Phrases {
  /// In the order of `Turn`. `named`: what a sentence becomes where the road has a name.
  static func turns(
    _ plain: String..., named: String
  ) -> [Turn: (plain: String, named: String)] {
    Dictionary(
      zip(Turn.allCases, plain.map { ($0, named.replacing("{s}", $0)) }), uniquingKeysWith: { $1 })
  }

  static func of(_ language: Language?) -> Phrases {
    switch language?.code {
    case "ko": korean
    case "de": german
    case "fr": french
    case "es": spanish
    case "ja": japanese
    default: english
    }
  }

  func advisory(_ advisory: Advisory) -> String { advisories[advisory] ?? "" }

  /// The distance is told beside it.
  func sentence(_ move: Move) -> String { words(move).filled(move.street, code) }

  private func words(_ move: Move) -> String {
    func choose(_ pair: (plain: String, named: String)) -> String {
      move.street == nil ? pair.plain : pair.named
    }
    switch move.kind {
    case .depart(let bearing):
      let sector = ((bearing.isFinite ? bearing : 0) / 45).rounded().remainder(dividingBy: 8)
      let direction = compass[Int(sector < 0 ? sector + 8 : sector) % 8]
      return choose(depart).replacing("{c}", direction)
    case .turn(let turn): return choose(turns[turn] ?? goOn)
    case .goOn: return choose(goOn)
    case .keep(let side):
      return side == .left ? keep.left : keep.right
    case .merge: return choose(merge)
    case .ramp: return choose(ramp)
    case .roundabout(let exit?):
      return choose(roundaboutExit).replacing("{n}", ordinal(exit))
    case .roundabout(nil): return choose(roundabout)
    case .board: return choose(board)
    case .via: return via
    case .arrive(.left): return arrive.left
    case .arrive(.right): return arrive.right
    case .arrive(nil): return arrive.plain
    }
  }
}

extension String {
  func replacing(_ mark: String, _ text: String) -> String {
    guard let range = range(of: mark) else { return self }
    return String(self[..<range.lowerBound]) + text + self[range.upperBound...]
  }

  private func range(of mark: String) -> Range<Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(mark) { return start..<index(start, offsetBy: mark.count) }
      start = index(after: start)
    }
    return nil
  }

  /// With the street's name in its place, and what it makes of the words beside it.
  fileprivate func filled(_ street: String?, _ language: String) -> String {
    guard let street else { return self }
    return replacing("{r}", street)
      .replacing("(으)로", language == "ko" && street.endsInConsonant ? "으로" : "로")
  }

  /// Whether its last syllable of hangul ends in a consonant other than ㄹ.
  private var endsInConsonant: Bool {
    guard let last = unicodeScalars.last?.value, (0xAC00...0xD7A3).contains(last) else {
      return false
    }
    let final = (last - 0xAC00) % 28
    return final != 0 && final != 8
  }
}
