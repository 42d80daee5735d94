public import Foundation

/// Core Graphics is not here; this has its name, for what an app draws.
public final class CGColor: NSObject, Sendable {
  let color: UIColor

  init(_ color: UIColor) { self.color = color }

  /// Each from 0 to 1.
  public convenience init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
    self.init(UIColor(red: red, green: green, blue: blue, alpha: alpha))
  }

  public convenience init(srgbRed red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
    self.init(red: red, green: green, blue: blue, alpha: alpha)
  }

  public convenience init(gray: CGFloat, alpha: CGFloat) {
    self.init(UIColor(white: gray, alpha: alpha))
  }

  public var alpha: CGFloat { CGFloat(color.alpha) }

  /// Red, green, blue and how much it covers.
  public var components: [CGFloat]? {
    [color.red, color.green, color.blue, color.alpha].map { CGFloat($0) }
  }

  public func copy(alpha: CGFloat) -> CGColor? { CGColor(color.withAlphaComponent(alpha)) }

  public override func isEqual(_ object: Any?) -> Bool {
    (object as? CGColor)?.color == color
  }

  public override var hash: Int { color.hash }
}

extension UIColor {
  public var cgColor: CGColor { CGColor(self) }

  public convenience init(cgColor: CGColor) {
    let color = cgColor.color
    self.init(red: color.red, green: color.green, blue: color.blue, alpha: color.alpha)
  }

  /// The colour in which the app strokes and fills from now on.
  public func setStroke() { UIGraphicsGetCurrentContext()?.setStrokeColor(cgColor) }
  public func setFill() { UIGraphicsGetCurrentContext()?.setFillColor(cgColor) }

  public func set() {
    setStroke()
    setFill()
  }
}

/// A picture that an app draws.
public final class CGImage: NSObject, Sendable {
  let image: UIImage

  init(_ image: UIImage) { self.image = image }

  public var width: Int { Int(image.size.width * image.scale) }
  public var height: Int { Int(image.size.height * image.scale) }
}

extension UIImage {
  /// Nil for a sign.
  public var cgImage: CGImage? { pngData() == nil ? nil : CGImage(self) }

  public convenience init(cgImage: CGImage) {
    self.init(cgImage.image.picture, scale: cgImage.image.scale)
  }

  /// On the context that is drawn on.
  public func draw(in rect: CGRect) {
    cgImage.map { UIGraphicsGetCurrentContext()?.draw($0, in: rect) }
  }

  public func draw(in rect: CGRect, blendMode: CGBlendMode, alpha: CGFloat) {
    guard let context = UIGraphicsGetCurrentContext() else { return }
    context.saveGState()
    context.setBlendMode(blendMode)
    context.setAlpha(alpha)
    draw(in: rect)
    context.restoreGState()
  }

  public func draw(at point: CGPoint) { draw(in: CGRect(origin: point, size: size)) }
}

// MARK: - The context that is drawn on

private let contextsKey = "MapKit.CGContext"

/// Lets pictures and colours draw on the context, on this thread.
// swift-format-ignore: AlwaysUseLowerCamelCase
public func UIGraphicsPushContext(_ context: CGContext) {
  let all = Thread.current.threadDictionary[contextsKey] as? [CGContext] ?? []
  Thread.current.threadDictionary[contextsKey] = all + [context]
}

// swift-format-ignore: AlwaysUseLowerCamelCase
public func UIGraphicsPopContext() {
  let all = Thread.current.threadDictionary[contextsKey] as? [CGContext] ?? []
  Thread.current.threadDictionary[contextsKey] = Array(all.dropLast())
}

// swift-format-ignore: AlwaysUseLowerCamelCase
public func UIGraphicsGetCurrentContext() -> CGContext? {
  (Thread.current.threadDictionary[contextsKey] as? [CGContext])?.last
}
