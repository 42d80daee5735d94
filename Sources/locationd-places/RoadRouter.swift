import LocationModel
import PlaceCore
import PlaceStore
import Platform

/// Ways by the roads on this disk. One short search and one long are under way at a time, some thousand states of one in
/// each turn of the loop: short ones pass the long, and users have their turns.
final class RoadRouter {
  /// Nil: the client has gone.
  typealias Outcome = Result<[Way], Refusal>?

  private let atlas: Atlas
  private var later: EventLoop.Later?
  /// All that are not answered.
  private var jobs: [RouteJob] = []
  private var (short, long) = (Lane(), Lane())
  private var turns = 0
  private var counts: (answered: Int64, refused: Int64) = (0, 0)

  /// States of a turn: some two milliseconds.
  private static let statesATurn = 5000
  /// A search that looks at more is long.
  private static let mostOfShort = 50_000
  /// The long search has one turn of so many, at least.
  private static let turnOfLong = 4

  private struct Lane {
    var waiting = TurnQueue<RouteJob>()
    var running: RouteJob?

    /// The job whose turn it is; nil where there is none.
    mutating func next() -> RouteJob? {
      while running?.isDone ?? true, !waiting.isEmpty { running = waiting.next() }
      if running?.isDone == true { running = nil }
      return running
    }
  }

  init(_ atlas: Atlas, on loop: EventLoop) throws(SystemError) {
    self.atlas = atlas
    later = try EventLoop.Later(on: loop) { [unowned self] in turn() }
  }

  /// An extract on this disk has roads.
  var hasRoads: Bool {
    atlas.refresh()
    return !atlas.withRoads.isEmpty
  }

  /// Calls the completion by the deadline, perhaps at once.
  func find(
    _ request: DirectionsRequest, for client: PlaceService.Client, until deadline: Boottime,
    _ completion: @escaping (Outcome) -> Void
  ) {
    let sources = atlas.roads(holding: request.places)
    guard !sources.isEmpty else { return completion(.failure(missing(request))) }
    let job = RouteJob(request, for: client, until: deadline, sources, completion)
    jobs.append(job)
    short.waiting.add(job, of: client.asker.user)
    later?.set()
  }

  func cancel(of client: PlaceService.Client) {
    for job in jobs where job.client === client { end(job, nil) }
  }

  private func missing(_ request: DirectionsRequest) -> Refusal {
    counts.refused += 1
    guard let (number, extract) = atlas.placeWithoutRoads(request.places) else {
      return Refusal(
        .directionsNotFound,
        "The places lie in extracts that have no roads in common, or in more than two.")
    }
    let name = request.name(ofPlace: number)
    guard let extract else {
      return Refusal(
        .placemarkNotFound,
        "No extract on this disk covers \(name): 'locationctl places import' brings one.")
    }
    return Refusal(
      .directionsNotFound,
      "The extract \(extract), which covers \(name), has no roads: import it again"
        + " ('locationctl places import').")
  }

  // MARK: - Turns

  private func turn() {
    let now = Clock.boottime
    for job in jobs where job.deadline <= now { end(job, .failure(Self.late)) }
    turns &+= 1
    let (quick, slow) = (short.next(), long.next())
    if let job = turns % Self.turnOfLong == 0 ? slow ?? quick : quick ?? slow {
      if let outcome = job.advance(Self.statesATurn) {
        end(job, outcome)
      } else if job === quick, job.states > Self.mostOfShort {
        putOff(job)
      }
    }
    if !jobs.isEmpty { later?.set() }
  }

  /// Its search goes on where there is no other long one. Else it begins anew when its turn comes: what it holds in memory
  /// is let go.
  private func putOff(_ job: RouteJob) {
    short.running = nil
    if long.next() == nil {
      long.running = job
    } else {
      job.restart()
      long.waiting.add(job, of: job.client.asker.user)
    }
  }

  private func end(_ job: RouteJob, _ outcome: Outcome) {
    jobs.removeAll { $0 === job }
    switch outcome {
    case .success: counts.answered += 1
    case .failure: counts.refused += 1
    case nil: break
    }
    job.end(outcome)
  }

  private static let late = Refusal(
    .failed, "No way was found in time: the way is long, or the machine is busy.")

  var status: JSON {
    [
      "name": "locationd", "roads": .array(atlas.withRoads.map { .string($0.dataSet.name) }),
      "answered": .integer(counts.answered), "refused": .integer(counts.refused),
      "waiting": .integer(Int64(jobs.count)),
    ]
  }
}
