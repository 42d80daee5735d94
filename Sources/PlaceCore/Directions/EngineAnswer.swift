import Geodesy
package import LocationModel

/// The answer of a program that finds ways.
package enum EngineAnswer: Equatable, Sendable {
  case ways([Way])
  /// No road is near a place, by its number among those asked for; nil where that is unknown. `distance`: metres
  /// to the nearest one, where it is known.
  case noRoad(place: Int?, distance: Double? = nil)
  case noWay
  /// The search has become too large.
  case tooFar
  /// It says nothing of use: the next engine is asked.
  case failed(reason: String)
}

extension EngineAnswer {
  /// Metres from a place to the road that is taken for it.
  static let farthestRoad = 1000.0
  /// From so many metres on, the traveller is told.
  private static let near = 50.0

  /// The ways that lead from and to what was asked for. An engine may have taken roads far away for it.
  package func checked(_ request: DirectionsRequest) -> EngineAnswer {
    guard case .ways(let ways) = self else { return self }
    let usable = ways.filter {
      $0.polyline.count > 1 && $0.polyline.allSatisfy(\.isValid) && $0.moves.count <= Way.mostMoves
    }.map { $0.thinned() }
    guard let first = usable.first, let start = first.polyline.first, let end = first.polyline.last
    else { return .failed(reason: "an answer without a way") }
    let places = request.places
    let gaps = (start.distance(to: request.from), end.distance(to: request.to))
    if gaps.0 > Self.farthestRoad { return .noRoad(place: 0, distance: gaps.0) }
    if gaps.1 > Self.farthestRoad {
      return .noRoad(place: places.count - 1, distance: gaps.1)
    }
    return .ways(
      usable.map { way in
        var way = way
        let before = way.polyline.first?.distance(to: request.from) ?? 0
        let after = way.polyline.last?.distance(to: request.to) ?? 0
        if before > Self.near { way.gaps.start = before }
        if after > Self.near { way.gaps.end = after }
        return way
      })
  }
}
