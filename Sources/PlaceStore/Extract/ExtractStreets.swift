import LocationModel
internal import Platform

extension Extract {
  /// The streets that reach into a box, so many at most.
  func streets(
    in box: StreetsRequest, limit: Int
  ) throws(DatabaseError) -> [StreetLine] {
    let rows = try database.rows(
      """
      SELECT \(Self.columns), shape FROM box JOIN thing ON thing.id = box.id
      WHERE north >= ?/1e7 AND south <= ?/1e7 AND east >= ?/1e7 AND west <= ?/1e7 AND kind = ? LIMIT ?
      """,
      [box.south, box.north, box.west, box.east].map { .integer(Int64($0 * 1e7)) }
        + [.integer(ThingKind.street.rawValue), .integer(Int64(limit))])
    return rows.compactMap { row in
      guard let thing = Thing(row), let name = thing.name(box.locale), let shape = row[11].blob
      else { return nil }
      return StreetLine(
        name: name, isPath: row[6].text == ExtractTables.path, polyline: Plane.places(of: shape))
    }
  }
}
