import Console
import Geodesy
import LocationModel

/// The name of the place that is shown, from this disk only. It is asked for again when the machine has
/// moved 100 m.
struct PlaceNames {
  private let service: PlacesService
  private let locale: String?
  private var named: (place: Coordinate, text: String)?

  init(_ service: PlacesService, locale: String?) {
    (self.service, self.locale) = (service, locale)
  }

  mutating func name(of place: Coordinate) -> String? {
    if let named, named.place.isNear(place) { return named.text }
    var request = ReverseRequest(place)
    request.locale = locale
    request.offline = true
    let answer = try? service.ask(.reverseGeocode(request))
    guard let first = answer?["placemarks"]?.array?.first.flatMap(Placemark.init) else {
      return nil
    }
    named = (place, PlaceReport.line(first))
    return named?.text
  }
}

extension Coordinate {
  fileprivate func isNear(_ other: Coordinate) -> Bool { distance(to: other) < 100 }
}

/// Lines for a pipe, each location with the name of its place.
struct PlacedLines: LineScreen {
  var names: PlaceNames

  mutating func show(_ event: Event) throws(Failure) {
    try PlainLines().show(event)
    if case .didUpdateLocations(let location, _) = event,
      let name = names.name(of: location.coordinate)
    {
      try Output.report(["    " + name])
    }
  }
}
