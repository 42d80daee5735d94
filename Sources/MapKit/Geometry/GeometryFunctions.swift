public import CoreLocation
public import Foundation

// Apple boxes places and spans for dictionaries and arrays of objects.
extension NSValue {
  public convenience init(mkCoordinate coordinate: CLLocationCoordinate2D) {
    self.init(point: CGPoint(x: coordinate.latitude, y: coordinate.longitude))
  }

  public convenience init(mkCoordinateSpan span: MKCoordinateSpan) {
    self.init(point: CGPoint(x: span.latitudeDelta, y: span.longitudeDelta))
  }

  /// For a value that was made of a place.
  public var mkCoordinateValue: CLLocationCoordinate2D {
    CLLocationCoordinate2D(latitude: Double(pointValue.x), longitude: Double(pointValue.y))
  }

  public var mkCoordinateSpanValue: MKCoordinateSpan {
    MKCoordinateSpan(latitudeDelta: Double(pointValue.x), longitudeDelta: Double(pointValue.y))
  }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
public func MKStringFromMapPoint(_ point: MKMapPoint) -> String {
  String(format: "{%.1f, %.1f}", point.x, point.y)
}

// swift-format-ignore: AlwaysUseLowerCamelCase
public func MKStringFromMapSize(_ size: MKMapSize) -> String {
  String(format: "{%.1f, %.1f}", size.width, size.height)
}

// swift-format-ignore: AlwaysUseLowerCamelCase
public func MKStringFromMapRect(_ rect: MKMapRect) -> String {
  "{\(MKStringFromMapPoint(rect.origin)), \(MKStringFromMapSize(rect.size))}"
}

// UIKit has it on Apple's platforms.
extension NSEdgeInsets {
  public static let zero = NSEdgeInsets()
}

/// Cuts a strip off a rectangle, at one of its edges.
// swift-format-ignore: AlwaysUseLowerCamelCase
public func MKMapRectDivide(
  _ rect: MKMapRect, _ slice: UnsafeMutablePointer<MKMapRect>,
  _ remainder: UnsafeMutablePointer<MKMapRect>, _ amount: Double, _ edge: CGRectEdge
) {
  let isAcross = edge == .minXEdge || edge == .maxXEdge
  let whole = isAcross ? rect.width : rect.height
  let cut = min(max(amount, 0), whole)
  let isFirst = edge == .minXEdge || edge == .minYEdge
  func part(from start: Double, _ length: Double) -> MKMapRect {
    isAcross
      ? MKMapRect(x: rect.minX + start, y: rect.minY, width: length, height: rect.height)
      : MKMapRect(x: rect.minX, y: rect.minY + start, width: rect.width, height: length)
  }
  slice.pointee = part(from: isFirst ? 0 : whole - cut, cut)
  remainder.pointee = part(from: isFirst ? cut : 0, whole - cut)
}
