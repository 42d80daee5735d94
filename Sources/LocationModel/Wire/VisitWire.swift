/// A visit as one JSON object; what is unknown is left out.
extension TextBuffer {
  package mutating func append(_ visit: Visit) {
    append("{")
    append(membersOf: visit.coordinate)
    append(",\"horizontalAccuracy\":")
    append(decimal: visit.horizontalAccuracy, places: 3)
    if let arrival = visit.arrivalDate {
      append(",\"arrivalDate\":\"")
      append(arrival)
      append("\"")
    }
    if let departure = visit.departureDate {
      append(",\"departureDate\":\"")
      append(departure)
      append("\"")
    }
    append("}")
  }
}

extension Visit {
  /// Nil where a place is missing or impossible.
  package init?(_ json: JSON) {
    guard let latitude = json["latitude"]?.double, let longitude = json["longitude"]?.double,
      let accuracy = json["horizontalAccuracy"]?.double
    else { return nil }
    self.init(
      coordinate: Coordinate(latitude: latitude, longitude: longitude),
      horizontalAccuracy: accuracy,
      arrivalDate: json["arrivalDate"]?.string.flatMap(Timestamp.init(iso8601:)),
      departureDate: json["departureDate"]?.string.flatMap(Timestamp.init(iso8601:)))
    guard coordinate.isValid else { return nil }
  }
}
