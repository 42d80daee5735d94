import Console
import LocationClient
import LocationModel
import PlaceCore

/// The service that knows places.
typealias PlacesService = Client<PlaceRequest>

extension Client<PlaceRequest> {
  init(at path: String) throws(Failure) { try self.init(.places, at: path) }
}

extension Arguments {
  /// LAT,LON, and the other ways in which people write it.
  static func coordinate(_ text: String, _ what: String) throws(Failure) -> Coordinate {
    if let place = PlaceText.coordinate(in: text) { return place }
    throw Failure(.usage, "\(what) wants LAT,LON in degrees, or here, not '\(text)'")
  }

  /// The place that is named, or the machine's, which the daemon says to those who may know it.
  static func place(_ text: String, _ what: String, daemon: String) throws(Failure) -> Coordinate {
    guard text == "here" else { return try coordinate(text, what) }
    let daemon = try Daemon(at: daemon)
    try daemon.introduce("locationctl")
    let reply = try daemon.ask(
      .requestLocation(OneShotRequest(desiredAccuracy: 100, timeout: 10)), seconds: 15)
    guard let location = reply.location else { throw Failure(.unreadableReply) }
    return location.coordinate
  }
}
