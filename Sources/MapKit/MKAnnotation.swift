public import CoreLocation
public import Foundation

/// A thing with a place on a map.
public protocol MKAnnotation: NSObjectProtocol {
  var coordinate: CLLocationCoordinate2D { get }
  var title: String? { get }
  var subtitle: String? { get }
}

extension MKAnnotation {
  public var title: String? { nil }
  public var subtitle: String? { nil }
}

open class MKShape: NSObject, MKAnnotation {
  open var title: String? { didSet { changed() } }
  open var subtitle: String? { didSet { changed() } }
  /// The maps that show it.
  private var watchers: [ObjectIdentifier: () -> Void] = [:]
  open var coordinate: CLLocationCoordinate2D { CLLocationCoordinate2D() }

  public override init() {}

  final func watch(by map: AnyObject, _ changed: (() -> Void)?) {
    watchers[ObjectIdentifier(map)] = changed
  }

  final func changed() {
    for watcher in watchers.values { watcher() }
  }
}

/// A place with a title.
open class MKPointAnnotation: MKShape, MKGeoJSONObject {
  private var place = CLLocationCoordinate2D()

  open override var coordinate: CLLocationCoordinate2D {
    get { place }
    set {
      place = newValue
      changed()
    }
  }

  public override init() {}

  public convenience init(coordinate: CLLocationCoordinate2D) {
    self.init(coordinate: coordinate, title: nil, subtitle: nil)
  }

  public init(coordinate: CLLocationCoordinate2D, title: String?, subtitle: String?) {
    place = coordinate
    super.init()
    self.title = title
    self.subtitle = subtitle
  }
}
