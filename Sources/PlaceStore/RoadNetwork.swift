package import LocationModel
internal import PlaceCore
internal import Platform

/// The roads of an extract: a folder of routino's files.
package struct RoadNetwork: Equatable, Sendable {
  /// The extract's name.
  package var name: String
  package var folder: String

  package static let suffix = ".roads"
}

extension Atlas {
  /// Networks of the extracts that hold all these places, the smallest first: it knows them best.
  package func roads(holding places: [Coordinate]) -> [RoadNetwork] {
    let holding = withRoads.filter { extract in places.allSatisfy(extract.extract.covers) }
    return holding.sorted { $0.extract.size < $1.extract.size }.map(\.roads)
  }

  package var roads: [RoadNetwork] { withRoads.map(\.roads) }

  /// The first of the places that no extract with roads holds, by its number.
  package func placeWithoutRoads(_ places: [Coordinate]) -> Int? {
    let extracts = withRoads.map(\.extract)
    return places.firstIndex { place in !extracts.contains { $0.covers(place) } }
  }

  /// Metres to the nearest street that has a name; nil where none is known.
  package func distanceToStreet(_ place: Coordinate) -> Double? {
    withRoads.compactMap { try? $0.extract.distanceToStreet(place) }.min()
  }

  private var withRoads: [(extract: Extract, roads: RoadNetwork)] {
    files.compactMap { path, extract in
      let folder = String(path.dropLast(ExtractTables.suffix.count)) + RoadNetwork.suffix
      guard File.isThere(folder) else { return nil }
      return (extract, RoadNetwork(name: extract.dataSet.name, folder: folder))
    }
  }
}

extension Extract {
  /// In square degrees.
  fileprivate var size: Double {
    guard let corners = dataSet.coverage else { return .infinity }
    return (corners[1].latitude - corners[0].latitude)
      * (corners[1].longitude - corners[0].longitude)
  }

  /// Looked for in boxes, each twice as large as the one before. Far from all that the extract has it is the
  /// distance to its corner or side; nil where it has none.
  fileprivate func distanceToStreet(_ place: Coordinate) throws(DatabaseError) -> Double? {
    var metres = 500.0
    while metres < 100_000 {
      if let nearest = try distanceToStreet(place, within: metres) {
        // In a box's corners they are farther away than some that lie beside it.
        guard nearest > metres else { return nearest }
        return try distanceToStreet(place, within: nearest) ?? nearest
      }
      metres *= 2
    }
    guard let corners = dataSet.coverage else { return nil }
    func near(_ degrees: Double, _ low: Double, _ high: Double) -> Double {
      min(max(degrees, low), high)
    }
    let border = Coordinate(
      latitude: near(place.latitude, corners[0].latitude, corners[1].latitude),
      longitude: near(place.longitude, corners[0].longitude, corners[1].longitude))
    return place.metres(to: border)
  }
}
