internal import Geodesy
package import LocationModel

/// A part of an area, so small that many are looked at.
package struct PieceRow: Sendable {
  var area: Int64
  var level: Int64
  var shape: Shape

  /// Nil where the bytes are no shape.
  package init?(area: Int64, level: Int64, shape: [UInt8]) {
    guard let shape = Shape(shape) else { return nil }
    (self.area, self.level, self.shape) = (area, level, shape)
  }

  /// A part of a time zone, by the zone's number.
  package init?(zone: Int64, shape: [UInt8]) {
    self.init(area: zone, level: AreaRow.Level.zone, shape: shape)
  }
}

/// The numbers of the areas around a place, by their borders.
package struct AreasAround: Equatable, Sendable {
  package private(set) var province: Int64?
  package private(set) var district: Int64?
  /// The lake whose water it is.
  package private(set) var lake: Int64?
  /// The smallest of those that are drawn.
  package private(set) var island: Int64?
  /// Metres to the province; nil where there is none.
  package private(set) var distance: Double?
  private let place: Coordinate
  private let point: GridPoint

  /// Borders are drawn more roughly than coasts are built on: metres, about, that a place may lie off its own.
  package static let reaches = [20_000.0, 450_000]
  /// Longitudes are not stretched more than this near a pole.
  private static let leastScale = 0.05

  /// `pieces`: those whose boxes hold the place.
  package init(_ place: Coordinate, in pieces: [PieceRow]) {
    self.place = place
    point = GridPoint(place)
    var level = AreaRow.Level.province
    for piece in pieces where piece.shape.contains(point) {
      if piece.level == AreaRow.Level.province {
        province = province ?? piece.area
        distance = 0
      } else if piece.level == AreaRow.Level.lake {
        lake = piece.area
      } else if piece.level == AreaRow.Level.island {
        island = piece.area
      } else if piece.level > level {
        (district, level) = (piece.area, piece.level)
      }
    }
  }

  /// The nearest area, of the pieces whose boxes are within a reach, is the province of a place that lies in none.
  package mutating func addCoast(of pieces: [PieceRow], within reach: Double) {
    guard province == nil else { return }
    var best: (piece: PieceRow, distance: Double)?
    for piece in pieces {
      let distance = piece.shape.squaredDistance(to: point, scale: scale)
      if distance < best?.distance ?? (reach * reach), piece.level < AreaRow.Level.lake {
        best = (piece, distance)
      }
    }
    guard let best else { return }
    if best.piece.level > AreaRow.Level.province { district = district ?? best.piece.area }
    province = best.piece.area
    distance = best.distance.squareRoot() * LocalPlane.perDegree / 1e6
  }

  /// The areas whose pieces hold a place.
  package static func areas(holding place: Coordinate, in pieces: [PieceRow]) -> Set<Int64> {
    let point = AreasAround(place, in: []).point
    return Set(pieces.lazy.filter { $0.shape.contains(point) }.map(\.area))
  }

  private var scale: Double { max(Self.leastScale, LocalPlane.cosine(place.latitude)) }

  /// Millionths of a degree around a place.
  package static func box(
    around place: Coordinate, within millionths: Double
  ) -> (south: Int64, north: Int64, west: Int64, east: Int64) {
    let aside = millionths / max(leastScale, LocalPlane.cosine(place.latitude))
    let (x, y) = (Int64((place.longitude * 1e6).rounded()), Int64((place.latitude * 1e6).rounded()))
    return (y - Int64(millionths), y + Int64(millionths), x - Int64(aside), x + Int64(aside))
  }
}

extension Coordinate {
  /// Where borders are drawn: the land at 180° begins at −180°.
  package var drawn: Coordinate {
    GridPoint(self).x < 180_000_000 ? self : Coordinate(latitude: latitude, longitude: -180)
  }
}

/// The areas around a place.
package struct Surroundings: Equatable, Sendable {
  package var province: AreaRow?
  var district: AreaRow?
  var lake: AreaRow?
  var island: AreaRow?
  /// Metres to the province; nil where there is none.
  var distance: Double?
  package var borders = CountryBorders()

  package init(_ around: AreasAround, _ areas: [AreaRow]) {
    func area(_ id: Int64?) -> AreaRow? { areas.first { $0.id == id } }
    province = area(around.province)
    district = area(around.district)
    lake = area(around.lake)
    island = area(around.island)
    distance = around.distance
  }

  init() {}

  /// The country, where no town need be asked.
  package var country: String? { borders.country(drawn: province?.country, nearest: []) }

  private static let onLand = [0.1, 0.3, 1, 4]
  private static let atCoast = [0.1, 0.5]
  private static let atSea = [0.5]

  /// Degrees in which towns are looked for, one after the other until there are some.
  package var reaches: [Double] {
    distance == 0 ? Self.onLand : distance == nil ? Self.atSea : Self.atCoast
  }
}
