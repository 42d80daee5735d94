import CoreLocation
import Foundation
import LocationModel

/// A part of the map that the app has set.
struct PageView {
  var number: Int
  var rect: MKMapRect
  var isAnimated: Bool
}

/// News that the page is still to be told.
struct PageNews {
  var view: PageView?
  var pins = PinNews()
  var isSelectionNew = false
  var areOverlaysNew = false
  var isUserNew = false
  var isTrackingNew = false
  /// Why the device is not found.
  var problem: String?
}

/// Which annotations have changed. The page is told each by itself, and from time to time all of them, so that what
/// the helper keeps does not grow.
struct PinNews {
  private(set) var changed: Set<Int> = []
  private(set) var gone: [Int] = []
  /// Items told since all were.
  private var told = 0

  private static let mostTogether = 500

  var isEmpty: Bool { changed.isEmpty && gone.isEmpty }

  mutating func change(_ number: Int) { changed.insert(number) }

  mutating func remove(_ number: Int) {
    changed.remove(number)
    gone.append(number)
  }

  /// Whether all of so many are to be told instead.
  mutating func take(of count: Int) -> (changed: Set<Int>, gone: [Int], isWhole: Bool) {
    let number = changed.count + gone.count
    told += number
    let isWhole = number > Self.mostTogether || told > count + 2 * Self.mostTogether
    if isWhole { told = 0 }
    defer { (changed, gone) = ([], []) }
    return (changed, gone, isWhole)
  }
}

// MARK: - Words of the page

extension PageView {
  /// Degrees; a longitude beyond 180 is on the other side of the date line.
  var json: JSON {
    let world = MKMapSize.world.width
    func latitude(_ y: Double) -> JSON {
      .number(MKMapPoint(x: 0, y: min(max(y, 0), world)).coordinate.latitude)
    }
    func longitude(_ x: Double) -> JSON { .number(x / world * 360 - 180) }
    return [
      "number": .integer(Int64(number)), "animated": .bool(isAnimated),
      "north": latitude(rect.minY), "south": latitude(rect.maxY), "west": longitude(rect.minX),
      "east": longitude(rect.maxX),
    ]
  }
}

@MainActor extension Pin {
  /// Nil before it has a view.
  var json: JSON? {
    guard let view else { return nil }
    let place = annotation.coordinate
    guard CLLocationCoordinate2DIsValid(place), !view.isHidden else { return gone }
    let look = view.look
    func button(_ view: UIView?) -> JSON? { (view as? UIControl).map { .string($0.words) } }
    func point(_ point: CGPoint) -> JSON? {
      point.x == 0 && point.y == 0
        ? nil : .array([.number(Double(point.x)), .number(Double(point.y))])
    }
    return [
      "id": .integer(Int64(number)),
      "at": .array([.number(place.latitude), .number(place.longitude)]),
      "title": annotation.title.map(JSON.string), "subtitle": annotation.subtitle.map(JSON.string),
      "kind": .string(look.kind), "color": .string(look.color),
      "glyph": look.glyph.map(JSON.string),
      "glyphColor": look.glyphColor.map(JSON.string), "callout": .bool(view.canShowCallout),
      "enabled": .bool(view.isEnabled), "offset": point(view.centerOffset),
      "calloutOffset": point(view.calloutOffset), "left": button(view.leftCalloutAccessoryView),
      "right": button(view.rightCalloutAccessoryView),
      "cluster": view.clusteringIdentifier.map(JSON.string),
    ]
  }

  var gone: JSON { Self.gone(number) }

  static func gone(_ number: Int) -> JSON {
    ["id": .integer(Int64(number)), "gone": .bool(true)]
  }
}

extension OverlayDrawing {
  var json: JSON {
    func place(_ point: MKMapPoint) -> JSON {
      let world = MKMapSize.world.width
      let latitude = MKMapPoint(x: 0, y: point.y).coordinate.latitude
      return .array([.number(latitude), .number(point.x / world * 360 - 180)])
    }
    func line(_ line: MKMultiPoint) -> JSON { .array(line.all.map(place)) }
    func rings(_ area: MKPolygon) -> JSON {
      .array(([area] + (area.interiorPolygons ?? [])).map(line))
    }
    let (kind, parts): (String, [JSON]) =
      switch shape {
      case .lines(let lines): ("lines", lines.map(line))
      case .areas(let areas): ("areas", areas.map(rings))
      case .circle(let circle): ("circle", [place(MKMapPoint(circle.coordinate))])
      }
    var radius: JSON?
    if case .circle(let circle) = shape { radius = .number(circle.radius) }
    return [
      "kind": .string(kind), "parts": .array(parts), "radius": radius,
      "stroke": stroke.map(JSON.string), "fill": fill.map(JSON.string), "width": .number(width),
      "dash": dash.isEmpty ? nil : .array(dash.map(JSON.number)), "alpha": .number(alpha),
    ]
  }
}

extension MKUserLocation {
  /// As `locationctl map` tells its page.
  var json: JSON {
    guard let location else { return .null }
    let place = location.coordinate
    guard CLLocationCoordinate2DIsValid(place) else { return .null }
    return [
      "latitude": .number(place.latitude), "longitude": .number(place.longitude),
      "horizontalAccuracy": .number(max(location.horizontalAccuracy, 0)),
      "speed": location.speed >= 0 ? .number(location.speed) : nil,
      "course": location.course >= 0 ? .number(location.course) : nil,
    ]
  }

  var direction: JSON {
    guard let heading else { return .null }
    return heading.trueHeading >= 0
      ? ["trueHeading": .number(heading.trueHeading)]
      : ["magneticHeading": .number(heading.magneticHeading)]
  }
}
