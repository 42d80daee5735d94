package import LocationModel
internal import Platform

/// A street as it is drawn.
package struct StreetLine: Equatable, Sendable {
  package var name: String
  /// For those who walk.
  package var isPath: Bool
  package var polyline: [Coordinate]

  package var json: JSON {
    [
      "name": .string(name), "path": isPath ? .bool(true) : nil,
      "polyline": .array(
        polyline.map { .array([.number($0.latitude), .number($0.longitude)]) }),
    ]
  }
}

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
