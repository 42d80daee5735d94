public import CoreLocation
public import Foundation

/// Annotations that lie close together, shown as one.
open class MKClusterAnnotation: NSObject, MKAnnotation {
  open internal(set) var memberAnnotations: [any MKAnnotation]
  open var title: String?
  open var subtitle: String?
  open internal(set) var coordinate: CLLocationCoordinate2D

  public init(memberAnnotations: [any MKAnnotation]) {
    self.memberAnnotations = memberAnnotations
    title = memberAnnotations.lazy.compactMap { $0.title ?? nil }.first
    subtitle = memberAnnotations.count > 1 ? "+\(memberAnnotations.count - 1)" : nil
    let places = memberAnnotations.map { MKMapPoint($0.coordinate) }
    let count = Double(max(places.count, 1))
    coordinate =
      MKMapPoint(
        x: places.reduce(0) { $0 + $1.x } / count, y: places.reduce(0) { $0 + $1.y } / count
      ).coordinate
    super.init()
  }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
public let MKMapViewDefaultClusterAnnotationViewReuseIdentifier =
  "MKMapViewDefaultClusterAnnotationViewReuseIdentifier"

/// Which views stay where they meet others.
public struct MKFeatureDisplayPriority: RawRepresentable, Hashable, Sendable {
  public let rawValue: Float
  public init(rawValue: Float) { self.rawValue = rawValue }
  public init(_ rawValue: Float) { self.rawValue = rawValue }

  public static let required = Self(1000)
  public static let defaultHigh = Self(750)
  public static let defaultLow = Self(250)
}

/// Which views lie above others.
public struct MKAnnotationViewZPriority: RawRepresentable, Hashable, Sendable {
  public let rawValue: Float
  public init(rawValue: Float) { self.rawValue = rawValue }
  public init(_ rawValue: Float) { self.rawValue = rawValue }

  public static let max = Self(1000)
  public static let defaultSelected = Self(1000)
  public static let defaultUnselected = Self(500)
  public static let min = Self(0)
}

public enum MKFeatureVisibility: Int, Sendable {
  case adaptive = 0
  case hidden = 1
  case visible = 2
}

extension MKAnnotationView {
  public enum CollisionMode: Int, Sendable {
    case rectangle = 0
    case circle = 1
    /// Meets nothing.
    case none = 2
  }

  public enum DragState: UInt, Sendable {
    case none = 0
    case starting = 1
    case dragging = 2
    case canceling = 3
    case ending = 4
  }
}
