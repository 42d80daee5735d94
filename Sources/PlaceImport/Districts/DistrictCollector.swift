internal import Geodesy
internal import LocationModel
internal import PlaceCore
internal import Platform

/// Takes the districts of an extract while it is read: areas, and points where nothing more is drawn. What it keeps of a
/// country lies in files.
final class DistrictCollector {
  struct Area: BitwiseCopyable {
    /// Points change it.
    var kind: DistrictKind
    /// A point says no more of it.
    var hasPlace: Bool
    var size = 0.0
    /// The letters of its code, of a country.
    let country: CountryCode?
    fileprivate let text: Text
  }

  struct Point: BitwiseCopyable {
    let kind: DistrictKind
    let spot: Spot
    let cell: Int64
    fileprivate let text: Text
  }

  /// Where a name and its lines of names lie.
  fileprivate struct Text: BitwiseCopyable {
    let hash: UInt64
    let start: Int
    let nameCount: Int32
    let count: Int32
  }

  /// By their numbers.
  let areas: ScratchArray<Area>
  let points: ScratchArray<Point>
  private let ways: AreaWays
  /// The capitals of countries of whose borders the extract has each way, as far as it has them.
  private var whole: [Int: GridPoint?] = [:]
  private let texts: ScratchArray<UInt8>

  init(in folder: String) throws(SystemError) {
    areas = try ScratchArray(in: folder)
    points = try ScratchArray(in: folder)
    ways = try AreaWays(in: folder)
    texts = try ScratchArray(in: folder)
  }

  /// An area, by the numbers from 0 on; false where it is none that matters.
  func add(area tags: Tags) throws(SystemError) -> Bool {
    guard let kind = tags.districtArea, let text = try keep(tags) else { return false }
    try areas.append(
      Area(kind: kind, hasPlace: tags.districtPoint != nil, country: tags.country, text: text))
    return true
  }

  /// A way around an area, or a piece of one; `first` and `last` are the numbers of the nodes at its ends.
  func add(
    member spots: some Collection<Spot>, of area: Int, isInner: Bool, first: Int64, last: Int64
  ) throws(SystemError) {
    try ways.add(spots.map(Self.point), of: area, isInner: isInner, first, last)
  }

  /// An area of whose outline the extract has each way, and its centre.
  func add(whole area: Int, centre: Spot?) {
    if areas[area].country != nil { whole.updateValue(centre.map(Self.point), forKey: area) }
  }

  func add(point tags: Tags, at spot: Spot) throws(SystemError) {
    guard let kind = tags.districtPoint, let text = try keep(tags) else { return }
    let cell = Cells.cell(spot.latitude, spot.longitude)
    try points.append(Point(kind: kind, spot: spot, cell: cell, text: text))
  }

  /// Nil of what has no name.
  private func keep(_ tags: Tags) throws(SystemError) -> Text? {
    guard let name = tags["name"] else { return nil }
    let lines = tags.nameLines ?? ""
    let text = Text(
      hash: name.lowercased().utf8.stableHash, start: texts.count,
      nameCount: Int32(name.utf8.count),
      count: Int32(name.utf8.count + lines.utf8.count))
    try texts.append(Array(name.utf8))
    try texts.append(Array(lines.utf8))
    return text
  }

  /// In millionths of a degree.
  static func point(_ spot: Spot) -> GridPoint {
    GridPoint(x: Int(spot.longitude) / 10, y: Int(spot.latitude) / 10)
  }
}

// MARK: - When all is read

extension DistrictCollector {
  /// The land of an area, whose size it keeps; `isWhole`: no way of its outline is missing.
  func shape(of area: Int) -> (shape: Shape, isWhole: Bool) {
    let (outer, inner, open) = ways.rings(of: area)
    func size(_ rings: [[GridPoint]]) -> Double {
      rings.reduce(0) { $0 + Double(GroundCut.doubleArea($1).magnitude) }
    }
    areas[area].size = size(outer) - size(inner)
    return (Shape(rings: outer + inner), open.isEmpty)
  }

  /// A country, if the extract has each way of its border. Some extracts cut them off at sea: then one line is left, and the
  /// capital lies within.
  func country(_ area: Int) -> (code: String, shape: Shape)? {
    guard let code = areas[area].country?.text, let capital = whole[area] else { return nil }
    let (outer, inner, open) = ways.rings(of: area)
    guard let cut = open.first else {
      return outer.isEmpty ? nil : (code, Shape(rings: outer + inner))
    }
    guard let capital, open.count == 1 else { return nil }
    let shape = Shape(rings: outer + inner + [Self.closed(cut, capital)])
    return shape.contains(capital) ? (code, shape) : nil
  }

  /// A line with the sea in front of its ends: twelve nautical miles, away from the capital.
  private static func closed(_ line: [GridPoint], _ capital: GridPoint) -> [GridPoint] {
    guard let a = line.last, let b = line.first else { return [] }
    let scale = LocalPlane.cosine(Double(capital.y) / 1e6)
    let (x, y) = (Double(b.x - a.x) * scale, Double(b.y - a.y))
    let aside = Double(capital.y - a.y) * x - Double(capital.x - a.x) * scale * y
    let reach = (aside > 0 ? -200_000 : 200_000) / max((x * x + y * y).squareRoot(), 1)
    let step = GridPoint(x: Int(-y * reach / max(scale, 0.01)), y: Int(x * reach))
    return line + [a, b].map { GridPoint(x: $0.x + step.x, y: $0.y + step.y) }
  }

  func isNamed(_ area: Int, as point: Int) -> Bool {
    areas[area].text.hash == points[point].text.hash
  }

  typealias Names = (name: String, lines: String?)

  func names(ofArea area: Int) -> Names { names(areas[area].text) }
  func names(ofPoint point: Int) -> Names { names(points[point].text) }

  private func names(_ text: Text) -> Names {
    let (middle, end) = (text.start + Int(text.nameCount), text.start + Int(text.count))
    let lines = String(decoding: texts.buffer[middle..<end], as: UTF8.self)
    let name = String(decoding: texts.buffer[text.start..<middle], as: UTF8.self)
    return (name, lines.isEmpty ? nil : lines)
  }
}
