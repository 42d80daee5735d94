import LocationModel
import PlaceCore
import PlaceStore
import Platform

/// Ways by the roads on this disk: routino, a child for each question, so many at once, those of each user in
/// turn.
final class RoadRouter {
  typealias Outcome = Result<[Way], Refusal>

  /// A question that waits or is under way.
  private final class Job {
    let request: DirectionsRequest
    /// Its places by their numbers, without those that are where the one before is: routino would go round the
    /// block to come back.
    let places: [Int]
    let deadline: Boottime
    let completion: (Outcome) -> Void
    /// The extracts that are still to be asked.
    var left: ArraySlice<RoadNetwork>
    /// The quickest way, while the shortest is looked for.
    var ways: [Way] = []
    /// What the first said that found none.
    var refusal: Refusal?
    var child: ChildProcess?

    init(
      _ request: DirectionsRequest, until deadline: Boottime, _ roads: [RoadNetwork],
      _ completion: @escaping (Outcome) -> Void
    ) {
      self.request = request
      self.deadline = deadline
      self.completion = completion
      left = roads[...]
      let all = request.places
      places = all.indices.filter { $0 == 0 || all[$0].metres(to: all[$0 - 1]) > 3 }
    }

    /// What routino is asked; nil where there is no way to go.
    var question: DirectionsRequest? {
      let distinct = places.map { request.places[$0] }
      guard let first = distinct.first, let last = distinct.dropFirst().last else { return nil }
      var question = DirectionsRequest(from: first, to: last)
      question.via = Array(distinct.dropFirst().dropLast())
      question.transport = request.transport
      return question
    }
  }

  private let atlas: Atlas
  private let loop: EventLoop
  private let log: Log
  private var waiting = TurnQueue<Job>()
  private var running: [Job] = []
  /// Children that found a way or none, and those that failed.
  private var counts = (answered: Int64(0), failed: Int64(0))
  private var trouble: String?

  private static let program = "routino-router"
  private static let mostAtOnce = 4
  /// A way of some 100,000 places.
  private static let longestAnswer = 8 << 20

  init(_ atlas: Atlas, on loop: EventLoop, _ log: Log) {
    (self.atlas, self.loop, self.log) = (atlas, loop, log)
  }

  /// Whether an extract on this disk has roads.
  var hasRoads: Bool {
    atlas.refresh()
    return !atlas.roads.isEmpty
  }

  /// Calls the completion by the deadline, perhaps at once.
  func find(
    _ request: DirectionsRequest, for user: UInt32, until deadline: Boottime,
    _ completion: @escaping (Outcome) -> Void
  ) {
    let roads = atlas.roads(holding: request.places)
    guard !roads.isEmpty else { return completion(.failure(missing(request))) }
    waiting.add(Job(request, until: deadline, roads, completion), of: user)
    turn()
  }

  private func missing(_ request: DirectionsRequest) -> Refusal {
    if let place = atlas.placeWithoutRoads(request.places),
      let refusal = refusal(.noRoad(place: place), request)
    {
      return refusal
    }
    return Refusal(
      .directionsNotFound, "No extract on this disk has the roads of all these places.")
  }

  private func turn() {
    while running.count < Self.mostAtOnce, let job = waiting.next() {
      running.append(job)
      advance(job)
    }
  }

  private func advance(_ job: Job) {
    guard job.deadline > Clock.boottime else {
      return end(job, job.ways.isEmpty ? .failure(Self.late) : .success(job.ways))
    }
    guard let roads = job.left.first else {
      let nothing = Refusal(.failed, "The roads on this disk cannot be read: \(trouble ?? "").")
      return end(job, .failure(job.refusal ?? nothing))
    }
    guard let question = job.question else { return stay(job) }
    guard let program = Process.program(Self.program) else {
      let sentence = "Ways need routino, which is not installed here: apt install routino."
      return end(job, .failure(Refusal(.directionsNotFound, sentence)))
    }
    do throws(SystemError) {
      job.child = try ChildProcess(
        program,
        Routino.arguments(question, folder: roads.folder, shortest: !job.ways.isEmpty),
        until: job.deadline, most: Self.longestAnswer, on: loop
      ) { [unowned self, unowned job] in conclude(job, $0) }
    } catch {
      fail("\(error)")
      end(job, .failure(Refusal(.failed, "\(error).")))
    }
  }

  private func conclude(_ job: Job, _ outcome: ChildProcess.Outcome) {
    var answer = Self.answer(outcome, job.request)
    if case .noRoad(let place?, let distance) = answer, job.places.indices.contains(place) {
      answer = .noRoad(place: job.places[place], distance: distance)
    }
    if case .failed(let reason) = answer { fail(reason) } else { counts.answered += 1 }
    guard job.ways.isEmpty else {
      // Without a shorter one the quickest is answer enough.
      guard case .ways(let others) = answer else { return end(job, .success(job.ways)) }
      let new = others.filter { other in !job.ways.contains { $0.polyline == other.polyline } }
      return end(job, .success(job.ways + new))
    }
    if outcome.end == .late { return end(job, .failure(Self.late)) }
    switch answer {
    case .ways(let ways):
      job.ways = ways
      guard job.request.alternates else { return end(job, .success(ways)) }
    case .noRoad, .noWay, .failed:
      job.refusal = job.refusal ?? refusal(answer, job.request)
      job.left.removeFirst()
    }
    advance(job)
  }

  /// All places are one.
  private func stay(_ job: Job) {
    let place = job.request.from
    let way = Way(
      polyline: [place, place], moves: [Move(.arrive(nil), start: 0)], duration: 0,
      engine: "routino")
    guard let distance = atlas.distanceToStreet(place), distance <= EngineAnswer.farthestRoad else {
      let nowhere = refusal(.noRoad(place: 0), job.request)
      return end(job, .failure(nowhere ?? Self.late))
    }
    end(job, .success([way]))
  }

  private static func answer(
    _ outcome: ChildProcess.Outcome, _ request: DirectionsRequest
  ) -> EngineAnswer {
    switch outcome.end {
    case .exited(let status):
      Routino.answer(outcome.output, errors: outcome.errors, status: status, request.transport)
        .checked(request)
    case .killed(let signal): .failed(reason: "routino is ended by signal \(signal)")
    case .tooMuch: .failed(reason: "routino says too much")
    case .late: .failed(reason: "routino is too slow")
    }
  }

  /// routino itself looks for roads within a kilometre.
  private func refusal(_ answer: EngineAnswer, _ request: DirectionsRequest) -> Refusal? {
    guard case .noRoad(let place?, nil) = answer, request.places.indices.contains(place) else {
      return answer.refusal(request)
    }
    let distance = atlas.distanceToStreet(request.places[place])
    return EngineAnswer.noRoad(place: place, distance: distance).refusal(request)
  }

  private func end(_ job: Job, _ outcome: Outcome) {
    running.removeAll { $0 === job }
    // The child holds what calls this.
    let child = job.child
    job.child = nil
    job.completion(outcome)
    turn()
    withExtendedLifetime(child) {}
  }

  private static let late = Refusal(
    .failed, "No way was found in time: the roads on this disk are many, or the machine is busy.")

  private func fail(_ reason: String) {
    counts.failed += 1
    if reason != trouble { log.notice("ways of the roads on this disk: \(reason)") }
    trouble = reason
  }

  var status: JSON {
    [
      "name": "routino", "installed": .bool(Process.program(Self.program) != nil),
      "roads": .array(atlas.roads.map { .string($0.name) }),
      "answered": .integer(counts.answered), "failed": .integer(counts.failed),
      "trouble": trouble.map(JSON.string),
    ]
  }
}
