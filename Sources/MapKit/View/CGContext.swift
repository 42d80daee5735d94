public import Foundation

/// An overlay as an app draws it, for the page: lines, areas and pictures, in points of the renderer. Core Graphics is
/// not here; this has its name.
public final class CGContext: NSObject {
  struct State {
    var transform = CGAffineTransform.identity
    var stroke = CGColor(gray: 0, alpha: 1)
    var fill = CGColor(gray: 0, alpha: 1)
    var width: CGFloat = 1
    var dash: [CGFloat] = []
    var cap = CGLineCap.butt
    var join = CGLineJoin.miter
    var alpha: CGFloat = 1
    var blend = CGBlendMode.normal
  }

  let renderer: MKOverlayRenderer
  /// Points of the page in one of the map.
  let zoomScale: MKZoomScale
  private(set) var drawings: [OverlayDrawing] = []
  /// The app draws by itself, for a scale and a part of the map.
  private(set) var isApps = true
  private var state = State()
  private var saved: [State] = []
  private var points = CGMutablePath()

  private static let mostDrawings = 20_000

  init(_ renderer: MKOverlayRenderer, zoomScale: MKZoomScale) {
    self.renderer = renderer
    self.zoomScale = zoomScale
    state.blend = renderer.blendMode
  }

  /// The renderer draws this where the app does not, at any scale and in all of its parts.
  func drawUsual(_ usual: [OverlayDrawing]) {
    isApps = !drawings.isEmpty
    drawings += usual
  }

  private func add(_ drawing: OverlayDrawing) {
    isApps = true
    guard drawings.count < Self.mostDrawings else { return }
    // Lines of one look are one thing of the page.
    if case .lines(let lines) = drawing.shape, drawing.alpha == 1, let last = drawings.indices.last,
      drawings[last].isLike(drawing), drawings[last].add(lines)
    {
      return
    }
    drawings.append(drawing)
  }

  private func add(_ shape: OverlayShape, isStroked: Bool, isFilled: Bool) {
    let scale = (state.transform.a * state.transform.d - state.transform.b * state.transform.c)
      .magnitude.squareRoot()
    func onPage(_ length: CGFloat) -> Double { Double(length * scale * zoomScale) }
    add(
      OverlayDrawing(
        shape: shape, stroke: isStroked ? state.stroke.color.words : nil,
        fill: isFilled ? state.fill.color.words : nil, width: min(onPage(state.width), 1000),
        dash: state.dash.map(onPage),
        alpha: min(max(Double(state.alpha * renderer.alpha), 0), 1), cap: state.cap.words,
        join: state.join.words, blend: state.blend.words))
  }

  // MARK: State

  public func saveGState() { saved.append(state) }

  public func restoreGState() { if let last = saved.popLast() { state = last } }

  public var ctm: CGAffineTransform { state.transform }

  public func concatenate(_ transform: CGAffineTransform) {
    state.transform = transform.concatenating(state.transform)
  }

  public func translateBy(x tx: CGFloat, y ty: CGFloat) {
    state.transform = state.transform.translatedBy(x: tx, y: ty)
  }

  public func scaleBy(x sx: CGFloat, y sy: CGFloat) {
    state.transform = state.transform.scaledBy(x: sx, y: sy)
  }

  public func rotate(by angle: CGFloat) { state.transform = state.transform.rotated(by: angle) }

  public func setStrokeColor(_ color: CGColor) { state.stroke = color }
  public func setFillColor(_ color: CGColor) { state.fill = color }

  public func setStrokeColor(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
    state.stroke = CGColor(red: red, green: green, blue: blue, alpha: alpha)
  }

  public func setFillColor(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
    state.fill = CGColor(red: red, green: green, blue: blue, alpha: alpha)
  }

  public func setLineWidth(_ width: CGFloat) { state.width = max(width, 0) }
  public func setLineCap(_ cap: CGLineCap) { state.cap = cap }
  public func setLineJoin(_ join: CGLineJoin) { state.join = join }
  public func setAlpha(_ alpha: CGFloat) { state.alpha = alpha }
  public func setBlendMode(_ mode: CGBlendMode) { state.blend = mode }

  /// The phase has no effect.
  public func setLineDash(phase: CGFloat, lengths: [CGFloat]) { state.dash = lengths }

  /// Without an effect, as the four below are: the page has no shadows, and smooths all that it draws.
  public func setShadow(offset: CGSize, blur: CGFloat, color: CGColor?) {}
  public func setShadow(offset: CGSize, blur: CGFloat) {}
  public var interpolationQuality: CGInterpolationQuality {
    get { .default }
    set {}
  }
  public func setMiterLimit(_ limit: CGFloat) {}
  public func setShouldAntialias(_ shouldAntialias: Bool) {}

  // MARK: Path

  private func moved(_ point: CGPoint) -> CGPoint { state.transform.moved(point) }

  private func add(_ path: (CGMutablePath) -> Void) {
    let own = CGMutablePath()
    path(own)
    points.addPath(own, transform: state.transform)
  }

  public func beginPath() { points = CGMutablePath() }

  /// The path that has been added since, in points of the renderer.
  public var path: CGPath? { points.isEmpty ? nil : points }

  public var isPathEmpty: Bool { points.isEmpty }

  public func move(to point: CGPoint) { points.move(to: moved(point)) }
  public func addLine(to point: CGPoint) { points.addLine(to: moved(point)) }
  public func closePath() { points.closeSubpath() }
  public func addPath(_ path: CGPath) { points.addPath(path, transform: state.transform) }
  public func addLines(between points: [CGPoint]) { add { $0.addLines(between: points) } }
  public func addRect(_ rect: CGRect) { add { $0.addRect(rect) } }
  public func addRects(_ rects: [CGRect]) { rects.forEach(addRect) }
  public func addEllipse(in rect: CGRect) { add { $0.addEllipse(in: rect) } }

  public func addQuadCurve(to end: CGPoint, control: CGPoint) {
    points.addQuadCurve(to: moved(end), control: moved(control))
  }

  public func addCurve(to end: CGPoint, control1: CGPoint, control2: CGPoint) {
    points.addCurve(to: moved(end), control1: moved(control1), control2: moved(control2))
  }

  /// In radians; a line leads to its beginning.
  public func addArc(
    center: CGPoint, radius: CGFloat, startAngle: CGFloat, endAngle: CGFloat, clockwise: Bool
  ) {
    points.addArc(
      center: center, radius: radius, startAngle: startAngle, endAngle: endAngle,
      clockwise: clockwise, transform: state.transform)
  }

  // MARK: Drawing

  public func strokePath() { drawPath(using: .stroke) }

  public func fillPath(using rule: CGPathFillRule = .winding) {
    drawPath(using: rule == .evenOdd ? .eoFill : .fill)
  }

  public func drawPath(using mode: CGPathDrawingMode) {
    defer { points = CGMutablePath() }
    if mode != .stroke {
      for shape in points.areas(by: renderer, mode.rule) {
        add(shape, isStroked: false, isFilled: true)
      }
    }
    if mode != .fill && mode != .eoFill, !points.isEmpty {
      add(points.shape(by: renderer, isFilled: false), isStroked: true, isFilled: false)
    }
  }

  private func draw(_ mode: CGPathDrawingMode, _ path: (CGMutablePath) -> Void) {
    let before = points
    points = CGMutablePath()
    add(path)
    drawPath(using: mode)
    points = before
  }

  public func fill(_ rect: CGRect) { draw(.fill) { $0.addRect(rect) } }
  public func fill(_ rects: [CGRect]) { for rect in rects { fill(rect) } }
  public func fillEllipse(in rect: CGRect) { draw(.fill) { $0.addEllipse(in: rect) } }
  public func stroke(_ rect: CGRect) { draw(.stroke) { $0.addRect(rect) } }
  public func strokeEllipse(in rect: CGRect) { draw(.stroke) { $0.addEllipse(in: rect) } }

  public func stroke(_ rect: CGRect, width: CGFloat) {
    saveGState()
    setLineWidth(width)
    stroke(rect)
    restoreGState()
  }

  public func strokeLineSegments(between points: [CGPoint]) {
    draw(.stroke) { path in
      for start in stride(from: 0, to: points.count - 1, by: 2) {
        path.addLines(between: [points[start], points[start + 1]])
      }
    }
  }

  /// A picture that is as wide and high as the rectangle; it lies upright, however it is turned.
  public func draw(_ image: CGImage, in rect: CGRect, byTiling: Bool = false) {
    let corners = [
      CGPoint(x: rect.minX, y: rect.minY), CGPoint(x: rect.maxX, y: rect.minY),
      CGPoint(x: rect.maxX, y: rect.maxY), CGPoint(x: rect.minX, y: rect.maxY),
    ].map { CGRect(origin: moved($0), size: CGSize()) }
    let whole = corners.reduce(CGRect.null) { $0.union($1) }
    guard whole.width > 0, whole.height > 0 else { return }
    add(
      .picture(image.image, renderer.mapRect(for: whole)), isStroked: false, isFilled: false)
  }
}

public enum CGInterpolationQuality: Int32, Sendable {
  case `default` = 0
  case none = 1
  case low = 2
  case high = 3
  case medium = 4
}

public enum CGPathDrawingMode: Int32, Sendable {
  case fill = 0
  case eoFill = 1
  case stroke = 2
  case fillStroke = 3
  case eoFillStroke = 4

  fileprivate var rule: CGPathFillRule {
    self == .eoFill || self == .eoFillStroke ? .evenOdd : .winding
  }
}
