package import LocationModel

extension RoadMode {
  package init(_ transport: Transport) {
    self =
      switch transport {
      case .automobile: .car
      case .walking: .foot
      case .cycling: .bicycle
      }
  }
}

extension RoadTraits {
  package init(avoiding: Set<Avoidance>) {
    self = []
    for avoidance in avoiding {
      switch avoidance {
      case .tolls: insert(.toll)
      case .ferries: insert(.ferry)
      case .motorways: insert(.motorway)
      case .unpaved: insert(.unpaved)
      }
    }
  }
}

extension RoadNetwork {
  /// The parts of an arc before and behind a place on it, as shares of its length.
  func share(of arc: UInt32, before end: RoadEnd) -> Double {
    let length = Double(chain(arc >> 1).length)
    let share = length > 0 ? min(Double(end.offset) / length, 1) : 0
    return arc & 1 == 0 ? share : 1 - share
  }

  /// Metres of each arc of a way: the first and the last are gone only in part.
  func lengths(of way: FoundWay) -> [Double] {
    var lengths = way.arcs.map { Double(chain($0 >> 1).length) / 10 }
    guard let first = way.arcs.first, let last = way.arcs.last, lengths.count > 1 else {
      return way.arcs.first.map { arc in
        [lengths[0] * max(share(of: arc, before: way.end) - share(of: arc, before: way.start), 0)]
      } ?? []
    }
    lengths[0] *= 1 - share(of: first, before: way.start)
    lengths[lengths.count - 1] *= share(of: last, before: way.end)
    return lengths
  }
}
