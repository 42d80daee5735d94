public import Foundation

/// How a view is turned, scaled and moved. Core Graphics is not here; this has its name.
public struct CGAffineTransform: Equatable, Sendable {
  public var a: CGFloat
  public var b: CGFloat
  public var c: CGFloat
  public var d: CGFloat
  public var tx: CGFloat
  public var ty: CGFloat

  public static let identity = Self()

  public init(
    a: CGFloat = 1, b: CGFloat = 0, c: CGFloat = 0, d: CGFloat = 1, tx: CGFloat = 0,
    ty: CGFloat = 0
  ) {
    (self.a, self.b, self.c) = (a, b, c)
    (self.d, self.tx, self.ty) = (d, tx, ty)
  }

  /// In radians, with the clock.
  public init(rotationAngle angle: CGFloat) {
    let (cosine, sine) = (CGFloat(cos(Double(angle))), CGFloat(sin(Double(angle))))
    self.init(a: cosine, b: sine, c: -sine, d: cosine)
  }

  public init(scaleX sx: CGFloat, y sy: CGFloat) { self.init(a: sx, d: sy) }

  public init(translationX tx: CGFloat, y ty: CGFloat) { self.init(tx: tx, ty: ty) }

  public var isIdentity: Bool { self == .identity }

  /// This one first, the other one then.
  public func concatenating(_ t2: Self) -> Self {
    Self(
      a: a * t2.a + b * t2.c, b: a * t2.b + b * t2.d, c: c * t2.a + d * t2.c,
      d: c * t2.b + d * t2.d, tx: tx * t2.a + ty * t2.c + t2.tx,
      ty: tx * t2.b + ty * t2.d + t2.ty)
  }

  public func rotated(by angle: CGFloat) -> Self {
    Self(rotationAngle: angle).concatenating(self)
  }

  public func scaledBy(x sx: CGFloat, y sy: CGFloat) -> Self {
    Self(scaleX: sx, y: sy).concatenating(self)
  }

  public func translatedBy(x tx: CGFloat, y ty: CGFloat) -> Self {
    Self(translationX: tx, y: ty).concatenating(self)
  }
}
