import Geodesy
package import LocationModel

/// How coarse a place is.
package enum Grain: Sendable {
  /// A cell of some kilometres: what an app of reduced accuracy is told.
  case city
  case neighborhood
  case street

  /// Degrees of latitude that a cell is high; as wide it is, too.
  var height: Double {
    switch self {
    case .city: 1 / 20
    case .neighborhood: 1 / 60
    case .street: 1 / 600
    }
  }

  /// Metres that a cell is wide.
  var width: Double { height * 111_200 }

  /// The radius that holds 68 % of the places of a cell, and a little more since a place sticks to its cell.
  package var accuracy: Double {
    switch self {
    case .city: AccuracyAuthorization.reducedRadius
    case .neighborhood: 1000
    case .street: 100
    }
  }

  /// Another place at most so often: the moment at which a border is crossed tells where the device is.
  var interval: Duration {
    switch self {
    case .city: .seconds(900)
    case .neighborhood: .seconds(300)
    case .street: .seconds(30)
    }
  }
}

/// Where an app that is told only roughly is said to be: the middle of a cell, the same for the same place,
/// and another one only now and then.
package struct CoarsePlace {
  fileprivate struct Cell: Equatable {
    var row: Int
    var column: Int
  }

  package let grain: Grain
  private var cell: Cell
  package private(set) var location: Location
  package private(set) var since: Boottime

  /// How far beyond its border a cell is stuck to, as a part of it.
  private static let margin = 0.1

  package init(_ location: Location, _ grain: Grain = .city, at now: Instant) {
    self.grain = grain
    cell = grain.cell(of: location.coordinate)
    self.location = grain.coarse(location, cell)
    since = now.boottime
  }

  /// The middle of its cell, for what is told one time only.
  package static func place(of location: Location, _ grain: Grain = .city) -> Location {
    // A city that everybody may know from the time zone.
    location.kind == .zone ? location : grain.coarse(location, grain.cell(of: location.coordinate))
  }

  /// Takes a newer place over, if it is time to.
  package mutating func update(_ location: Location, at now: Instant) {
    guard now.boottime - since >= grain.interval else { return }
    if !isNear(location.coordinate) { cell = grain.cell(of: location.coordinate) }
    self.location = grain.coarse(location, cell)
    since = now.boottime
  }

  /// Whether it lies in the cell, or so little outside that a place at the border does not flicker.
  private func isNear(_ place: Coordinate) -> Bool {
    let middle = grain.middle(of: cell)
    let width = 360 / Double(grain.columns(in: cell.row))
    let across = (place.longitude - middle.longitude).remainder(dividingBy: 360)
    return (place.latitude - middle.latitude).magnitude <= grain.height * (0.5 + Self.margin)
      && across.magnitude <= width * (0.5 + Self.margin)
  }

}

extension Grain {
  private var rows: Int { Int((180 / height).rounded()) }

  /// Fewer towards the poles, where the circles are small.
  fileprivate func columns(in row: Int) -> Int {
    let latitude = -90 + (Double(row) + 0.5) * height
    let degree = Coordinate(latitude: latitude, longitude: 0)
      .distance(to: Coordinate(latitude: latitude, longitude: 1))
    return max(1, Int((360 * degree / self.width).rounded()))
  }

  fileprivate func cell(of place: Coordinate) -> CoarsePlace.Cell {
    let row = min(max(Int(((place.latitude + 90) / height).rounded(.down)), 0), rows - 1)
    let count = columns(in: row)
    let column = Int(((place.longitude + 180) / 360 * Double(count)).rounded(.down))
    return CoarsePlace.Cell(row: row, column: min(max(column, 0), count - 1))
  }

  fileprivate func middle(of cell: CoarsePlace.Cell) -> Coordinate {
    Coordinate(
      latitude: -90 + (Double(cell.row) + 0.5) * height,
      longitude: -180 + (Double(cell.column) + 0.5) * 360 / Double(columns(in: cell.row)))
  }

  /// Only where and when it is, and from what: how high, how fast and where to would tell more.
  fileprivate func coarse(_ location: Location, _ cell: CoarsePlace.Cell) -> Location {
    var coarse = Location(
      coordinate: middle(of: cell),
      horizontalAccuracy: max(accuracy, location.horizontalAccuracy),
      timestamp: location.timestamp)
    coarse.source = location.source
    coarse.simulated = location.simulated
    return coarse
  }
}

/// The coarse places that apps of reduced accuracy are told.
struct CoarsePlaces {
  private var places: [App: CoarsePlace] = [:]

  /// The most that the apps of one user have.
  private static let most = 1024

  /// The place that the app is told now.
  mutating func place(_ location: Location, of app: App, at now: Instant) -> Location {
    // A place that is told meanwhile does not stay for a quarter of an hour.
    if !location.kind.isEvidence {
      let last = places[app].flatMap { now.boottime - $0.since < $0.grain.interval ? $0 : nil }
      return last?.location ?? CoarsePlace.place(of: location)
    }
    guard var place = places[app] else {
      // Old places tell nothing any more.
      places = places.filter { now.boottime - $0.value.since < $0.value.grain.interval }
      let ofUser = places.filter { $0.key.uid == app.uid }
      if ofUser.count >= Self.most,
        let oldest = ofUser.min(by: { $0.value.since < $1.value.since })
      {
        places[oldest.key] = nil
      }
      let place = CoarsePlace(location, at: now)
      places[app] = place
      return place.location
    }
    place.update(location, at: now)
    places[app] = place
    return place.location
  }

  mutating func forget(_ app: App) { places[app] = nil }
}

extension Visit {
  /// The cell that it lies in, and nothing nearer.
  var coarse: Visit {
    let place = CoarsePlace.place(
      of: Location(
        coordinate: coordinate, horizontalAccuracy: max(horizontalAccuracy, 1),
        timestamp: Timestamp(microseconds: 0)))
    var visit = self
    visit.coordinate = place.coordinate
    visit.horizontalAccuracy = place.horizontalAccuracy
    return visit
  }
}

extension Event {
  /// As it is told to one of reduced accuracy, though it was noted when more was allowed.
  var coarse: Event {
    switch self {
    case .didUpdateLocations(let location, let service):
      .didUpdateLocations(CoarsePlace.place(of: location), service)
    case .didVisit(let visit): .didVisit(visit.coarse)
    default: self
    }
  }
}
