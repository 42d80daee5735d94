internal import LocationModel

/// A latitude and a longitude in degrees, as people write them: `37°33'58.87"N 126°58'40.63"E`,
/// `37.566, 126.978`, `N 37° 33.98' E 126° 58.68'`, `북위 37.5도 동경 127도`.
struct Degrees {
  let coordinate: Coordinate

  init?(_ text: String) {
    guard let tokens = DegreeTokens(text)?.tokens, let halves = Self.halves(tokens),
      let first = Angle(halves.0), let second = Angle(halves.1)
    else { return nil }
    let place: Coordinate
    switch (first.isLatitude, second.isLatitude) {
    case (true?, false?): place = Coordinate(latitude: first.value, longitude: second.value)
    case (false?, true?): place = Coordinate(latitude: second.value, longitude: first.value)
    case (nil, nil):
      // Two whole numbers alone are a house number, a postcode or a date.
      let isClear = tokens.contains(.separator) || first.isClear && second.isClear
      guard isClear else { return nil }
      place = Coordinate(latitude: first.value, longitude: second.value)
    default: return nil
    }
    guard place.isValid else { return nil }
    coordinate = place
  }

  /// The tokens of each angle.
  private static func halves(
    _ tokens: [DegreeToken]
  ) -> (ArraySlice<DegreeToken>, ArraySlice<DegreeToken>)? {
    func split(_ i: Int, dropping count: Int = 0) -> (
      ArraySlice<DegreeToken>, ArraySlice<DegreeToken>
    ) { (tokens[..<i], tokens[(i + count)...]) }
    let separators = tokens.indices.filter { tokens[$0] == .separator }
    if separators.count == 1 { return split(separators[0], dropping: 1) }
    guard separators.isEmpty, !tokens.isEmpty else { return nil }
    let axes = tokens.indices.filter { if case .axis = tokens[$0] { true } else { false } }
    if axes.count == 2 { return split(axes[0] == 0 ? axes[1] : axes[0] + 1) }
    guard axes.isEmpty else { return nil }
    let degrees = tokens.indices.filter { tokens[$0] == .unit(0) }
    if degrees.count == 2 { return split(max(degrees[1] - 1, 0)) }
    return degrees.isEmpty && tokens.count == 2 ? split(1) : nil
  }
}

/// One of the two: a direction before or behind up to three numbers.
private struct Angle {
  var value = 0.0
  /// Nil where nothing says it.
  var isLatitude: Bool?
  /// A fraction or a degree sign says that these are degrees.
  var isClear = false

  init?(_ tokens: ArraySlice<DegreeToken>) {
    var tokens = tokens
    var axis = Self.axis(tokens.first)
    if axis != nil {
      tokens = tokens.dropFirst()
    } else {
      axis = Self.axis(tokens.last)
      if axis != nil { tokens = tokens.dropLast() }
    }
    var (part, sign, whole) = (0, 1.0, true)
    while let token = tokens.popFirst() {
      guard case .number(let number, let isNegative, let isWhole) = token, part < 3, whole else {
        return nil
      }
      if part > 0, isNegative != nil || number >= 60 { return nil }
      if let isNegative {
        // A direction says it already.
        if axis?.sign != nil { return nil }
        sign = isNegative ? -1 : 1
      }
      if case .unit(let unit) = tokens.first {
        guard unit == part else { return nil }
        isClear = true
        tokens = tokens.dropFirst()
      }
      value += number / [1, 60, 3600][part]
      isClear = isClear || !isWhole
      (part, whole) = (part + 1, isWhole)
    }
    guard part > 0 else { return nil }
    value *= axis?.sign ?? sign
    isLatitude = axis?.isLatitude
  }

  private static func axis(_ token: DegreeToken?) -> (isLatitude: Bool, sign: Double?)? {
    if case .axis(let isLatitude, let sign) = token { (isLatitude, sign) } else { nil }
  }
}
