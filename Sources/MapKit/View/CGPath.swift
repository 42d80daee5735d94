public import Foundation

/// Lines from point to point, of which curves are made, too. Core Graphics is not here; this has its name.
public class CGPath: NSObject {
  /// Points in order, of a line or around an area.
  struct Part {
    var points: [CGPoint]
    var isClosed = false
  }

  final var parts: [Part] = []

  public var isEmpty: Bool { parts.isEmpty }

  /// `null` without a point.
  public var boundingBox: CGRect {
    parts.flatMap(\.points).reduce(CGRect.null) {
      $0.union(CGRect(origin: $1, size: CGSize()))
    }
  }

  /// True inside of the lines, each part of which is closed for this.
  public func contains(
    _ point: CGPoint, using rule: CGPathFillRule = .winding,
    transform: CGAffineTransform = .identity
  ) -> Bool {
    var (turns, crossings) = (0, 0)
    for part in parts {
      let points = part.points.map(transform.moved)
      for (a, b) in zip(points, points.dropFirst() + points.prefix(1)) {
        guard (a.y > point.y) != (b.y > point.y),
          a.x + (point.y - a.y) / (b.y - a.y) * (b.x - a.x) > point.x
        else { continue }
        crossings += 1
        turns += a.y < b.y ? 1 : -1
      }
    }
    return rule == .evenOdd ? crossings % 2 == 1 : turns != 0
  }
}

public enum CGPathFillRule: Int, Sendable {
  case winding = 0
  case evenOdd = 1
}

public final class CGMutablePath: CGPath {
  private static let piecesOfCurves = 32

  public override init() {}

  /// After a part that is closed, where that began.
  public var currentPoint: CGPoint {
    guard let last = parts.last else { return CGPoint() }
    return (last.isClosed ? last.points.first : last.points.last) ?? CGPoint()
  }

  public func move(to point: CGPoint) { parts.append(Part(points: [point])) }

  public func addLine(to point: CGPoint) {
    guard let last = parts.last else { return move(to: point) }
    if last.isClosed, let first = last.points.first { move(to: first) }
    parts[parts.count - 1].points.append(point)
  }

  public func addLines(between points: [CGPoint]) {
    guard let first = points.first else { return }
    move(to: first)
    for point in points.dropFirst() { addLine(to: point) }
  }

  public func closeSubpath() {
    if !parts.isEmpty { parts[parts.count - 1].isClosed = true }
  }

  public func addRect(_ rect: CGRect) {
    addLines(between: [
      CGPoint(x: rect.minX, y: rect.minY), CGPoint(x: rect.maxX, y: rect.minY),
      CGPoint(x: rect.maxX, y: rect.maxY), CGPoint(x: rect.minX, y: rect.maxY),
    ])
    closeSubpath()
  }

  public func addEllipse(in rect: CGRect) {
    let pieces = 2 * Self.piecesOfCurves
    addLines(
      between: (0..<pieces).map { piece in
        let angle = Double(piece) / Double(pieces) * 2 * .pi
        return CGPoint(
          x: rect.midX + rect.width / 2 * CGFloat(cos(angle)),
          y: rect.midY + rect.height / 2 * CGFloat(sin(angle)))
      })
    closeSubpath()
  }

  public func addQuadCurve(to end: CGPoint, control: CGPoint) {
    let start = currentPoint
    addCurve { part in
      Self.between(Self.between(start, control, part), Self.between(control, end, part), part)
    }
  }

  public func addCurve(to end: CGPoint, control1: CGPoint, control2: CGPoint) {
    let start = currentPoint
    addCurve { part in
      let first = Self.between(start, control1, part)
      let middle = Self.between(control1, control2, part)
      let last = Self.between(control2, end, part)
      return Self.between(
        Self.between(first, middle, part), Self.between(middle, last, part), part)
    }
  }

  public func addPath(_ path: CGPath) { parts += path.parts }

  private func addCurve(_ point: (CGFloat) -> CGPoint) {
    let points = (1...Self.piecesOfCurves).map {
      point(CGFloat($0) / CGFloat(Self.piecesOfCurves))
    }
    for point in points { addLine(to: point) }
  }

  private static func between(_ a: CGPoint, _ b: CGPoint, _ part: CGFloat) -> CGPoint {
    CGPoint(x: a.x + (b.x - a.x) * part, y: a.y + (b.y - a.y) * part)
  }
}

extension CGAffineTransform {
  func moved(_ point: CGPoint) -> CGPoint {
    CGPoint(x: a * point.x + c * point.y + tx, y: b * point.x + d * point.y + ty)
  }
}

// MARK: - Paths of renderers

extension CGPath {
  /// On the map: areas where they are filled, else lines.
  func shape(by renderer: MKOverlayRenderer, isFilled: Bool) -> OverlayShape {
    let parts = parts.map { part in
      (part.isClosed ? part.points + part.points.prefix(1) : part.points).map(renderer.mapPoint)
    }
    return isFilled ? .areas(parts.map { MKPolygon($0) }) : .lines(parts.map { MKPolyline($0) })
  }
}

extension OverlayShape {
  func path(by renderer: MKOverlayRenderer) -> CGPath {
    let path = CGMutablePath()
    func add(_ line: MKMultiPoint, isClosed: Bool = false) {
      path.addLines(between: line.all.map(renderer.point))
      if isClosed { path.closeSubpath() }
    }
    switch self {
    case .lines(let lines): for line in lines { add(line) }
    case .areas(let areas):
      for area in areas {
        add(area, isClosed: true)
        for hole in area.interiorPolygons ?? [] { add(hole, isClosed: true) }
      }
    case .circle(let circle): path.addEllipse(in: renderer.rect(for: circle.boundingMapRect))
    case .tiles, .picture: break
    }
    return path
  }
}
