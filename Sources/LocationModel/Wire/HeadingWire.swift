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
