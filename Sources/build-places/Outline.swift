internal import Geodesy
internal import PlaceCore

/// The middle of rings, and their size.
struct Outline {
  /// Square millionths of a degree, as large as at the equator.
  private var size = 0.0
  private var x = 0.0
  private var y = 0.0
  /// Longitudes count from the first ring's: a country may lie on both sides of 180°.
  private var origin: Int?

  init() {}

  init(_ shape: Shape) {
    for ring in shape.rings { add(ring) }
  }

  private mutating func add(_ ring: [GridPoint]) {
    guard var a = ring.last else { return }
    let origin = a.x
    var (twice, sumX, sumY) = (0.0, 0.0, 0.0)
    for b in ring {
      let (ax, bx) = (Double(a.x - origin), Double(b.x - origin))
      let (ay, by) = (Double(a.y), Double(b.y))
      let cross = ax * by - bx * ay
      twice += cross
      sumX += (ax + bx) * cross
      sumY += (ay + by) * cross
      a = b
    }
    guard twice != 0 else { return }
    let (middleX, middleY) = (sumX / (3 * twice), sumY / (3 * twice))
    add(
      x: origin + Int(middleX), y: middleY,
      size: abs(twice) / 2 * max(0.05, LocalPlane.cosine(middleY / 1e6)))
  }

  mutating func add(_ other: Outline) {
    guard let middle = other.middle else { return }
    add(x: middle.x, y: Double(middle.y), size: other.size)
  }

  private mutating func add(x: Int, y: Double, size: Double) {
    let origin = origin ?? x
    self.origin = origin
    var aside = x - origin
    if aside > 180_000_000 { aside -= 360_000_000 }
    if aside < -180_000_000 { aside += 360_000_000 }
    self.x += Double(aside) * size
    self.y += y * size
    self.size += size
  }

  var middle: GridPoint? {
    guard let origin, size > 0 else { return nil }
    var x = origin + Int(self.x / size)
    if x > 180_000_000 { x -= 360_000_000 }
    if x < -180_000_000 { x += 360_000_000 }
    return GridPoint(x: x, y: Int(y / size))
  }

  /// Metres, of a circle that is as large.
  var radius: Double { (size / .pi).squareRoot() * LocalPlane.perDegree / 1e6 }
}
