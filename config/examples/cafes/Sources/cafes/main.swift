import MapKit

/// Cafés around an address, on a map in the browser. The way to the one that is selected is drawn.
final class Cafes: NSObject, MKMapViewDelegate {
  let map = MKMapView()
  let home: MKMapItem

  init(around address: String) async throws {
    home = try await MKLocalSearch(request: .init(naturalLanguageQuery: address)).start().mapItems[
      0]
    super.init()
    let near = MKLocalPointsOfInterestRequest(center: home.placemark.coordinate, radius: 1000)
    near.pointOfInterestFilter = MKPointOfInterestFilter(including: [.cafe])
    let cafes = try await MKLocalSearch(request: near).start().mapItems
    map.delegate = self
    map.addAnnotations(
      cafes.map {
        MKPointAnnotation(coordinate: $0.placemark.coordinate, title: $0.name, subtitle: nil)
      })
    map.showAnnotations(map.annotations, animated: false)
  }

  func mapView(_ map: MKMapView, didSelect annotation: any MKAnnotation) {
    let request = MKDirections.Request()
    request.source = home
    request.destination = MKMapItem(placemark: MKPlacemark(coordinate: annotation.coordinate))
    request.transportType = .walking
    Task {
      guard let way = try await MKDirections(request: request).calculate().routes.first else {
        return
      }
      map.removeOverlays(map.overlays)
      map.addOverlay(way.polyline)
      print(
        "\((annotation.title ?? nil) ?? "A café"): \(Int(way.expectedTravelTime / 60)) minutes on foot"
      )
    }
  }

  func mapView(_ map: MKMapView, rendererFor overlay: any MKOverlay) -> MKOverlayRenderer {
    let renderer = MKPolylineRenderer(overlay: overlay)
    renderer.strokeColor = .systemBlue
    renderer.lineWidth = 4
    return renderer
  }
}

let cafes = try await Cafes(
  around: CommandLine.arguments.dropFirst().first ?? "Place du Casino, Monaco")
print("\(cafes.map.annotations.count) cafés: \(try await cafes.map.serve())")
await cafes.map.openInBrowser()
while cafes.map.url != nil { try await Task.sleep(for: .seconds(1)) }
