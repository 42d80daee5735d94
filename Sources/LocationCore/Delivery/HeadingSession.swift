import LocationModel

/// The heading service of one manager: which headings it is told.
struct HeadingSession {
  let recipient: Recipient
  /// The wishes may change while it runs.
  var request: HeadingRequest
  private var last: Heading?

  init(_ recipient: Recipient, _ request: HeadingRequest) {
    self.recipient = recipient
    self.request = request
  }

  /// Whether this one is to be told, which it then counts as.
  mutating func admits(_ heading: Heading) -> Bool {
    if let last, let turn = turn(from: last, to: heading), turn < request.headingFilter {
      return false
    }
    last = heading
    return true
  }

  /// Degrees, the shorter way round; nil where the two know different norths.
  private func turn(from last: Heading, to heading: Heading) -> Double? {
    func between(_ a: Double?, _ b: Double?) -> Double? {
      guard let a, let b else { return nil }
      let turn = (a - b).magnitude.truncatingRemainder(dividingBy: 360)
      return min(turn, 360 - turn)
    }
    return between(last.trueHeading, heading.trueHeading)
      ?? between(last.magneticHeading, heading.magneticHeading)
  }
}
