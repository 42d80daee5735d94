internal import LocationModel
internal import PlaceCore
internal import Platform

extension World {
  /// What lies around a place: its province, and its district where there is one.
  struct Surroundings {
    var province: Area?
    var district: Area?
    /// The lake whose water it is.
    var lake: Area?
    /// Metres to the province; nil where there is none.
    var distance: Double?
  }

  private static let find = """
    SELECT p.area, p.shape FROM piece_box b JOIN piece p ON p.id = b.id
    WHERE b.x0 <= ? AND b.x1 >= ? AND b.y0 <= ? AND b.y1 >= ?
    """

  private func pieces(
    around point: GridPoint, x: Double, y: Double
  ) throws(DatabaseError) -> [(area: Int64, shape: Shape)] {
    let (x, y) = (Int64(x), Int64(y))
    let (px, py) = (Int64(point.x), Int64(point.y))
    let rows = try database.rows(Self.find, [px + x, px - x, py + y, py - y].map { .integer($0) })
    return rows.compactMap { row in
      guard let area = row[0].integer, let shape = row[1].blob.flatMap(Shape.init) else {
        return nil
      }
      return (area, shape)
    }
  }

  func surroundings(of place: Coordinate) throws(DatabaseError) -> Surroundings {
    let point = GridPoint(
      x: Int((place.longitude * 1e6).rounded()), y: Int((place.latitude * 1e6).rounded()))
    var found = Surroundings()
    for (id, shape) in try pieces(around: point, x: 0, y: 0) where shape.contains(point) {
      guard let area = try area(id) else { continue }
      if area.level == 1 {
        found.province = found.province ?? area
        found.distance = 0
      } else if area.level == 5 {
        found.lake = area
      } else if area.level > found.district?.level ?? 0 {
        found.district = area
      }
    }
    if found.province == nil { try searchCoast(point, place, &found) }
    return found
  }

  /// Borders are drawn more roughly than coasts are built on.
  private func searchCoast(
    _ point: GridPoint, _ place: Coordinate, _ found: inout Surroundings
  ) throws(DatabaseError) {
    let scale = max(0.05, cosine(place.latitude))
    for reach in [20_000.0, 450_000] {
      var best: (area: Int64, distance: Double)?
      for (id, shape) in try pieces(around: point, x: reach / scale, y: reach) {
        let distance = shape.squaredDistance(to: point, scale: scale)
        if distance < best?.distance ?? (reach * reach), try self.area(id)?.level != 5 {
          best = (id, distance)
        }
      }
      guard let best, let area = try area(best.area) else { continue }
      if area.level > 1 {
        found.district = found.district ?? area
        found.province = area
      } else {
        found.province = area
      }
      found.distance = best.distance.squareRoot() * 0.1112
      return
    }
  }
}

/// The cosine of degrees.
func cosine(_ degrees: Double) -> Double {
  let x = degrees * .pi / 180
  let s = x * x
  return 1 - s / 2 + s * s / 24 - s * s * s / 720 + s * s * s * s / 40320
}
