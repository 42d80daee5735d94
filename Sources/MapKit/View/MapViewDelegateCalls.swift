// On Apple's platforms the methods of a delegate are optional, and code that stands between a map and its delegate calls
// them with a question mark: `delegate?.mapView?(mapView, viewFor: annotation)`. These properties let it compile here
// as well. Every method is there: one that the delegate leaves out does what the library does without it.
extension MKMapViewDelegate {
  public var mapView: MKMapViewDelegateCalls? { MKMapViewDelegateCalls(delegate: self) }

  public var mapViewDidFinishRenderingMap: MKMapViewDelegateCalls? {
    MKMapViewDelegateCalls(delegate: self)
  }

  public var mapViewDidChangeVisibleRegion: (@MainActor (MKMapView) -> Void)? {
    { self.mapViewDidChangeVisibleRegion($0) }
  }

  public var mapViewWillStartLoadingMap: (@MainActor (MKMapView) -> Void)? {
    { self.mapViewWillStartLoadingMap($0) }
  }

  public var mapViewDidFinishLoadingMap: (@MainActor (MKMapView) -> Void)? {
    { self.mapViewDidFinishLoadingMap($0) }
  }

  public var mapViewWillStartRenderingMap: (@MainActor (MKMapView) -> Void)? {
    { self.mapViewWillStartRenderingMap($0) }
  }

  public var mapViewWillStartLocatingUser: (@MainActor (MKMapView) -> Void)? {
    { self.mapViewWillStartLocatingUser($0) }
  }

  public var mapViewDidStopLocatingUser: (@MainActor (MKMapView) -> Void)? {
    { self.mapViewDidStopLocatingUser($0) }
  }
}

/// The methods of a delegate that have more than a map, for calls with a question mark.
@preconcurrency @MainActor public struct MKMapViewDelegateCalls {
  let delegate: any MKMapViewDelegate

  public func callAsFunction(_ mapView: MKMapView, fullyRendered: Bool) {
    delegate.mapViewDidFinishRenderingMap(mapView, fullyRendered: fullyRendered)
  }

  public func callAsFunction(_ mapView: MKMapView, regionWillChangeAnimated animated: Bool) {
    delegate.mapView(mapView, regionWillChangeAnimated: animated)
  }

  public func callAsFunction(_ mapView: MKMapView, regionDidChangeAnimated animated: Bool) {
    delegate.mapView(mapView, regionDidChangeAnimated: animated)
  }

  public func callAsFunction(_ mapView: MKMapView, viewFor annotation: any MKAnnotation)
    -> MKAnnotationView?
  {
    delegate.mapView(mapView, viewFor: annotation)
  }

  public func callAsFunction(_ mapView: MKMapView, didAdd views: [MKAnnotationView]) {
    delegate.mapView(mapView, didAdd: views)
  }

  public func callAsFunction(_ mapView: MKMapView, didSelect view: MKAnnotationView) {
    delegate.mapView(mapView, didSelect: view)
  }

  public func callAsFunction(_ mapView: MKMapView, didDeselect view: MKAnnotationView) {
    delegate.mapView(mapView, didDeselect: view)
  }

  public func callAsFunction(_ mapView: MKMapView, didSelect annotation: any MKAnnotation) {
    delegate.mapView(mapView, didSelect: annotation)
  }

  public func callAsFunction(_ mapView: MKMapView, didDeselect annotation: any MKAnnotation) {
    delegate.mapView(mapView, didDeselect: annotation)
  }

  public func callAsFunction(
    _ mapView: MKMapView, annotationView view: MKAnnotationView,
    calloutAccessoryControlTapped control: UIControl
  ) {
    delegate.mapView(mapView, annotationView: view, calloutAccessoryControlTapped: control)
  }

  public func callAsFunction(
    _ mapView: MKMapView, annotationView view: MKAnnotationView,
    didChange newState: MKAnnotationView.DragState,
    fromOldState oldState: MKAnnotationView.DragState
  ) {
    delegate.mapView(mapView, annotationView: view, didChange: newState, fromOldState: oldState)
  }

  public func callAsFunction(
    _ mapView: MKMapView,
    clusterAnnotationForMemberAnnotations memberAnnotations: [any MKAnnotation]
  ) -> MKClusterAnnotation {
    delegate.mapView(mapView, clusterAnnotationForMemberAnnotations: memberAnnotations)
  }

  public func callAsFunction(_ mapView: MKMapView, didUpdate userLocation: MKUserLocation) {
    delegate.mapView(mapView, didUpdate: userLocation)
  }

  public func callAsFunction(_ mapView: MKMapView, didFailToLocateUserWithError error: any Error) {
    delegate.mapView(mapView, didFailToLocateUserWithError: error)
  }

  public func callAsFunction(
    _ mapView: MKMapView, didChange mode: MKUserTrackingMode, animated: Bool
  ) {
    delegate.mapView(mapView, didChange: mode, animated: animated)
  }

  public func callAsFunction(_ mapView: MKMapView, rendererFor overlay: any MKOverlay)
    -> MKOverlayRenderer
  {
    delegate.mapView(mapView, rendererFor: overlay)
  }

  public func callAsFunction(_ mapView: MKMapView, didAdd renderers: [MKOverlayRenderer]) {
    delegate.mapView(mapView, didAdd: renderers)
  }
}
