import LocationModel

/// A fix of a made-up trace: seconds, and metres north and east of its beginning.
struct TraceFix {
  var time: Double
  var place: Spot
  var accuracy: Double
  var speed: Double?
}

/// A place on the plane that made-up traces lie on.
struct Spot: Equatable {
  var north = 0.0
  var east = 0.0

  static func + (a: Self, b: Self) -> Self { Self(north: a.north + b.north, east: a.east + b.east) }
  static func - (a: Self, b: Self) -> Self { Self(north: a.north - b.north, east: a.east - b.east) }
  static func * (a: Self, factor: Double) -> Self {
    Self(north: a.north * factor, east: a.east * factor)
  }

  var length: Double { (north * north + east * east).squareRoot() }

  var coordinate: Coordinate {
    Coordinate(latitude: 45 + north / 111_131.7, longitude: 7 + east / 78_846.8)
  }
}
