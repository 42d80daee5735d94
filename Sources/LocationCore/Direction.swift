extension Double {
  /// Itself as degrees from north, from 0 up to 360; nil where it is no direction.
  var direction: Double? {
    guard (0...360).contains(self) else { return nil }
    return self == 360 ? 0 : self
  }
}
