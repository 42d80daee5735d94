import LocationModel

/// A stay as it is remembered over a restart.
struct StoredStay: Equatable, Sendable {
  var arrival: Timestamp?
  var centre: Coordinate
  var weight: Double
  var spread: Double
  /// When it was last seen to last.
  var last: Timestamp
}

extension StoredStay {
  package var json: JSON {
    [
      "arrival": arrival.map { .integer($0.microseconds) }, "latitude": .number(centre.latitude),
      "longitude": .number(centre.longitude), "weight": .number(weight),
      "spread": .number(spread), "last": .integer(last.microseconds),
    ]
  }

  /// Nil where something is missing or impossible.
  package init?(_ json: JSON) {
    guard let latitude = json["latitude"]?.double, let longitude = json["longitude"]?.double,
      let weight = json["weight"]?.double, let spread = json["spread"]?.double,
      let last = json["last"]?.integer, weight > 0, weight.isFinite, (0...10_000).contains(spread)
    else { return nil }
    arrival = json["arrival"]?.integer.map(Timestamp.init(microseconds:))
      .flatMap { $0.isPlausible ? $0 : nil }
    centre = Coordinate(latitude: latitude, longitude: longitude)
    self.weight = weight
    self.spread = spread
    self.last = Timestamp(microseconds: last)
    guard centre.isValid, self.last.isPlausible else { return nil }
  }
}
