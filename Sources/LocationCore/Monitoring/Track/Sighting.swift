package import LocationModel

/// A believed fix as the detectors take it.
package struct Sighting: Sendable {
  /// Seconds on the track's own clock, which never goes back.
  package var time: Double
  /// The receiver's time.
  package var date: Timestamp
  package var point: Point
  package var accuracy: Double
  package var speed: Double?

  package init(
    time: Double, date: Timestamp, point: Point, accuracy: Double, speed: Double? = nil
  ) {
    self.time = time
    self.date = date
    self.point = point
    self.accuracy = accuracy
    self.speed = speed
  }

  /// Whether it was found by radio cells or less.
  var isCoarse: Bool { accuracy > Self.coarse }

  /// Metres. Wi-Fi is located better.
  static let coarse = 150.0
  /// A coarse one may be off by so many times what it says: cells are by up to 1.4.
  static let coarseDoubt = 2.0
}
