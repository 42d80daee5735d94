package import LocationModel
internal import PlaceCore

/// The extracts whose roads may lead from the first of some places to the last.
package enum RoadSource {
  case one(Extract)
  /// All places up to a number lie in the first, and all others in the second.
  case two(Extract, Extract, before: Int)
}

extension Atlas {
  /// The smallest first: it knows its part best.
  package var withRoads: [Extract] {
    usable.filter { $0.roads != nil }.sorted { $0.size < $1.size }
  }

  /// Single extracts; where there is none, pairs that overlap.
  package func roads(holding places: [Coordinate]) -> [RoadSource] {
    let extracts = withRoads
    let single = extracts.filter { places.allSatisfy($0.covers) }.map(RoadSource.one)
    guard single.isEmpty else { return single }
    var pairs: [RoadSource] = []
    for first in extracts {
      let held = places.prefix(while: first.covers).count
      guard held > 0 else { continue }
      for second in extracts where second.overlaps(first) {
        if places.dropFirst(held).allSatisfy(second.covers) {
          pairs.append(.two(first, second, before: held - 1))
        }
      }
    }
    return pairs
  }

  /// The first of the places that no extract with roads holds, by its number, and the name of one that would, had it
  /// any.
  package func placeWithoutRoads(_ places: [Coordinate]) -> (place: Int, extract: String?)? {
    let extracts = usable
    for (number, place) in places.enumerated() {
      let covering = extracts.filter { $0.covers(place) }
      if !covering.contains(where: { $0.roads != nil }) {
        return (number, covering.first?.dataSet.name)
      }
    }
    return nil
  }
}

extension Extract {
  /// In square degrees.
  fileprivate var size: Double {
    guard let corners = dataSet.coverage else { return .infinity }
    return (corners[1].latitude - corners[0].latitude)
      * (corners[1].longitude - corners[0].longitude)
  }

  fileprivate func overlaps(_ other: Extract) -> Bool {
    guard self !== other, let own = dataSet.coverage, let others = other.dataSet.coverage else {
      return false
    }
    return own[0].latitude <= others[1].latitude && others[0].latitude <= own[1].latitude
      && own[0].longitude <= others[1].longitude && others[0].longitude <= own[1].longitude
  }
}
