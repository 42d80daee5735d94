import LocationModel
import PlaceCore
import PlaceStore
import Platform

/// A question for a way that waits or is under way: the roads that it is asked of, one after the other.
final class RouteJob {
  /// A search in one extract, or across a road that two have in common.
  private enum Trial {
    case one(Extract)
    case two(Extract, Extract, RoadJoin)
  }

  let client: PlaceService.Client
  let deadline: Boottime
  private let request: DirectionsRequest
  private let sources: [RoadSource]
  private var completion: ((RoadRouter.Outcome) -> Void)?

  private var left: ArraySlice<RoadSource>
  private var trials: [Trial] = []
  /// Holds the file that its search reads.
  private var trial: Trial?
  private var search: DirectionsSearch?
  /// The quickest way across, of those that were found.
  private var across: Way?
  /// The refusal of the first roads that had no way.
  private var refusal: Refusal?
  /// States that were looked at since it began.
  private(set) var states = 0

  /// Roads across which a way is looked for.
  private static let mostJoins = 3

  init(
    _ request: DirectionsRequest, for client: PlaceService.Client, until deadline: Boottime,
    _ sources: [RoadSource], _ completion: @escaping (RoadRouter.Outcome) -> Void
  ) {
    (self.request, self.client, self.deadline) = (request, client, deadline)
    (self.sources, self.completion) = (sources, completion)
    left = sources[...]
  }

  var isDone: Bool { completion == nil }

  func restart() {
    (left, trials, trial, search) = (sources[...], [], nil, nil)
    (across, refusal, states) = (nil, nil, 0)
  }

  func end(_ outcome: RoadRouter.Outcome) {
    let completion = completion
    (self.completion, search, trial) = (nil, nil, nil)
    completion?(outcome)
  }

  /// Nil: it is not yet done.
  func advance(_ states: Int) -> RoadRouter.Outcome? {
    guard search != nil || begin() else {
      return .some(across.map { .success([$0]) } ?? .failure(refusal ?? Self.nothing))
    }
    self.states += states
    guard let answer = search?.advance(states) else { return nil }
    search = nil
    switch (answer, trial) {
    case (.ways(let ways), .two):
      if let way = ways.first, way.duration < across?.duration ?? .infinity { across = way }
    case (.ways(let ways), _): return .some(.success(ways))
    case (.noRoad, _), (.noWay, _), (.tooFar, _), (.failed, _):
      refusal = refusal ?? answer.refusal(request)
    }
    return nil
  }

  /// The next search. The answer is false where there is none.
  private func begin() -> Bool {
    while trials.isEmpty {
      guard across == nil, let source = left.popFirst() else { return false }
      switch source {
      case .one(let extract): trials = [.one(extract)]
      case .two(let first, let second, let before):
        guard let (roads, others) = Self.roads(first, second) else { continue }
        let joins = RoadJoins.of(
          roads, others, request, before: before, most: Self.mostJoins)
        trials = joins.map { .two(first, second, $0) }
      }
    }
    let trial = trials.removeFirst()
    self.trial = trial
    switch trial {
    case .one(let extract): search = extract.roads.map { DirectionsSearch($0, request) }
    case .two(let first, let second, let join):
      search = Self.roads(first, second).map {
        DirectionsSearch($0, $1, at: join, request)
      }
    }
    return search != nil || begin()
  }

  private static func roads(_ first: Extract, _ second: Extract) -> (RoadNetwork, RoadNetwork)? {
    guard let roads = first.roads, let others = second.roads else { return nil }
    return (roads, others)
  }

  private static let nothing = Refusal(
    .directionsNotFound, "The extracts of these places have no road in common that leads there.")
}
