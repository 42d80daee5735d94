public import Foundation

/// A line whose colour changes along it: the page draws it in short pieces, each of one colour.
open class MKGradientPolylineRenderer: MKPolylineRenderer {
  private final var stops: [(place: CGFloat, color: UIColor)] = []
  private static let pieces = 48

  open var colors: [UIColor] { stops.map(\.color) }
  /// From 0 to 1, as many as colours.
  open var locations: [CGFloat] { stops.map(\.place) }

  /// Ignores lists that are not of one length.
  open func setColors(_ colors: [UIColor], locations: [CGFloat]) {
    guard colors.count == locations.count else { return }
    stops = zip(locations, colors).map { ($0, $1) }.sorted { $0.0 < $1.0 }
    changed()
  }

  override func drawings() -> [OverlayDrawing] {
    guard !stops.isEmpty, let shape = overlay.shape else { return super.drawings() }
    let (start, end) = (max(Double(strokeStart), 0), min(Double(strokeEnd), 1))
    guard start < end else { return [] }
    let step = (end - start) / Double(Self.pieces)
    return (0..<Self.pieces).map { piece in
      let from = start + Double(piece) * step
      let color = color(at: CGFloat(from + step / 2))
      var drawing = line(shape.part(from: from, to: from + step), color)
      // Where pieces are seen through, their round ends would be seen twice.
      if let color, min(Double(alpha), color.alpha) < 1 { drawing.cap = CGLineCap.butt.words }
      return drawing
    }
  }

  private func color(at place: CGFloat) -> UIColor? {
    guard let first = stops.first, let last = stops.last else { return nil }
    guard let next = stops.firstIndex(where: { $0.place >= place }) else { return last.color }
    guard next > 0 else { return first.color }
    let (a, b) = (stops[next - 1], stops[next])
    return a.color.mixed(with: b.color, (place - a.place) / max(b.place - a.place, 1e-9))
  }
}

extension UIColor {
  fileprivate func mixed(with other: UIColor, _ part: CGFloat) -> UIColor {
    func mix(_ a: Double, _ b: Double) -> CGFloat { CGFloat(a) + CGFloat(b - a) * part }
    return UIColor(
      red: mix(red, other.red), green: mix(green, other.green), blue: mix(blue, other.blue),
      alpha: mix(alpha, other.alpha))
  }
}
