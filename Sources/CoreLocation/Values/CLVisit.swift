public import Foundation
import LocationModel

/// A stay at a place: told when it has begun, and again when it has ended.
// Unchecked, as open classes are: nothing of it changes once it is made.
open class CLVisit: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  private final var stay:
    (arrival: Date, departure: Date, place: CLLocationCoordinate2D, radius: Double) = (
      .distantPast, .distantFuture, kCLLocationCoordinate2DInvalid, -1
    )

  public override init() {}

  convenience init(arrival: Date, departure: Date, _ place: CLLocationCoordinate2D, radius: Double)
  {
    self.init()
    stay = (arrival, departure, place, radius)
  }

  /// `distantPast` where the stay began before it was watched for.
  open var arrivalDate: Date { stay.arrival }
  /// `distantFuture` while it lasts.
  open var departureDate: Date { stay.departure }
  open var coordinate: CLLocationCoordinate2D { stay.place }
  /// The radius of the place, in metres.
  open var horizontalAccuracy: CLLocationAccuracy { stay.radius }

  open override var description: String {
    let place = String(
      format: "<%+.8f,%+.8f> +/- %.2fm", coordinate.latitude, coordinate.longitude,
      horizontalAccuracy)
    return "\(place) from \(arrivalDate) to \(departureDate)"
  }

  open func copy(with zone: NSZone? = nil) -> Any { self }
  open class var supportsSecureCoding: Bool { true }

  open func encode(with coder: NSCoder) {
    coder.encode(arrivalDate.timeIntervalSinceReferenceDate, forKey: "arrivalDate")
    coder.encode(departureDate.timeIntervalSinceReferenceDate, forKey: "departureDate")
    coder.encode(coordinate.latitude, forKey: "latitude")
    coder.encode(coordinate.longitude, forKey: "longitude")
    coder.encode(horizontalAccuracy, forKey: "horizontalAccuracy")
  }

  public required init?(coder: NSCoder) {
    func date(_ key: String) -> Date {
      Date(timeIntervalSinceReferenceDate: coder.decodeDouble(forKey: key))
    }
    stay = (
      date("arrivalDate"), date("departureDate"),
      CLLocationCoordinate2D(
        latitude: coder.decodeDouble(forKey: "latitude"),
        longitude: coder.decodeDouble(forKey: "longitude")),
      coder.decodeDouble(forKey: "horizontalAccuracy")
    )
  }
}
