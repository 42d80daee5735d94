public import CoreLocation
public import Foundation

/// The device's place, on a map that shows it.
open class MKUserLocation: NSObject, MKAnnotation {
  /// Nil until the device has been found.
  open internal(set) var location: CLLocation?
  open internal(set) var heading: CLHeading?
  open internal(set) var isUpdating = false
  open var title: String? = PlaceWords.here
  open var subtitle: String?

  public override init() {}

  open var coordinate: CLLocationCoordinate2D {
    location?.coordinate ?? kCLLocationCoordinate2DInvalid
  }
}
