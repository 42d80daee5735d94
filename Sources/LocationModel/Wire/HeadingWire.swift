/// A heading as one JSON object; what is unknown is left out.
extension TextBuffer {
  package mutating func append(_ heading: Heading) {
    append("{")
    if let magnetic = heading.magneticHeading {
      append("\"magneticHeading\":")
      append(decimal: magnetic, places: 3)
      append(",")
    }
    if let heading = heading.trueHeading {
      append("\"trueHeading\":")
      append(decimal: heading, places: 3)
      append(",")
    }
    if let accuracy = heading.accuracy {
      append("\"headingAccuracy\":")
      append(decimal: accuracy, places: 3)
      append(",")
    }
    append("\"timestamp\":\"")
    append(heading.timestamp)
    append("\"}")
  }
}

extension Heading {
  /// Nil where no direction or no time is said.
  package init?(_ json: JSON) {
    guard let timestamp = json["timestamp"]?.string.flatMap(Timestamp.init(iso8601:)) else {
      return nil
    }
    self.init(
      trueHeading: json["trueHeading"]?.double, magneticHeading: json["magneticHeading"]?.double,
      accuracy: json["headingAccuracy"]?.double, timestamp: timestamp)
    guard trueHeading != nil || magneticHeading != nil else { return nil }
  }
}
