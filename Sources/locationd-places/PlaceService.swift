import Console
import LocationModel
import PlaceCore
import PlaceStore
import Platform

/// Answers questions about places: by the server, where there is one and it answers in time, else from
/// the disk. Nothing that is asked is logged.
final class PlaceService {
  typealias Answer = Result<PlaceReply, Refusal>
  typealias Finding = Result<PlaceFinding, Refusal>

  /// A connection, or a program on the bus.
  final class Client {
    let asker: Asker
    init(_ asker: Asker) { self.asker = asker }
  }

  private struct Job {
    var request: PlaceRequest
    var client: Client
    var begun: () -> Void
    var completion: (Finding) -> Void
  }

  private let atlas: Atlas
  private let limit = WorkLimit()
  private let geocoder: ServerLink<GeocodingServer>
  private let roads: RoadRouter
  private let router: RouterLink
  private let locator: LocatorLink
  private var queue = TurnQueue<Job>()
  private var later: EventLoop.Later?
  private var counts: [String: Int64] = [:]
  private var refused: Int64 = 0
  /// Addresses of HTTP.
  var web: [String] = []
  /// Told after each answer.
  var answered: () -> Void = {}
  private(set) var pending = 0

  /// Processor's time of one question to the disk. The longest that was found took 0.17 s, with the world and
  /// Monaco.
  private static let longest: Duration = .seconds(3)

  init(_ configuration: Configuration, on loop: EventLoop, _ log: Log) throws(SystemError) {
    atlas = Atlas(folders: configuration.data, limit: limit)
    geocoder = try ServerLink(
      [configuration.geocoder].compactMap(\.self), configuration,
      cache: configuration.cache.map { $0 + "/answers.json" }, on: loop, log)
    roads = try RoadRouter(atlas, on: loop)
    router = try RouterLink(configuration, roads, on: loop, log)
    locator = try LocatorLink(configuration, on: loop, log)
    later = try EventLoop.Later(on: loop) { [unowned self] in turn() }
  }

  /// What servers said is there when the service comes back.
  func keep() { geocoder.keep() }

  /// `begun`: it has had its turn, and the next of the same client may come.
  func ask(
    _ request: PlaceRequest, for client: Client, begun: @escaping () -> Void = {},
    _ completion: @escaping (Answer) -> Void
  ) {
    find(request, for: client, begun: begun) { completion($0.map(\.reply)) }
  }

  /// The same, before it is put into the words of the other doors.
  func find(
    _ request: PlaceRequest, for client: Client, begun: @escaping () -> Void = {},
    _ completion: @escaping (Finding) -> Void
  ) {
    pending += 1
    queue.add(
      Job(request: request, client: client, begun: begun, completion: completion),
      of: client.asker.user)
    later?.set()
  }

  /// Drops what waits of a client that has gone.
  func forget(_ client: Client) {
    pending -= queue.drop(of: client.asker.user) { $0.client === client }
    if queue.isEmpty { later?.cancel() }
    geocoder.cancel(of: client)
    router.cancel(of: client)
    locator.cancel(of: client)
  }

  /// One question at a time; the loop turns between two.
  private func turn() {
    guard let job = queue.next() else { return }
    if !queue.isEmpty { later?.set() }
    counts[job.request.method, default: 0] += 1
    answer(job.request, job.client) { [unowned self] in
      if case .failure = $0 { refused += 1 }
      if let answer = $0 { job.completion(answer) }
      pending -= 1
      answered()
    }
    job.begun()
  }

  /// The answer is nil for a client that has gone.
  private func answer(
    _ request: PlaceRequest, _ client: Client, _ completion: @escaping (Finding?) -> Void
  ) {
    if case .directions(let request) = request {
      return router.ask(request, for: client) { completion($0?.map { .ways($0, request) }) }
    }
    if case .geolocate(let request) = request {
      return locator.ask(request, for: client) { completion($0?.map { .reply(.radioPlace($0)) }) }
    }
    var request = request
    if case .search(let search) = request, let place = Photon.search(for: search) {
      request = .search(place)
    }
    geocoder.ask(request, for: client) { [unowned self] in
      switch $0 {
      case .answer(let places) where !places.isEmpty:
        completion(.success(.reply(reply(places, to: request))))
      case .cancelled: completion(nil)
      // A search field goes on with what the disk has.
      case .overBudget where request.method != "complete": completion(.failure(.overBudget))
      case .answer, .nothing, .unasked, .overBudget, .overcrowded:
        completion(fromDisk(request).map(PlaceFinding.reply))
      }
    }
  }

  private func fromDisk(_ request: PlaceRequest) -> Answer {
    // What is imported or removed meanwhile counts at once.
    atlas.refresh()
    limit.begin(Self.longest)
    defer { limit.finish() }
    do throws(Refusal) {
      switch request {
      case .status: return .success(.status(status))
      // Servers have been asked for these.
      case .directions: throw RouterLink.noRoads
      case .geolocate: throw LocatorLink.isOff
      case .geocode(let request):
        return .success(.placemarks(try atlas.geocode(request)))
      case .reverseGeocode(let request):
        return .success(.placemarks(try atlas.reverse(request)))
      case .search(let request):
        return .success(.places(try atlas.search(request)))
      case .tile(let request): return .success(.ground(Base64.text(of: atlas.features(request))))
      case .streets(let request): return .success(.streets(try atlas.streets(request)))
      case .complete(let request): return .success(.completions(try atlas.complete(request)))
      }
    } catch {
      return .failure(error)
    }
  }

  /// A server's places, with what only the disk knows of them.
  private func reply(_ places: [Placemark], to request: PlaceRequest) -> PlaceReply {
    if case .complete(let request) = request {
      return .completions(places.compactMap { Photon.completion($0, typed: request.text) })
    }
    let whole = places.map { place in
      var question = ReverseRequest(place.coordinate)
      question.locale = request.locale
      return place.completed(by: try? atlas.reverse(question).first)
    }
    if case .search = request { return .places(whole) }
    return .placemarks(whole)
  }

  var dataSets: [DataSet] { atlas.dataSets }

  private var status: PlacesStatus {
    let counted = counts.sorted { $0.key < $1.key }.map {
      JSON.Member(key: $0.key, value: .integer($0.value))
    }
    return PlacesStatus(json: [
      "version": .string(version), "dataSets": .array(atlas.dataSets.map(\.json)),
      "engines": .array([roads.status]),
      "http": web.isEmpty ? nil : .array(web.map(JSON.string)),
      "servers": .array(geocoder.status + router.status + locator.status),
      "counters": .object(counted + [.init(key: "refused", value: .integer(refused))]),
    ])
  }
}
