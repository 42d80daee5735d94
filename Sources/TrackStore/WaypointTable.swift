import LocationModel
package import Platform
package import TrackCore

extension TrackStore {
  /// Puts these in the place of all waypoints. They are few, and seldom change.
  package func save(_ waypoints: [Waypoint], _ body: @escaping (DatabaseError?) -> Void) {
    write(
      [DatabaseStatement("DELETE FROM waypoints")] + waypoints.map(Self.insert),
      outlastsPower: true, body)
  }

  /// The device is in the region, or is not. It is asked for again after a loss of power.
  package func save(isInside: Bool, _ identifier: String) {
    write([Self.mark(identifier, isInside)], outlastsPower: false) { _ in }
  }

  static func mark(_ identifier: String, _ isInside: Bool) -> DatabaseStatement {
    DatabaseStatement(
      "UPDATE waypoints SET inside = ? WHERE identifier = ?",
      [.integer(isInside ? 1 : 0), .text(identifier)])
  }

  private static func insert(_ waypoint: Waypoint) -> DatabaseStatement {
    var circle: [DatabaseValue] = [.null, .null, .null]
    if waypoint.owner != nil, case .circle(let place, let radius) = waypoint.shape {
      circle = [
        .scaled(place.latitude, 1e7), .scaled(place.longitude, 1e7), .scaled(radius, 1000),
      ]
    }
    return .replacing(
      "waypoints",
      [
        .text(waypoint.identifier), waypoint.owner.map(DatabaseValue.text) ?? .null,
        .text(waypoint.id), .text(waypoint.name), .integer(waypoint.made.microseconds),
      ] + circle + [.integer(waypoint.isInside ? 1 : 0)])
  }
}

extension Waypoint {
  /// Nil for a row that no tracker wrote.
  init?(_ row: [DatabaseValue]) {
    guard row.count == 8, let id = row[1].text, let name = row[2].text, let made = row[3].date
    else { return nil }
    var shape: Region.Shape?
    if let latitude = row[4].divided(by: 1e7), let longitude = row[5].divided(by: 1e7),
      let radius = row[6].divided(by: 1000)
    {
      let place = Coordinate(latitude: latitude, longitude: longitude)
      guard place.isValid, radius > 0, radius <= Region.longestRadius else { return nil }
      shape = .circle(place, radius: radius)
    }
    let owner = row[0].text
    guard owner == nil || shape != nil else { return nil }
    self.init(
      owner: owner, id: id, name: name, made: made, shape)
    isInside = row[7].integer == 1
  }
}
