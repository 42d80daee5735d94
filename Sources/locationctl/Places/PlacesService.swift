import Console
import LocationClient
import LocationModel

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

  func ask(_ request: PlaceRequest) throws(Failure) -> JSON {
    let result: Result<JSON, Refusal>
    do throws(ConnectionError) { result = try link.ask(request) } catch {
      throw Failure(error == .timedOut ? .failed : .noDaemon, PlacesLink.message(error, path))
    }
    switch result {
    case .success(let json): return json
    case .failure(let refusal): throw Failure(refusal)
    }
  }
}

extension Arguments {
  /// LAT,LON.
  static func coordinate(_ text: String, _ what: String) throws(Failure) -> Coordinate {
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
    if numbers.count == 2, let latitude = numbers[0], let longitude = numbers[1] {
      let place = Coordinate(latitude: latitude, longitude: longitude)
      if place.isValid { return place }
    }
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
