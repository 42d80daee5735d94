import Console
import DBus
import LocationModel
import PlaceCore
import Platform

/// `org.locationd.Places` on the bus: the same questions, as dictionaries.
final class BusDoor {
  static let name = "org.locationd.Places"
  static let path = "/org/locationd/Places"

  private let service: PlaceService
  private var ownName: BusName?
  private let callers: BusCallers<PlaceService.Client>

  init(on bus: BusConnection, _ service: PlaceService, _ log: Log) throws(BusError) {
    self.service = service
    callers = BusCallers(on: bus) { (name, completion) throws(BusError) in
      try bus.process(of: name) { credentials, process in
        do throws(BusError) {
          let asker = Asker(uid: try credentials.get().uid, process)
          completion(.success(PlaceService.Client(asker)))
        } catch {
          completion(.failure(error))
        }
      }
    }
    try bus.export(BusObject(Self.path, target: self, [Self.interface]))
    ownName = try bus.own(Self.name) { log.note(Self.name, $0) }
    callers.gone = [service.forget]
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
    callers.identify(call.sender) { [unowned self] in
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
}
