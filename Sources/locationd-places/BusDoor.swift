import Console
import DBus
import LocationModel
import PlaceCore
import Platform

/// `org.locationd.Places` on the bus: the same questions, as dictionaries.
final class BusDoor {
  static let name = "org.locationd.Places"
  static let path = "/org/locationd/Places"

  /// Somebody on the bus, and the calls that came before it was known who it is.
  private final class Caller {
    var client: PlaceService.Client?
    var question: BusProcess?
    var end: BusPeer?
    var waiting: [(Result<PlaceService.Client, BusError>) -> Void] = []
  }

  /// Calls of one that is being identified.
  private static let mostWaiting = 32

  private let bus: BusConnection
  private let service: PlaceService
  private var ownName: BusName?
  private var callers: [String: Caller] = [:]

  init(on bus: BusConnection, _ service: PlaceService, _ log: Log) throws(BusError) {
    self.bus = bus
    self.service = service
    try bus.export(BusObject(Self.path, target: self, [Self.interface]))
    ownName = try bus.own(Self.name) { state in
      switch state {
      case .owned: log.info("serving \(Self.name)")
      case .waiting: log.warning("another program has the name \(Self.name); waiting for it")
      case .lost: break
      case .refused(let why):
        log.error("the bus does not let us have the name \(Self.name): \(why)")
      }
    }
  }

  /// Whoever calls from now on starts the service anew.
  func leave() { ownName = nil }

  private static let interface = BusInterface(
    "org.locationd.Places1",
    methods: [
      method("Geocode", "geocode", "placemarks"),
      method("ReverseGeocode", "reverseGeocode", "placemarks"),
      method("Complete", "complete", "completions"),
      method("Search", "search", "places"),
      method("Directions", "directions", "routes"),
      BusMethod("Status", out: [.init("status", "a{sv}")]) {
        (door: BusDoor, call) throws(BusError) in
        door.ask(.status, call) { [$0.json.busValue ?? .dictionary([:])] }
        return nil
      },
    ],
    properties: [
      BusProperty("Version", "s", .constant) { (_: BusDoor) in .string(version) }
    ])

  /// `results`: the member of the socket's answer.
  private static func method(_ name: String, _ method: String, _ results: String) -> BusMethod {
    BusMethod(name, in: [.init("question", "a{sv}")], out: [.init(results, "aa{sv}")]) {
      (door: BusDoor, call) throws(BusError) in
      let request: PlaceRequest
      do throws(Refusal) {
        request = try PlaceRequest(method: method, parameters: Parameters(JSON(call.arguments[0])))
      } catch {
        throw BusError(error, saying: error.message)
      }
      door.ask(request, call) {
        [.array(of: "a{sv}", $0.json.list(results, \.busValue) ?? [])]
      }
      return nil
    }
  }

  private func ask(
    _ request: PlaceRequest, _ call: BusInvocation, _ values: @escaping (PlaceReply) -> [BusValue]
  ) {
    identify(call.sender) { [unowned self] in
      switch $0 {
      case .failure(let error): call.refuse(error)
      case .success(let client):
        service.ask(request, for: client) {
          switch $0 {
          case .success(let reply): call.answer(values(reply))
          case .failure(let refusal): call.refuse(BusError(refusal, saying: refusal.message))
          }
        }
      }
    }
  }

  private func identify(
    _ sender: String, _ completion: @escaping (Result<PlaceService.Client, BusError>) -> Void
  ) {
    if let known = callers[sender] {
      if let client = known.client { return completion(.success(client)) }
      guard known.waiting.count < Self.mostWaiting else {
        return completion(
          .failure(.limitsExceeded("too many calls before it is known who you are")))
      }
      return known.waiting.append(completion)
    }
    let caller = Caller()
    do throws(BusError) {
      caller.end = try bus.awaitEnd(of: sender) { [unowned self] in
        guard let caller = callers.removeValue(forKey: sender) else { return }
        if let client = caller.client { service.forget(client) }
        for completion in caller.waiting {
          completion(.failure(.disconnected("\(sender) has gone")))
        }
      }
      caller.question = try bus.process(of: sender) { [unowned self] credentials, process in
        learn(sender, credentials, process)
      }
    } catch {
      return completion(.failure(error))
    }
    caller.waiting = [completion]
    callers[sender] = caller
  }

  private func learn(
    _ sender: String, _ credentials: Result<BusCredentials, BusError>,
    _ process: consuming ProcessHandle?
  ) {
    guard let caller = callers[sender] else { return }
    caller.question = nil
    let waiting = caller.waiting
    caller.waiting = []
    switch credentials {
    case .success(let credentials):
      let client = PlaceService.Client(Asker(uid: credentials.uid, process))
      caller.client = client
      for completion in waiting { completion(.success(client)) }
    case .failure(let error):
      callers[sender] = nil
      for completion in waiting { completion(.failure(error)) }
    }
  }
}
