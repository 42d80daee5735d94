import LocationModel

/// Options of OSRM's that say which ways are wanted. Those that cannot be obeyed here are refused.
struct OSRMOptions: Equatable {
  /// Metres that the road of each place may be away; none: as far as it is.
  private var radiuses: [Double?] = []

  private static let known: Set = [
    "alternatives", "annotations", "approaches", "bearings", "continue_straight", "exclude",
    "generate_hints", "geometries", "hints", "overview", "radiuses", "skip_waypoints", "snapping",
    "steps", "waypoints",
  ]

  init(_ parameters: WebParameters, _ request: DirectionsRequest) throws(WebRefusal) {
    guard parameters.names.allSatisfy(Self.known.contains) else { throw .query }
    let count = request.places.count
    for word in try parameters.ofPlaces("radiuses", count) {
      guard !word.isEmpty, word != "unlimited" else {
        radiuses.append(nil)
        continue
      }
      guard let metres = Double(word), metres.isFinite, metres >= 0 else { throw .query }
      radiuses.append(metres)
    }
    // A hint only makes its server quicker.
    _ = try parameters.ofPlaces("hints", count)
    let bearings = try parameters.ofPlaces("bearings", count)
    let approaches = try parameters.ofPlaces("approaches", count)
    let stops = parameters.text("waypoints")?.split(separator: ";").map { Int($0) ?? -1 }
    guard bearings.allSatisfy(\.isEmpty),
      approaches.allSatisfy({ $0.isEmpty || $0 == "unrestricted" }),
      stops == nil || stops == Array(0..<count),
      Self.isObeyed(parameters.text("continue_straight"), request.transport),
      ["default", nil].contains(parameters.text("snapping")),
      ["false", nil].contains(parameters.text("annotations"))
    else {
      throw WebRefusal(
        "No annotations are known here, and no bearings, approaches, snapping or waypoints but"
          + " the usual.", code: "NotImplemented")
    }
  }

  /// A car goes straight on at a stop, others turn where they like.
  private static func isObeyed(_ text: String?, _ transport: Transport) -> Bool {
    text == nil || text == "default" || text == (transport == .automobile ? "true" : "false")
  }

  /// The first place whose road is farther away than it may be.
  func tooFar(_ ends: [(place: Coordinate, metres: Double)]) -> Int? {
    zip(radiuses, ends).enumerated().first { _, pair in
      pair.0.map { pair.1.metres > $0 } == true
    }?.offset
  }
}

extension WebParameters {
  /// A word for each place, apart by semicolons; none where it is not given.
  fileprivate func ofPlaces(_ name: String, _ count: Int) throws(WebRefusal) -> [String] {
    guard let text = text(name) else { return [] }
    let words = text.split(separator: ";", omittingEmptySubsequences: false).map(String.init)
    guard words.count == count else {
      throw WebRefusal(
        "Number of elements in \(name) size \(words.count) does not match coordinate size \(count)",
        code: "InvalidOptions")
    }
    return words
  }

  /// `true` or `false`; nil where it is not given.
  func flag(_ name: String) throws(WebRefusal) -> Bool? {
    guard let text = self[name] else { return nil }
    guard let flag = Bool(text) else { throw .query }
    return flag
  }
}
