import CoreLocation
import LocationModel

// The page finds which annotations lie too close together; the app says how each such group looks.
extension MKMapView {
  /// More groups than these are the page's own.
  private static let mostClusters = 1000

  /// `lists`: the numbers of the members of each.
  func update(clustersOf lists: [JSON]) {
    var byNumber: [Int: Pin] = [:]
    for pin in pins.values {
      byNumber[pin.number] = pin
      pin.view?.cluster = nil
    }
    var seen: Set<[Int]> = []
    for list in lists.prefix(Self.mostClusters) {
      let members = (list.array ?? []).compactMap { $0.integer.flatMap { byNumber[Int($0)] } }
        .sorted { $0.number < $1.number }
      guard members.count > 1 else { continue }
      let key = members.map(\.number)
      seen.insert(key)
      if clusters[key] == nil { clusters[key] = makeCluster(members) }
      for member in members { member.view?.cluster = clusters[key]?.view }
    }
    for (key, cluster) in clusters where !seen.contains(key) {
      clusters[key] = nil
      selection.removeAll { $0 == ObjectIdentifier(cluster.annotation) }
      cluster.view.map { view in
        view.map = nil
        view.setSelected(false, animated: false)
        keep(view)
      }
    }
    tellClusters()
  }

  func tellClusters() {
    page?.set(
      "clusters",
      .array(
        clusters.sorted { $0.value.number < $1.value.number }.compactMap { key, pin in
          json(pin).map { ["of": .array(key.map { .integer(Int64($0)) }), "pin": $0] }
        }))
  }

  private func makeCluster(_ members: [Pin]) -> Pin {
    let all = members.map(\.annotation)
    let annotation =
      delegate?.mapView(self, clusterAnnotationForMemberAnnotations: all)
      ?? MKClusterAnnotation(memberAnnotations: all)
    let view =
      delegate?.mapView(self, viewFor: annotation)
      ?? dequeueReusableAnnotationView(
        withIdentifier: MKMapViewDefaultClusterAnnotationViewReuseIdentifier, for: annotation)
    view.annotation = annotation
    view.prepareForDisplay()
    view.layoutSubviews()
    view.map = self
    lastPin += 1
    return Pin(number: lastPin, annotation: annotation, view: view)
  }

  func cluster(_ number: JSON?) -> Pin? {
    guard let number = number?.integer else { return nil }
    return clusters.values.first { $0.number == number }
  }

  /// A person has begun to move an annotation, or, with a place, has moved it there.
  func drag(_ annotation: any MKAnnotation, _ view: MKAnnotationView, to place: [Double]?) -> Bool {
    func change(_ state: MKAnnotationView.DragState) {
      let old = view.dragState
      view.setDragState(state, animated: true)
      delegate?.mapView(self, annotationView: view, didChange: state, fromOldState: old)
    }
    guard view.isDraggable, let annotation = annotation as? MKPointAnnotation else { return false }
    guard let place else {
      change(.starting)
      change(.dragging)
      return true
    }
    guard place.count == 2 else { return false }
    let coordinate = CLLocationCoordinate2D(latitude: place[0], longitude: place[1])
    guard CLLocationCoordinate2DIsValid(coordinate) else { return false }
    annotation.coordinate = coordinate
    change(.ending)
    change(.none)
    return true
  }
}
