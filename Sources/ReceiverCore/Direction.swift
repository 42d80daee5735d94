extension Double {
  /// The same direction from 0 up to 360, however often it was turned round.
  package var turned: Double {
    let rest = truncatingRemainder(dividingBy: 360)
    // One that is a hair below 360 is rounded to it.
    return rest < 0 ? (rest + 360).truncatingRemainder(dividingBy: 360) : rest
  }

  /// Itself as degrees from north, from 0 up to 360; nil where it is no direction.
  var direction: Double? {
    guard (0...360).contains(self) else { return nil }
    return self == 360 ? 0 : self
  }
}
