public import CoreLocation
public import Foundation

/// A thing with a place on a map.
public protocol MKAnnotation: NSObjectProtocol {
  var coordinate: CLLocationCoordinate2D { get }
  @_disfavoredOverload var title: String? { get }
  @_disfavoredOverload var subtitle: String? { get }
}

extension MKAnnotation {
  @_disfavoredOverload public var title: String? { nil }
  @_disfavoredOverload public var subtitle: String? { nil }
}

// On Apple's platforms an annotation need not have them, so that code which does not know its class unwraps them twice.
// Such code finds these; code that asks for a String or String? finds the ones above.
extension NSObjectProtocol where Self: MKAnnotation {
  public var title: String?? {
    let words: String? = (self as any MKAnnotation).title
    return .some(words)
  }

  public var subtitle: String?? {
    let words: String? = (self as any MKAnnotation).subtitle
    return .some(words)
  }
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

  // As Apple's Swift spells them.
  public convenience init(__coordinate coordinate: CLLocationCoordinate2D) {
    self.init(coordinate: coordinate)
  }

  public convenience init(
    __coordinate coordinate: CLLocationCoordinate2D, title: String?, subtitle: String?
  ) {
    self.init(coordinate: coordinate, title: title, subtitle: subtitle)
  }

  public init(coordinate: CLLocationCoordinate2D, title: String?, subtitle: String?) {
    place = coordinate
    super.init()
    self.title = title
    self.subtitle = subtitle
  }
}
