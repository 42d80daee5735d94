// How apps unwrap an annotation's title, and the older words of maps, in the manner of the tutorials for iPhones, in
// Swift 5.

import Contacts
import MapKit

package enum Titles {
  package static func twice(_ view: MKAnnotationView) -> String {
    guard let annotation = view.annotation, let optionalTitle = annotation.title,
      let title = optionalTitle
    else { return "none" }
    return title
  }

  package static func nested(_ view: MKAnnotationView) -> Int {
    if let title = view.annotation?.title, let text = title { return text.count }
    return 0
  }

  package static func forced(_ annotation: MKAnnotation) -> String {
    annotation.title!! + annotation.subtitle!!
  }

  package static func halfForced(_ annotation: MKAnnotation) -> String {
    if let text = annotation.title! { return text }
    return "none"
  }

  package static func coalesced(_ view: MKAnnotationView) -> String {
    (view.annotation?.title ?? "") ?? ""
  }

  package static func cast(_ annotation: MKAnnotation) -> String {
    if let text = annotation.title as? String { return text }
    return "none"
  }

  package static func once(_ annotation: MKAnnotation) -> String? {
    let text: String? = annotation.title ?? nil
    return annotation.title == "stop" ? text : nil
  }
}

package final class OldScreen: NSObject, MKMapViewDelegate {
  package let mapView = MKMapView()

  package func boxed(_ route: [CLLocationCoordinate2D]) -> [NSValue] {
    route.map { NSValue(mkCoordinate: $0) }
  }

  package func options(_ center: CLLocationCoordinate2D) -> [String: Any] {
    [
      MKLaunchOptionsMapCenterKey: NSValue(mkCoordinate: center),
      MKLaunchOptionsMapSpanKey: NSValue(
        mkCoordinateSpan: MKCoordinateSpan(latitudeDelta: 1, longitudeDelta: 2)),
      MKLaunchOptionsDirectionsModeKey: MKLaunchOptionsDirectionsModeCycling,
      MKLaunchOptionsCameraKey: MKMapCamera(
        lookingAt: MKMapItem(placemark: MKPlacemark(coordinate: center)),
        forViewSize: mapView.bounds.size, allowPitch: true),
    ]
  }

  package func mapView(_ mapView: MKMapView, viewFor annotation: MKAnnotation) -> MKAnnotationView?
  {
    if annotation is MKUserLocation {
      return MKUserLocationView(annotation: annotation, reuseIdentifier: "me")
    }
    let view = MKPinAnnotationView(annotation: annotation, reuseIdentifier: "pin")
    view.pinColor = MKPinAnnotationColor.purple
    view.animatesDrop = true
    view.accessoryOffset = CGPoint(x: 0, y: 5)
    view.accessibilityLabel = "a stop"
    let button = UIButton(frame: CGRect(origin: CGPoint.zero, size: CGSize(width: 48, height: 48)))
    button.setBackgroundImage(UIImage(systemName: "car"), for: UIControl.State.normal)
    view.rightCalloutAccessoryView = button
    let label = UILabel()
    label.font = label.font.withSize(12)
    label.textAlignment = .center
    label.textColor = .secondaryLabel
    label.text = "by car"
    view.detailCalloutAccessoryView = label
    return view
  }

  package func fade(_ color: UIColor) -> UIColor {
    var (red, green, blue, alpha) = (CGFloat(0), CGFloat(0), CGFloat(0), CGFloat(0))
    color.getRed(&red, green: &green, blue: &blue, alpha: &alpha)
    return UIColor(red: red, green: green, blue: blue, alpha: alpha / 2)
  }

  package func gradient(_ line: MKPolyline) -> MKGradientPolylineRenderer {
    let renderer = MKGradientPolylineRenderer(polyline: line)
    renderer.setColors([.red, UIColor.blue], locations: [0, 1])
    renderer.lineWidth = 4
    renderer.invalidatePath()
    return renderer
  }

  package func look() {
    mapView.selectableMapFeatures = [.pointsOfInterest, .territories, .physicalFeatures]
    mapView.showsUserTrackingButton = true
    mapView.pitchButtonVisibility = .hidden
    mapView.setVisibleMapRect(.world, edgePadding: UIEdgeInsets.zero, animated: false)
  }

  package func search(_ text: String) -> MKLocalSearch.Request {
    let request = MKLocalSearch.Request()
    request.naturalLanguageQuery = text
    request.resultTypes = [.pointOfInterest, .physicalFeature]
    request.regionPriority = MKLocalSearchRegionPriority.required
    request.addressFilter = MKAddressFilter(excluding: .postalCode)
    return request
  }

  package func find(_ text: String, then: @escaping MKLocalSearch.CompletionHandler) {
    MKLocalSearch(request: search(text)).start(completionHandler: then)
  }

  package func lines(_ address: CNPostalAddress) -> NSAttributedString {
    CNPostalAddressFormatter().attributedString(from: address, withDefaultAttributes: [:])
  }
}

package final class BadgeView: MKAnnotationView {
  package private(set) var layouts = 0
  package let label = UILabel(frame: .zero)

  override package init(annotation: MKAnnotation?, reuseIdentifier: String?) {
    super.init(annotation: annotation, reuseIdentifier: reuseIdentifier)
    backgroundColor = UIColor.clear
    label.font = UIFont.preferredFont(forTextStyle: .caption1)
    addSubview(label)
  }

  required init?(coder aDecoder: NSCoder) {
    fatalError("init(coder:) has not been implemented")
  }

  override package func prepareForDisplay() {
    super.prepareForDisplay()
    label.text = annotation?.title ?? ""
    setNeedsLayout()
  }

  override package func layoutSubviews() {
    super.layoutSubviews()
    layouts += 1
    bounds.size = CGSize(width: 20, height: 20)
  }
}
