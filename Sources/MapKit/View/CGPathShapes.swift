public import Foundation

extension CGPath {
  public convenience init(rect: CGRect, transform: UnsafePointer<CGAffineTransform>?) {
    self.init()
    let path = CGMutablePath()
    path.addRect(rect)
    parts = path.parts.moved(transform?.pointee ?? .identity)
  }

  public convenience init(ellipseIn rect: CGRect, transform: UnsafePointer<CGAffineTransform>?) {
    self.init()
    let path = CGMutablePath()
    path.addEllipse(in: rect)
    parts = path.parts.moved(transform?.pointee ?? .identity)
  }

  /// The filled areas on the map: parts that go around as the first does each by themselves, and the others as holes in
  /// them; by the even-odd rule all in one.
  func areas(by renderer: MKOverlayRenderer, _ rule: CGPathFillRule) -> [OverlayShape] {
    let rings = parts.filter { $0.points.count > 2 }
    guard let first = rings.first else { return [] }
    func area(_ ring: Part, _ holes: [Part]) -> MKPolygon {
      func line(_ part: Part) -> [MKMapPoint] { part.points.map(renderer.mapPoint) }
      let inner = holes.map { MKPolygon(points: line($0), count: $0.points.count) }
      return MKPolygon(points: line(ring), count: ring.points.count, interiorPolygons: inner)
    }
    if rule == .evenOdd { return [.areas([area(first, Array(rings.dropFirst()))])] }
    let holes = rings.filter { $0.isLeft != first.isLeft }
    return rings.filter { $0.isLeft == first.isLeft }.map { ring in
      .areas([area(ring, holes.filter { ring.box.contains($0.box) })])
    }
  }
}

extension CGMutablePath {
  public func addRects(_ rects: [CGRect]) { for rect in rects { addRect(rect) } }

  public func addPath(_ path: CGPath, transform: CGAffineTransform) {
    parts += path.parts.moved(transform)
  }

  public func addRoundedRect(in rect: CGRect, cornerWidth: CGFloat, cornerHeight: CGFloat) {
    let (w, h) = (min(cornerWidth, rect.width / 2), min(cornerHeight, rect.height / 2))
    func corner(_ x: CGFloat, _ y: CGFloat) -> CGPoint { CGPoint(x: x, y: y) }
    move(to: corner(rect.minX + w, rect.minY))
    addLine(to: corner(rect.maxX - w, rect.minY))
    addQuadCurve(to: corner(rect.maxX, rect.minY + h), control: corner(rect.maxX, rect.minY))
    addLine(to: corner(rect.maxX, rect.maxY - h))
    addQuadCurve(to: corner(rect.maxX - w, rect.maxY), control: corner(rect.maxX, rect.maxY))
    addLine(to: corner(rect.minX + w, rect.maxY))
    addQuadCurve(to: corner(rect.minX, rect.maxY - h), control: corner(rect.minX, rect.maxY))
    addLine(to: corner(rect.minX, rect.minY + h))
    addQuadCurve(to: corner(rect.minX + w, rect.minY), control: corner(rect.minX, rect.minY))
    closeSubpath()
  }

  /// In radians, in pieces of five degrees; a line leads to its beginning. `clockwise` is as seen with y up. Nothing is
  /// added where an angle is no number.
  public func addArc(
    center: CGPoint, radius: CGFloat, startAngle: CGFloat, endAngle: CGFloat, clockwise: Bool,
    transform: CGAffineTransform = .identity
  ) {
    guard startAngle.isFinite, endAngle.isFinite else { return }
    let whole = 2 * CGFloat.pi
    var turn = endAngle - startAngle
    if turn.magnitude >= whole {
      turn = clockwise ? -whole : whole
    } else if clockwise, turn > 0 {
      turn -= whole
    } else if !clockwise, turn < 0 {
      turn += whole
    }
    let pieces = max(Int((turn.magnitude * 36 / .pi).rounded(.up)), 1)
    for piece in 0...pieces {
      let angle = Double(startAngle + turn * CGFloat(piece) / CGFloat(pieces))
      addLine(
        to: transform.moved(
          CGPoint(
            x: center.x + radius * CGFloat(cos(angle)), y: center.y + radius * CGFloat(sin(angle)))
        ))
    }
  }
}

extension [CGPath.Part] {
  fileprivate func moved(_ transform: CGAffineTransform) -> Self {
    map { CGPath.Part(points: $0.points.map(transform.moved), isClosed: $0.isClosed) }
  }
}

extension CGPath.Part {
  /// Goes around against the clock.
  fileprivate var isLeft: Bool {
    zip(points, points.dropFirst() + points.prefix(1))
      .reduce(0) { $0 + $1.0.x * $1.1.y - $1.1.x * $1.0.y } > 0
  }

  fileprivate var box: CGRect {
    points.reduce(CGRect.null) { $0.union(CGRect(origin: $1, size: CGSize())) }
  }
}
