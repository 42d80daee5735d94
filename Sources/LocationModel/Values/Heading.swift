/// Which way the machine points, in degrees from 0 up to 360; never its course.
package struct Heading: Equatable, Sendable {
  package var trueHeading: Double?
  package var magneticHeading: Double?
  package var accuracy: Double?
  package var timestamp: Timestamp

  package init(
    trueHeading: Double? = nil, magneticHeading: Double? = nil, accuracy: Double? = nil,
    timestamp: Timestamp
  ) {
    self.trueHeading = trueHeading
    self.magneticHeading = magneticHeading
    self.accuracy = accuracy
    self.timestamp = timestamp
  }
}
