// A screen that sets what apps set on a map, in the manner of the tutorials for iPhones, in Swift 5: pictures, clusters,
// a camera, a configuration, tiles of another server, lines in a style.

import MapKit

package final class PhotoView: MKAnnotationView {
  override package init(annotation: MKAnnotation?, reuseIdentifier: String?) {
    super.init(annotation: annotation, reuseIdentifier: reuseIdentifier)
    clusteringIdentifier = "photos"
    collisionMode = .circle
    displayPriority = .defaultHigh
    canShowCallout = true
    isDraggable = true
    zPriority = .max
  }

  required init?(coder: NSCoder) {
    fatalError("init(coder:) has not been implemented")
  }

  func configure(with picture: Data) {
    image = UIImage(data: picture)
    centerOffset = CGPoint(x: 0, y: -(image?.size.height ?? 0) / 2)
    let detail = UILabel()
    detail.text = "taken by hand"
    detail.numberOfLines = 0
    detailCalloutAccessoryView = detail
    leftCalloutAccessoryView = UIImageView(image: UIImage(systemName: "camera.fill"))
    rightCalloutAccessoryView = UIButton(type: .detailDisclosure)
  }
}

package final class PhotosView: MKMarkerAnnotationView {
  override package var annotation: MKAnnotation? {
    willSet {
      guard let cluster = newValue as? MKClusterAnnotation else { return }
      glyphText = "\(cluster.memberAnnotations.count)"
      markerTintColor = .systemGreen
      titleVisibility = .hidden
    }
  }
}

package final class OwnTiles: MKTileOverlay {
  package var picture = Data()

  override package func loadTile(
    at path: MKTileOverlayPath, result: @escaping (Data?, Error?) -> Void
  ) {
    guard !picture.isEmpty else { return super.loadTile(at: path, result: result) }
    result(picture, nil)
  }
}

package final class StudioScreen: NSObject, MKMapViewDelegate {
  package let mapView = MKMapView()
  package let picture: Data
  package private(set) var selected: [String] = []
  package private(set) var isRendered = false
  package private(set) var drags: [MKAnnotationView.DragState] = []

  package init(picture: Data) {
    self.picture = picture
    super.init()
    mapView.delegate = self
    mapView.register(
      PhotoView.self,
      forAnnotationViewWithReuseIdentifier: MKMapViewDefaultAnnotationViewReuseIdentifier)
    mapView.register(
      PhotosView.self,
      forAnnotationViewWithReuseIdentifier: MKMapViewDefaultClusterAnnotationViewReuseIdentifier)
    let configuration = MKStandardMapConfiguration(elevationStyle: .flat, emphasisStyle: .muted)
    configuration.pointOfInterestFilter = MKPointOfInterestFilter(excluding: [.cafe, .store])
    mapView.preferredConfiguration = configuration
    mapView.showsScale = true
    mapView.showsCompass = true
    mapView.isPitchEnabled = false
  }

  package func look(at place: CLLocationCoordinate2D) {
    mapView.setCameraZoomRange(
      MKMapView.CameraZoomRange(
        minCenterCoordinateDistance: 500, maxCenterCoordinateDistance: 200_000),
      animated: false)
    mapView.setCameraBoundary(
      MKMapView.CameraBoundary(
        coordinateRegion: MKCoordinateRegion(
          center: place, latitudinalMeters: 50_000, longitudinalMeters: 50_000)), animated: false)
    mapView.setCamera(
      MKMapCamera(lookingAtCenter: place, fromDistance: 8_000, pitch: 0, heading: 0),
      animated: false)
  }

  package func draw(_ line: MKPolyline, over tiles: MKTileOverlay) {
    mapView.addOverlay(line)
    mapView.insertOverlay(tiles, below: line)
  }

  package func mapView(_ mapView: MKMapView, viewFor annotation: MKAnnotation) -> MKAnnotationView?
  {
    if annotation is MKUserLocation || annotation is MKClusterAnnotation { return nil }
    let view =
      mapView.dequeueReusableAnnotationView(
        withIdentifier: MKMapViewDefaultAnnotationViewReuseIdentifier, for: annotation)
      as! PhotoView
    view.configure(with: picture)
    return view
  }

  package func mapView(_ mapView: MKMapView, rendererFor overlay: MKOverlay) -> MKOverlayRenderer {
    if let tiles = overlay as? MKTileOverlay { return MKTileOverlayRenderer(tileOverlay: tiles) }
    let renderer = MKPolylineRenderer(overlay: overlay)
    renderer.strokeColor = .systemIndigo
    renderer.lineWidth = 9
    renderer.lineCap = .square
    renderer.lineJoin = .bevel
    renderer.lineDashPattern = [20, 12]
    renderer.strokeEnd = 0.5
    renderer.blendMode = .multiply
    return renderer
  }

  package func mapView(
    _ mapView: MKMapView, clusterAnnotationForMemberAnnotations memberAnnotations: [MKAnnotation]
  ) -> MKClusterAnnotation {
    let cluster = MKClusterAnnotation(memberAnnotations: memberAnnotations)
    cluster.title = "\(memberAnnotations.count) photos"
    return cluster
  }

  package func mapViewDidFinishRenderingMap(_ mapView: MKMapView, fullyRendered: Bool) {
    isRendered = fullyRendered && mapView.annotationVisibleRect.isEmpty == false
  }

  package func mapView(_ mapView: MKMapView, didSelect view: MKAnnotationView) {
    selected.append((view.annotation?.title ?? nil) ?? "")
  }

  package func mapView(
    _ mapView: MKMapView, annotationView view: MKAnnotationView,
    didChange newState: MKAnnotationView.DragState,
    fromOldState oldState: MKAnnotationView.DragState
  ) {
    drags.append(newState)
  }
}
