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
  var areClustersNew = false
  var areOverlaysNew = false
  var isUserNew = false
  var isTrackingNew = false
  var areSettingsNew = false
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

  /// All of so many are told instead where news is much, or `isWhole` wants it.
  mutating func take(
    of count: Int, isWhole: Bool = false
  ) -> (changed: Set<Int>, gone: [Int], isWhole: Bool) {
    let number = changed.count + gone.count
    told += number
    let isWhole =
      isWhole || number > Self.mostTogether || told > count + 2 * Self.mostTogether
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
  /// Nil before it has a view. `number` is the page's of a picture.
  func json(_ number: (UIImage) -> Int) -> JSON? {
    guard let view else { return nil }
    let place = annotation.coordinate
    guard CLLocationCoordinate2DIsValid(place), !view.isHidden else { return gone }
    let look = view.look
    func picture(_ image: UIImage?) -> JSON? { image.map { .integer(Int64(number($0))) } }
    // A button, or what a callout shows of another view.
    func beside(_ view: UIView?) -> JSON? {
      guard let view else { return nil }
      if let control = view as? UIControl { return .string(control.words) }
      return .array(
        view.parts.map {
          switch $0 {
          case .text(let text): ["text": .string(text)]
          case .image(let image): ["image": .integer(Int64(number(image)))]
          }
        })
    }
    func point(_ point: CGPoint) -> JSON? {
      point.x == 0 && point.y == 0
        ? nil : .array([.number(Double(point.x)), .number(Double(point.y))])
    }
    func matrix(_ turn: CGAffineTransform) -> JSON? {
      turn.isIdentity
        ? nil
        : .array([turn.a, turn.b, turn.c, turn.d, turn.tx, turn.ty].map { .number(Double($0)) })
    }
    let isUsual = view.zPriority == .defaultUnselected && view.selectedZPriority == .defaultSelected
    return [
      "id": .integer(Int64(self.number)),
      "at": .array([.number(place.latitude), .number(place.longitude)]),
      "title": annotation.title.map(JSON.string), "subtitle": annotation.subtitle.map(JSON.string),
      "kind": .string(look.kind), "color": .string(look.color),
      "glyph": look.glyph.map(JSON.string),
      "glyphColor": look.glyphColor.map(JSON.string), "callout": .bool(view.canShowCallout),
      "enabled": .bool(view.isEnabled), "offset": point(view.centerOffset),
      "calloutOffset": point(view.calloutOffset), "left": beside(view.leftCalloutAccessoryView),
      "right": beside(view.rightCalloutAccessoryView),
      "detail": beside(view.detailCalloutAccessoryView),
      "cluster": view.clusteringIdentifier.map(JSON.string), "image": picture(look.image),
      "below": look.hasTitle || look.hasSubtitle
        ? .array(
          [look.hasTitle ? annotation.title : nil, look.hasSubtitle ? annotation.subtitle : nil]
            .compactMap { $0.map(JSON.string) }) : nil,
      "priority": view.displayPriority == .required || view.collisionMode == .none
        ? nil : .number(Double(view.displayPriority.rawValue)),
      "collides": view.collisionMode == .none ? .bool(false) : nil,
      "above": isUsual
        ? nil
        : .array([view.zPriority, view.selectedZPriority].map { .number(Double($0.rawValue)) }),
      "drags": view.isDraggable && annotation is MKPointAnnotation ? .bool(true) : nil,
      "transform": matrix(view.transform),
      "alpha": view.alpha < 1 ? .number(max(Double(view.alpha), 0)) : nil,
    ]
  }

  var gone: JSON { Self.gone(number) }

  static func gone(_ number: Int) -> JSON {
    ["id": .integer(Int64(number)), "gone": .bool(true)]
  }
}

extension UIImage {
  func json(_ number: Int) -> JSON {
    let size = JSON.array([.number(Double(self.size.width)), .number(Double(self.size.height))])
    return switch picture {
    case .png(let data, _, _):
      [
        "id": .integer(Int64(number)), "size": size,
        "png": .string("data:image/png;base64,\(data.base64EncodedString())"),
      ]
    case .sign(let sign): ["id": .integer(Int64(number)), "size": size, "sign": .string(sign)]
    }
  }
}

extension OverlayDrawing {
  /// `index`: its place among the overlays. `number` is the page's of a picture.
  func json(at index: Int, _ level: MKOverlayLevel, _ number: (UIImage) -> Int) -> JSON {
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
      case .tiles: ("tiles", [])
      case .picture: ("picture", [])
      }
    var radius: JSON?
    if case .circle(let circle) = shape { radius = .number(circle.radius) }
    if case .tiles(let tiles, let load) = shape {
      return [
        "kind": .string(kind), "at": .integer(Int64(index)), "load": .integer(Int64(load)),
        "alpha": .number(alpha),
        "size": .number(Double(tiles.tileSize.width)), "min": .integer(Int64(tiles.minimumZ)),
        "max": .integer(Int64(tiles.maximumZ)), "replaces": .bool(tiles.canReplaceMapContent),
        "blend": blend.map(JSON.string), "level": level == .aboveRoads ? "roads" : nil,
      ]
    }
    if case .picture(let image, let rect) = shape {
      let corners = [(rect.minX, rect.minY), (rect.maxX, rect.maxY)]
      return [
        "kind": .string(kind), "parts": .array(corners.map { place(MKMapPoint(x: $0, y: $1)) }),
        "image": .integer(Int64(number(image))), "alpha": .number(alpha),
        "blend": blend.map(JSON.string),
        "level": level == .aboveRoads ? "roads" : nil,
      ]
    }
    return [
      "kind": .string(kind), "parts": .array(parts), "radius": radius,
      "stroke": stroke.map(JSON.string), "fill": fill.map(JSON.string), "width": .number(width),
      "dash": dash.isEmpty ? nil : .array(dash.map(JSON.number)), "alpha": .number(alpha),
      "cap": .string(cap), "join": .string(join), "blend": blend.map(JSON.string),
      "level": level == .aboveRoads ? "roads" : nil,
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
