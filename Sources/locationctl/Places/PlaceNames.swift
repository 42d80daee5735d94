import Console
import Geodesy
import LocationClient
import LocationModel

/// The names of the place that is shown, from this disk only. They are asked for again when the machine has
/// moved 100 m.
struct PlaceNames {
  private let path: String
  private let locale: String?
  /// Nil where it has gone, until it is called again.
  private var service: PlacesService?
  private var named: (place: Coordinate, placemark: Placemark)?
  /// When to call a service that has gone.
  private var retry = 0.0

  /// What is shown waits no longer for a name.
  private static let patience = 1.0
  private static let pause = 10.0
  private static let near = 100.0

  init(at path: String, locale: String?) throws(Failure) {
    (self.path, self.locale) = (path, locale)
    service = try PlacesService(at: path)
  }

  /// Nil where nothing says it now.
  mutating func placemark(at place: Coordinate) -> Placemark? {
    if let named, named.place.distance(to: place) < Self.near { return named.placemark }
    if service == nil {
      guard Double.seconds >= retry else { return nil }
      retry = Double.seconds + Self.pause
      service = try? PlacesService(at: path)
    }
    var request = ReverseRequest(place)
    request.locale = locale
    request.offline = true
    switch service?.answer(to: .reverseGeocode(request), seconds: Self.patience) {
    case .success(let reply):
      guard let first = reply.found.first else { return nil }
      named = (place, first)
      return first
    case .failure(.lost):
      service = nil
      return nil
    case .failure(.refused), nil: return nil
    }
  }
}

/// Lines for a pipe, each location with the name of its place.
struct PlacedLines: LineScreen {
  var names: PlaceNames

  mutating func show(_ event: Event) throws(Failure) {
    try PlainLines().show(event)
    if case .didUpdateLocations(let location, _) = event,
      let placemark = names.placemark(at: location.coordinate)
    {
      try Output.write("    " + PlaceReport.line(placemark).plain(atMost: 76))
    }
  }
}
