// A search screen in the manner of the tutorials for iPhones, in Swift 5: a completer fills a list, and a
// row of it is searched for. Nothing is drawn.

import CoreLocation
import Foundation
import MapKit

package final class SearchScreen: NSObject {
  package var searchCompleter = MKLocalSearchCompleter()
  package var searchResults = [MKLocalSearchCompletion]()
  package var failures = [Error]()
  let geocoder = CLGeocoder()
  var currentLocation: CLLocation?
  var lastGeocodeTime: Date?
  package var currentCity: String?

  package override init() {
    super.init()
    searchCompleter.delegate = self
    _ = NotificationCenter.default.addObserver(
      forName: NSNotification.Name("found"), object: nil, queue: .main
    ) { [weak self] note in
      let coordinate = note.object as! CLLocationCoordinate2D
      self?.present(at: coordinate)
    }
  }

  package func textDidChange(_ text: String) { searchCompleter.queryFragment = text }

  func select(_ row: Int) {
    let request = MKLocalSearch.Request(completion: searchResults[row])
    let search = MKLocalSearch(request: request)
    search.start { (response, error) in
      guard error == nil else {
        self.failures.append(error!)
        return
      }
      guard let placeMark = response?.mapItems[0].placemark else { return }
      NotificationCenter.default.post(
        name: NSNotification.Name("found"), object: placeMark.coordinate)
    }
  }

  func present(at coordinate: CLLocationCoordinate2D) {
    let region = MKCoordinateRegion.init(
      center: coordinate, latitudinalMeters: 1000, longitudinalMeters: 1000)
    searchCompleter.region = region
    let pin = MKPointAnnotation()
    pin.coordinate = coordinate
    didUpdate(CLLocation(latitude: coordinate.latitude, longitude: coordinate.longitude))
  }

  func didUpdate(_ newLocation: CLLocation) {
    let now = Date()
    let last = currentLocation
    currentLocation = newLocation
    if let last = last, newLocation.distance(from: last) <= 1000, let time = lastGeocodeTime,
      now.timeIntervalSince(time) < 60
    {
      return
    }
    lastGeocodeTime = now
    geocoder.reverseGeocodeLocation(newLocation) { (placemarks, error) in
      guard error == nil else { return }
      if let first = placemarks?.first { self.currentCity = first.locality }
    }
  }
}

extension SearchScreen: MKLocalSearchCompleterDelegate {
  package func completerDidUpdateResults(_ completer: MKLocalSearchCompleter) {
    searchResults = completer.results
  }

  package func completer(_ completer: MKLocalSearchCompleter, didFailWithError error: Error) {
    failures.append(error)
  }
}
