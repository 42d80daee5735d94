public import Foundation
import LocationModel

/// Which way the device points, in degrees from north.
// Unchecked, as open classes are: nothing of it changes once it is made.
open class CLHeading: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  private final var direction = (magnetic: -1.0, true: -1.0, accuracy: -1.0, date: Date())

  public override init() {}

  convenience init(magnetic: Double, true direction: Double, accuracy: Double, at date: Date) {
    self.init()
    self.direction = (magnetic, direction, accuracy, date)
  }

  /// Negative where it is unknown, which never happens on Apple's platforms: some receivers say true
  /// north alone, far from any declination.
  open var magneticHeading: CLLocationDirection { direction.magnetic }
  /// Negative where the place, and so the declination, is unknown.
  open var trueHeading: CLLocationDirection { direction.true }
  /// Negative where it is unknown.
  open var headingAccuracy: CLLocationDirection { direction.accuracy }
  open var timestamp: Date { direction.date }
  // The field that a magnetometer measures: no compass on Linux says it.
  open var x: CLHeadingComponentValue { 0 }
  open var y: CLHeadingComponentValue { 0 }
  open var z: CLHeadingComponentValue { 0 }

  open override var description: String {
    "magneticHeading \(magneticHeading) trueHeading \(trueHeading) accuracy \(headingAccuracy) @ \(timestamp)"
  }

  open func copy(with zone: NSZone? = nil) -> Any { self }
  open class var supportsSecureCoding: Bool { true }

  open func encode(with coder: NSCoder) {
    coder.encode(magneticHeading, forKey: "magneticHeading")
    coder.encode(trueHeading, forKey: "trueHeading")
    coder.encode(headingAccuracy, forKey: "headingAccuracy")
    coder.encode(timestamp.timeIntervalSinceReferenceDate, forKey: "timestamp")
  }

  public required init?(coder: NSCoder) {
    direction = (
      coder.decodeDouble(forKey: "magneticHeading"), coder.decodeDouble(forKey: "trueHeading"),
      coder.decodeDouble(forKey: "headingAccuracy"),
      Date(timeIntervalSinceReferenceDate: coder.decodeDouble(forKey: "timestamp"))
    )
  }
}
