package import LocationModel
internal import PlaceCore
package import Platform

/// One extract of OpenStreetMap that was imported: streets, addresses and named places. Countries, provinces
/// and time zones are the world's to say.
package final class Extract {
  package let dataSet: DataSet
  let database: SealedDatabase

  package init(path: String, limit: WorkLimit? = nil) throws(DatabaseError) {
    database = try SealedDatabase(
      path: path, application: ExtractTables.schema.application,
      version: Int64(ExtractTables.schema.steps.count), limit: limit)
    var about: [String: String] = [:]
    for row in try database.rows("SELECT key, value FROM about") {
      about[row[0].text ?? ""] = row[1].text
    }
    let corners = (about["coverage"] ?? "").split(separator: " ").compactMap { Double($0) }
    dataSet = DataSet(
      name: about["name"] ?? "", date: about["date"] ?? "", licence: about["licence"] ?? "",
      attribution: about["attribution"] ?? "", places: about["places"].flatMap { Int($0) } ?? 0,
      coverage: corners.count == 4
        ? [
          Coordinate(latitude: corners[0], longitude: corners[1]),
          Coordinate(latitude: corners[2], longitude: corners[3]),
        ] : nil)
  }

  /// Whether it may know something there.
  package func covers(_ place: Coordinate) -> Bool {
    guard let corners = dataSet.coverage else { return false }
    return (corners[0].latitude - 0.01...corners[1].latitude + 0.01).contains(place.latitude)
      && (corners[0].longitude - 0.01...corners[1].longitude + 0.01).contains(place.longitude)
  }
}

// MARK: - What is here

extension Extract {
  static let columns =
    "thing.id, kind, latitude, longitude, name, names, category, street, number, postcode, city"
  private static let nearestAddress = 50.0
  private static let nearestStreet = 100.0
  private static let atTheSpot = 30.0

  /// Street, number and names at a place; nil where nothing is near. The rest is left to the world's answer.
  package func reverse(_ place: Coordinate, locale: String?) throws(DatabaseError) -> Placemark? {
    guard covers(place) else { return nil }
    let plane = Plane(around: place)
    let (south, north, west, east) = plane.box(Self.nearestStreet)
    let rows = try database.rows(
      """
      SELECT \(Self.columns), shape FROM box JOIN thing ON thing.id = box.id
      WHERE north >= ?/1e7 AND south <= ?/1e7 AND east >= ?/1e7 AND west <= ?/1e7 LIMIT 5000
      """, [south, north, west, east].map { .integer($0) })
    var best: [ThingKind: (metres: Double, thing: Thing)] = [:]
    for row in rows {
      guard let thing = Thing(row) else { continue }
      let metres =
        row[11].blob.map(plane.distance(toShape:)) ?? plane.distance(to: thing.coordinate)
      if metres < best[thing.kind]?.metres ?? .infinity { best[thing.kind] = (metres, thing) }
    }
    var answer = Placemark(place)
    // A house that has no street has not the number of its neighbour.
    if let (metres, thing) = best[.address], metres <= Self.nearestAddress, thing.hasStreet {
      answer = thing.placemark(locale, source: dataSet.name)
      answer.radius = metres
    } else if let (metres, thing) = best[.street], metres <= Self.nearestStreet {
      answer = thing.placemark(locale, source: dataSet.name)
      answer.coordinate = place
      answer.radius = metres
    }
    let named = [best[.named], best[.address]].compactMap(\.self).filter {
      $0.metres <= Self.atTheSpot && $0.thing.name(locale) != nil
    }
    if let thing = named.min(by: { $0.metres < $1.metres })?.thing, let name = thing.name(locale) {
      answer.areasOfInterest = [name]
      answer.name = name
    }
    return answer.name == nil ? nil : answer
  }

  /// A place of this extract by its id; nil where it has none.
  func place(id: String, locale: String?) throws(DatabaseError) -> Placemark? {
    guard id.hasPrefix(dataSet.name + ":"),
      let number = Int64(id.dropFirst(dataSet.name.utf8.count + 1))
    else { return nil }
    return try database.rows(
      "SELECT \(Self.columns) FROM thing WHERE id = ?", [.integer(number)]
    ).first.flatMap(Thing.init)?.placemark(locale, source: dataSet.name)
  }
}
