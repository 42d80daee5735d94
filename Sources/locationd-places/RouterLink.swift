import LocationModel
import PlaceCore
import Platform

/// Ways: by the servers in their order, then by the roads on this disk.
final class RouterLink {
  /// Nil: the client has gone.
  typealias Outcome = Result<[Way], Refusal>?

  static let noRoads = Refusal(
    .directionsNotFound,
    "No roads are on this disk, and no server is asked: import an extract, also one that is here"
      + " without its roads ('locationctl places import'), or see Router= in"
      + " locationd-places.conf(5).")
  private static let late = Refusal(.network, "No server of directions answers in time.")

  private let servers: ServerLink<RoutingServer>
  private let disk: RoadRouter
  /// The users whose questions the disk has.
  private var atDisk: [Asker.User] = []

  init(
    _ configuration: Configuration, _ disk: RoadRouter, on loop: EventLoop, _ log: Log
  ) throws(SystemError) {
    servers = try ServerLink(configuration.routers, configuration, on: loop, log)
    self.disk = disk
  }

  var status: [JSON] { servers.status }

  func cancel(of client: PlaceService.Client) {
    servers.cancel(of: client)
    disk.cancel(of: client)
  }

  func ask(
    _ request: DirectionsRequest, for client: PlaceService.Client,
    _ completion: @escaping (Outcome) -> Void
  ) {
    let deadline = Clock.boottime + (RoutingServer.patience ?? .zero)
    let hasRoads = disk.hasRoads
    servers.ask(request, for: client, reserve: hasRoads ? 1 : 0) { [unowned self] in
      switch $0 {
      case .answer(let ways): completion(.success(ways))
      case .overBudget, .overcrowded: completion(.failure(.overBudget))
      case .cancelled: completion(nil)
      case .nothing(let refusal) where !hasRoads: completion(.failure(refusal ?? Self.late))
      case .unasked where !hasRoads: completion(.failure(Self.noRoads))
      case .nothing(let refusal):
        askDisk(request, for: client, until: deadline, refusal, completion)
      case .unasked: askDisk(request, for: client, until: deadline, nil, completion)
      }
    }
  }

  /// `refusal`: the servers'.
  private func askDisk(
    _ request: DirectionsRequest, for client: PlaceService.Client, until deadline: Boottime,
    _ refusal: Refusal?, _ completion: @escaping (Outcome) -> Void
  ) {
    let user = client.asker.user
    let most = RoutingServer.mostWaiting
    guard atDisk.count(where: { $0 == user }) < most.user, atDisk.count < most.all else {
      return completion(.failure(.overBudget))
    }
    atDisk.append(user)
    disk.find(request, for: client, until: deadline) { [unowned self] in
      if let i = atDisk.firstIndex(of: user) { atDisk.remove(at: i) }
      completion($0?.mapError { refusal ?? $0 })
    }
  }
}
