import Console
import LocationClient
import LocationModel
import PlaceCore

/// The service that knows places, with its errors as ours.
struct PlacesService {
  private let link: PlacesLink
  private let path: String

  init(at path: String) throws(Failure) {
    self.path = path
    do throws(ConnectionError) { link = try PlacesLink(path: path) } catch {
      throw Failure(.noDaemon, PlacesLink.message(error, path))
    }
  }

  func answer(
    _ request: PlaceRequest, seconds: Double = 15
  ) throws(Failure) -> Result<JSON, Refusal> {
    do throws(ConnectionError) { return try link.ask(request, seconds: seconds) } catch {
      throw Failure(error == .timedOut ? .failed : .noDaemon, PlacesLink.message(error, path))
    }
  }

  func ask(_ request: PlaceRequest) throws(Failure) -> JSON {
    switch try answer(request) {
    case .success(let json): return json
    case .failure(let refusal): throw Failure(refusal)
    }
  }
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
    let answer = try daemon.ask(
      .requestLocation(OneShotRequest(desiredAccuracy: 100, timeout: 10)), seconds: 15)
    guard let location = answer["location"].flatMap(Location.init) else {
      throw Failure(.failed, "the daemon's answer is not one this locationctl knows")
    }
    return location.coordinate
  }
}
