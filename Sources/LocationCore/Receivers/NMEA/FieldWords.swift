import LocationModel

/// Fields with a form of their own.
extension Fields {
  /// `hhmmss` with any decimals, since midnight; second 60 is a leap second.
  @inline(__always)
  mutating func time() -> Duration? {
    guard let decimal = decimal() else { return nil }
    let whole = decimal.mantissa / decimal.scale
    let (hours, minutes, seconds) = (whole / 10_000, whole / 100 % 100, whole % 100)
    guard !decimal.isNegative, hours < 24, minutes < 60, seconds <= 60 else {
      isMalformed = true
      return nil
    }
    let fraction = Double(decimal.mantissa - whole * decimal.scale) / Double(decimal.scale)
    return .microseconds(
      (hours * 3600 + minutes * 60 + seconds) * 1_000_000 + Int64(fraction * 1e6 + 0.5))
  }

  /// `ddmmyy` as days since the Unix epoch; nil where it is empty or all zeros.
  mutating func date() -> Int? {
    guard let number = integer(), number != 0 else { return nil }
    let year = number % 100
    return day(
      year: year < 80 ? 2000 + year : 1900 + year, month: number / 100 % 100, number / 10_000)
  }

  /// Days since the Unix epoch; a day that no calendar has is malformed, and so is one so late that the
  /// days after it may be implausible.
  mutating func day(year: Int, month: Int, _ day: Int) -> Int? {
    guard (1980..<2199).contains(year), (1...12).contains(month), (1...31).contains(day) else {
      isMalformed = true
      return nil
    }
    return Timestamp.days(year: year, month: month, day: day)
  }

  /// A place, and the scale of its minutes: the power of ten that they are given to.
  struct Place {
    var coordinate: Coordinate
    var scale: Int64
  }

  /// `ddmm.mm,N,dddmm.mm,E`: nil where nothing is in them.
  @inline(__always)
  mutating func place() -> Place? {
    let latitude = angle(positive: UInt8(ascii: "N"), negative: UInt8(ascii: "S"), most: 90)
    let longitude = angle(positive: UInt8(ascii: "E"), negative: UInt8(ascii: "W"), most: 180)
    guard let latitude, let longitude else { return nil }
    return Place(
      coordinate: Coordinate(latitude: latitude.degrees, longitude: longitude.degrees),
      scale: min(latitude.scale, longitude.scale))
  }

  /// Degrees and minutes with the half they lie in; a sign beside the letter must not contradict it.
  @inline(__always)
  private mutating func angle(
    positive: UInt8, negative: UInt8, most: Double
  ) -> (degrees: Double, scale: Int64)? {
    let decimal = decimal()
    let letter = letter()
    guard let decimal else {
      isMalformed = isMalformed || (letter != 0 && letter != positive && letter != negative)
      return nil
    }
    let degree = decimal.scale * 100
    let whole = decimal.mantissa / degree
    let minutes = Double(decimal.mantissa - whole * degree) / Double(decimal.scale)
    let degrees = Double(whole) + minutes / 60
    guard minutes <= 60, degrees <= most,
      letter == negative || (letter == positive && !decimal.isNegative)
    else {
      isMalformed = true
      return nil
    }
    return (letter == negative ? -degrees : degrees, decimal.scale)
  }

  /// Passes the fields of a place.
  mutating func noPlace() -> Place? {
    skip(4)
    return nil
  }

  /// The variation of the compass, east positive.
  mutating func variation() -> Double? {
    let degrees = number()
    let letter = letter()
    guard let degrees else { return nil }
    return letter == UInt8(ascii: "W") ? -degrees : degrees
  }

  /// GNS has a mode letter for each constellation: the one that says most.
  mutating func bestMode() -> Fix.Kind? {
    var best: Fix.Kind?
    while let letter = character() {
      guard let kind = Fix.Kind(mode: letter) else { continue }
      if best.map({ $0.weight < kind.weight }) ?? true { best = kind }
    }
    return best
  }
}
