import PlaceCore

@testable import build_places

extension Decoder {
  /// Polygons as OGC's binary form, GeoPackage and the world's file have them, and gettext's catalogues.
  static var shapes: Decoder {
    func number(_ number: Int) -> [UInt8] { (0..<4).map { UInt8(number >> (8 * $0) & 0xFF) } }
    func ring(_ points: [(Double, Double)]) -> [UInt8] {
      number(points.count)
        + points.flatMap { [$0.0, $0.1] }.flatMap { value in
          (0..<8).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * UInt64($0))) }
        }
    }
    let square = ring([(8, 50), (9, 50), (9, 51), (8, 51), (8, 50)])
    let hole = ring([(8.2, 50.2), (8.4, 50.2), (8.4, 50.4), (8.2, 50.2)])
    let polygon = [1] + number(3) + number(2) + square + hole
    let many = [1] + number(6) + number(2) + polygon + [1] + number(3) + number(1) + square
    let head = Array("GP".utf8) + [0, 3] + number(4326)
    let envelope = [UInt8](repeating: 0, count: 32)
    let points = [(0, 0), (9, 0), (9, 9), (0, 9), (3, 3), (2, 5), (1, 1), (0, 4), (0, 2)]
    let stored = Shape(rings: [
      points.map { GridPoint(x: 8_000_000 + $0.0 * 50_000, y: 50_000_000 + $0.1 * 50_000) }
    ])
    let catalogue =
      number(0x9504_12DE) + number(0) + number(1) + number(28) + number(36) + number(0) + number(0)
      + number(3) + number(44) + number(3) + number(47) + Array("abcdef".utf8)
    return Decoder(
      name: "shapes",
      words: extremes + [
        "\u{1}\u{3}\0\0\0", "\u{1}\u{6}\0\0\0", "\u{1}\0\0\0", "\u{2}\0\0\0", "\u{7F}\0\0\0",
        "\0\0\0\u{7F}", "\0\0\0\0\0\0 @", "\0\0\0\0\0\0I@", "GP\0\u{3}", "\0",
      ],
      seeds: [
        [0x40] + polygon, [0x40] + many, [0x41] + head + envelope + many, [0x42] + stored.bytes,
        [0x43] + catalogue,
      ]
    ) { input in
      let (choice, bytes) = input.choice
      switch choice & 3 {
      case 0:
        var reader = WKBReader(bytes)
        if let shape = reader.shape() { use(shape) }
      case 1:
        var reader = WKBReader(geoPackage: bytes)
        if let shape = reader.shape() { use(shape) }
      case 2: if let shape = Shape(bytes) { use(shape) }
      default:
        for (key, value) in Catalogue.entries(bytes) {
          check(!key.isEmpty && !value.isEmpty, "it says nothing")
        }
      }
    }
  }

  private static func use(_ shape: Shape) {
    check(Shape(shape.bytes) == shape, "another shape")
    let box = shape.box
    guard let point = shape.rings.first?.first else { return }
    check(shape.squaredDistance(to: point, scale: 0.6) == 0, "its own corner lies apart")
    _ = shape.contains(GridPoint(x: (box.minX + box.maxX) / 2, y: (box.minY + box.maxY) / 2))
    check(shape.simplified(50).rings.count == shape.rings.count, "a ring is gone")
    var half = box
    half.maxX = (box.minX + box.maxX) / 2
    let clipped = shape.clipped(half)
    if !clipped.rings.isEmpty { check(clipped.box.maxX <= half.maxX, "more than the half") }
    // Each piece is a thousandth of a degree wide at least: a large shape has too many for a fuzzer.
    guard max(box.maxX - box.minX, box.maxY - box.minY) < 16_000 else { return }
    for piece in shape.pieces(of: 8) {
      check(piece.box.minX >= box.minX && piece.box.maxY <= box.maxY, "a piece lies outside")
    }
  }
}
