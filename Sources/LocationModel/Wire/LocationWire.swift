/// A location as one JSON object; the order is that of the documentation.
extension TextBuffer {
  package mutating func append(_ location: Location) {
    append("{")
    append(membersOf: location.coordinate)
    append(",\"altitude\":", location.altitude, places: 3)
    append(",\"ellipsoidalAltitude\":", location.ellipsoidalAltitude, places: 3)
    append(",\"horizontalAccuracy\":", location.horizontalAccuracy, places: 3)
    append(",\"verticalAccuracy\":", location.verticalAccuracy, places: 3)
    append(",\"speed\":", location.speed, places: 3)
    append(",\"speedAccuracy\":", location.speedAccuracy, places: 3)
    append(",\"course\":", location.course, places: 3)
    append(",\"courseAccuracy\":", location.courseAccuracy, places: 3)
    append(",\"timestamp\":\"")
    append(location.timestamp)
    if location.source.isEmpty {
      append("\"")
    } else {
      append("\",\"source\":")
      append(quoted: location.source)
    }
    append(",\"simulated\":")
    append(location.simulated ? "true}" : "false}")
  }

  mutating func append(membersOf place: Coordinate) {
    append("\"latitude\":")
    append(decimal: place.latitude, places: 9)
    append(",\"longitude\":")
    append(decimal: place.longitude, places: 9)
  }

  @inline(__always)
  private mutating func append(_ name: StaticString, _ value: Double?, places: Int) {
    guard let value else { return }
    append(name)
    append(decimal: value, places: places)
  }
}

extension Location {
  /// Nil where a place, an accuracy or a time is missing or impossible.
  package init?(_ json: JSON) {
    guard let latitude = json["latitude"]?.double, let longitude = json["longitude"]?.double,
      let horizontalAccuracy = json["horizontalAccuracy"]?.double,
      let timestamp = json["timestamp"]?.string.flatMap(Timestamp.init(iso8601:))
    else { return nil }
    self.init(
      coordinate: Coordinate(latitude: latitude, longitude: longitude),
      horizontalAccuracy: horizontalAccuracy, timestamp: timestamp,
      source: json["source"]?.string ?? "", simulated: json["simulated"]?.bool ?? false)
    altitude = json["altitude"]?.double
    ellipsoidalAltitude = json["ellipsoidalAltitude"]?.double
    verticalAccuracy = json["verticalAccuracy"]?.double
    speed = json["speed"]?.double
    speedAccuracy = json["speedAccuracy"]?.double
    course = json["course"]?.double
    courseAccuracy = json["courseAccuracy"]?.double
    guard isValid else { return nil }
  }
}
