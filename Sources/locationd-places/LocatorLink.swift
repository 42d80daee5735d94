import Console
import LocationModel
import PlaceCore
import Platform

/// Where the networks and cells around are: the daemon's question, put to the server that the administrator named.
final class LocatorLink {
  /// Nil: the client has gone.
  typealias Outcome = Result<RadioPlace, Refusal>?

  /// A method that is there only where a server is named.
  static let isOff = Refusal(
    .unknownMethod,
    "No server is asked where networks are: see Locator= in locationd-places.conf(5).")
  private static let isOthers = Refusal(
    .denied, "Only root and the user of locationd may ask where networks are.")
  private static let tooFew = Refusal(
    .invalidParameters, "A place wants two networks of fixed boxes, or a cell.")
  private static let late = Refusal(.network, "The server does not answer in time.")

  private let servers: ServerLink<LocatingServer>
  private let isOn: Bool

  init(
    _ configuration: Configuration, on loop: EventLoop, _ log: Log
  ) throws(SystemError) {
    isOn = configuration.locator != nil
    servers = try ServerLink(
      [configuration.locator].compactMap(\.self), configuration, on: loop, log)
  }

  var status: [JSON] { servers.status }

  func cancel(of client: PlaceService.Client) { servers.cancel(of: client) }

  func ask(
    _ request: GeolocateRequest, for client: PlaceService.Client,
    _ completion: @escaping (Outcome) -> Void
  ) {
    guard Self.mayAsk(client.asker.user) else { return completion(.failure(Self.isOthers)) }
    guard isOn else { return completion(.failure(Self.isOff)) }
    servers.ask(request, for: client) {
      switch $0 {
      case .answer(let place): completion(.success(place))
      case .nothing(let refusal): completion(.failure(refusal ?? Self.late))
      case .unasked: completion(.failure(Self.tooFew))
      case .overBudget, .overcrowded: completion(.failure(.overBudget))
      case .cancelled: completion(nil)
      }
    }
  }

  /// The service's own user may be the daemon's, too, where somebody starts both by hand.
  private static func mayAsk(_ user: Asker.User) -> Bool {
    guard case .uid(let uid) = user else { return false }
    return uid == 0 || uid == Process.uid || uid == Accounts().uid(of: "locationd")
  }
}
