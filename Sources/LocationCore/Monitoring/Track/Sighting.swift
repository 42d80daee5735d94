import LocationModel

/// A believed fix as the detectors take it.
struct Sighting: Sendable {
  /// Seconds on the track's own clock, which never goes back.
  var time: Double
  /// The receiver's time.
  var date: Timestamp
  var point: Point
  var accuracy: Double
  var speed: Double?

  init(
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
