public import CoreLocation
public import Foundation

/// Which things that the map itself draws may be selected: none are, on a page.
public struct MKMapFeatureOptions: OptionSet, Sendable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }
  public static let pointsOfInterest = MKMapFeatureOptions(rawValue: 1)
  public static let territories = MKMapFeatureOptions(rawValue: 2)
  public static let physicalFeatures = MKMapFeatureOptions(rawValue: 4)
}

/// A thing that the map itself draws. There is none: the page tells of no selection of them.
open class MKMapFeatureAnnotation: NSObject, MKAnnotation {
  public enum FeatureType: Int, Sendable {
    case pointOfInterest = 0
    case territory = 1
    case physicalFeature = 2
  }

  open var coordinate: CLLocationCoordinate2D { kCLLocationCoordinate2DInvalid }
  open var title: String? { nil }
  open var subtitle: String? { nil }
  open var featureType: FeatureType { .pointOfInterest }
  open var iconStyle: MKIconStyle? { nil }
  open var pointOfInterestCategory: MKPointOfInterestCategory? { nil }

  override init() {}
}

/// How the map draws a thing.
open class MKIconStyle: NSObject {
  open var backgroundColor: UIColor { .systemGray }
  open var image: UIImage { UIImage() }

  override init() {}
}

/// A place that was found, on a map.
open class MKMapItemAnnotation: NSObject, MKAnnotation {
  open internal(set) var mapItem: MKMapItem

  /// Nil for an item that lies nowhere.
  public init?(mapItem: MKMapItem) {
    guard CLLocationCoordinate2DIsValid(mapItem.placemark.coordinate) else { return nil }
    self.mapItem = mapItem
  }

  open var coordinate: CLLocationCoordinate2D { mapItem.placemark.coordinate }
  open var title: String? { mapItem.name }
  open var subtitle: String? { mapItem.address?.shortAddress ?? mapItem.address?.fullAddress }
}
