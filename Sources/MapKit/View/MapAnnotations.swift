import CoreLocation
import Foundation
import LocationModel

/// An annotation on a map.
struct Pin {
  let number: Int
  let annotation: any MKAnnotation
  var view: MKAnnotationView?
  /// The delegate is being asked for its view.
  var isBeingMade = false
}

extension MKMapView {
  var all: [any MKAnnotation] {
    let own = pins.values.sorted { $0.number < $1.number }.map(\.annotation)
    return isUserLocationKnown ? own + [userLocation] : own
  }

  func add(_ annotation: any MKAnnotation) {
    let id = ObjectIdentifier(annotation)
    guard pins[id] == nil, !(annotation is MKUserLocation) else { return }
    lastPin += 1
    pins[id] = Pin(number: lastPin, annotation: annotation)
    newPins.append(id)
    (annotation as? MKShape)?.watch(by: self) { [weak self] in
      DispatchQueue.main.async { MainActor.assumeIsolated { self?.annotationChanged(id) } }
    }
    takeTurn()
  }

  func remove(_ annotation: any MKAnnotation) {
    let id = ObjectIdentifier(annotation)
    guard let pin = pins.removeValue(forKey: id) else { return }
    selection.removeAll { $0 == id }
    (annotation as? MKShape)?.watch(by: self, nil)
    news.pins.remove(pin.number)
    if let view = pin.view {
      view.map = nil
      view.setSelected(false, animated: false)
      keep(view)
    }
    takeTurn()
  }

  func knownView(of annotation: any MKAnnotation) -> MKAnnotationView? {
    shown(ObjectIdentifier(annotation))?.view
  }

  /// An annotation of the app's, or a cluster of such.
  private func shown(_ id: ObjectIdentifier) -> Pin? {
    pins[id] ?? clusters.values.first { ObjectIdentifier($0.annotation) == id }
  }

  public func annotations(in mapRect: MKMapRect) -> Set<AnyHashable> {
    Set(
      pins.values.compactMap { pin in
        let point = MKMapPoint(pin.annotation.coordinate)
        let isInside = mapRect.contains(point) || mapRect.remainder.contains(point)
        return isInside ? (pin.annotation as? NSObject).map { AnyHashable($0) } : nil
      })
  }

  /// Where annotations are seen, in points: the whole map.
  public var annotationVisibleRect: CGRect {
    CGRect(origin: CGPoint(), size: pageSize ?? frame.size)
  }

  func show(_ annotations: [any MKAnnotation], _ animated: Bool) {
    addAnnotations(annotations)
    let places = annotations.map(\.coordinate).filter(CLLocationCoordinate2DIsValid)
    guard !places.isEmpty else { return }
    let region = MKCoordinateRegion(
      around: places.map { Coordinate(latitude: $0.latitude, longitude: $0.longitude) })
    let room: CGFloat = 40
    setVisibleMapRect(
      region.rect,
      edgePadding: UIEdgeInsets(top: room, left: room, bottom: room, right: room),
      animated: animated)
  }
}

// MARK: - Views

extension MKMapView {
  func takeView(_ identifier: String) -> MKAnnotationView? {
    if let view = unused[identifier]?.popLast() {
      view.prepareForReuse()
      return view
    }
    return registered[identifier]?.make(registered: identifier)
  }

  func takeView(_ identifier: String, for annotation: any MKAnnotation) -> MKAnnotationView {
    let view =
      dequeueReusableAnnotationView(withIdentifier: identifier)
      ?? MKMarkerAnnotationView(annotation: annotation, reuseIdentifier: identifier)
    view.annotation = annotation
    return view
  }

  /// More unused views than these are not kept.
  private static let mostUnused = 1000

  func keep(_ view: MKAnnotationView) {
    guard let name = view.reuseIdentifier, unused[name, default: []].count < Self.mostUnused else {
      return
    }
    unused[name, default: []].append(view)
  }

  func makeNewViews() {
    let views = newPins.compactMap { makeView($0) }
    newPins = []
    if !views.isEmpty { delegate?.mapView(self, didAdd: views) }
  }

  @discardableResult
  private func makeView(_ id: ObjectIdentifier) -> MKAnnotationView? {
    guard let pin = pins[id], pin.view == nil else { return nil }
    pins[id]?.isBeingMade = true
    let own = delegate?.mapView(self, viewFor: pin.annotation)
    pins[id]?.isBeingMade = false
    let view =
      own
      ?? dequeueReusableAnnotationView(
        withIdentifier: MKMapViewDefaultAnnotationViewReuseIdentifier, for: pin.annotation)
    // The delegate may have removed it.
    guard pins[id] != nil else { return nil }
    if own == nil { view.canShowCallout = true }
    view.annotation = pin.annotation
    pins[id]?.view = view
    view.map = self
    view.prepareForDisplay()
    view.layoutSubviews()
    news.pins.change(pin.number)
    return view
  }

  func viewChanged(_ view: MKAnnotationView) {
    guard let annotation = view.annotation else { return }
    guard pins[ObjectIdentifier(annotation)] == nil else {
      return annotationChanged(ObjectIdentifier(annotation))
    }
    news.areClustersNew = true
    takeTurn()
  }

  func annotationChanged(_ id: ObjectIdentifier) {
    guard let pin = pins[id] else { return }
    news.pins.change(pin.number)
    takeTurn()
  }
}

// MARK: - Selection

extension MKMapView {
  var selected: [any MKAnnotation] { selection.compactMap { shown($0)?.annotation } }

  func select(_ annotations: [any MKAnnotation]) {
    for annotation in selected where !annotations.contains(where: { $0 === annotation }) {
      deselectAnnotation(annotation, animated: false)
    }
    for annotation in annotations { selectAnnotation(annotation, animated: false) }
  }

  func select(_ annotation: any MKAnnotation, _ animated: Bool) {
    let id = ObjectIdentifier(annotation)
    guard let pin = shown(id), !pin.isBeingMade, !selection.contains(id) else { return }
    for other in selectedAnnotations { deselectAnnotation(other, animated: animated) }
    makeView(id)
    // The delegate may have removed it.
    guard let view = shown(id)?.view, view.isEnabled else { return }
    selection = [id]
    view.setSelected(true, animated: animated)
    news.isSelectionNew = true
    takeTurn()
    delegate?.mapView(self, didSelect: view)
    delegate?.mapView(self, didSelect: annotation)
  }

  func deselect(_ annotation: any MKAnnotation, _ animated: Bool) {
    let id = ObjectIdentifier(annotation)
    guard selection.contains(id), let view = shown(id)?.view else { return }
    selection.removeAll { $0 == id }
    view.setSelected(false, animated: animated)
    news.isSelectionNew = true
    takeTurn()
    delegate?.mapView(self, didDeselect: view)
    delegate?.mapView(self, didDeselect: annotation)
  }
}
