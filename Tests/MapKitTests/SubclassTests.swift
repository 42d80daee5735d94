import AppleCode5
import MapKit
import Testing

/// The screen is an app's in Swift 5, which imports MapKit alone.
@MainActor @Suite("Code that imports MapKit alone, and subclasses it") struct SubclassTests {
  private let screen = RideScreen()
  private let place = CLLocationCoordinate2D(latitude: 43.73, longitude: 7.42)

  @Test("a map makes views of a class that the app has registered, by the app's own init")
  func registered() throws {
    screen.viewDidLoad()
    let map = screen.mapView
    let stop = try #require(
      map.dequeueReusableAnnotationView(withIdentifier: NSStringFromClass(StopView.self))
        as? StopView)
    #expect(stop.frame.size == CGSize(width: 40, height: 50) && stop.canShowCallout)
    #expect(stop.reuseIdentifier == NSStringFromClass(StopView.self))
    #expect(stop.subviews.first?.superview === stop)
    let clustered = map.dequeueReusableAnnotationView(
      withIdentifier: ClusteredView.reuse, for: MKPointAnnotation(coordinate: place))
    #expect(clustered is ClusteredView && clustered.clusteringIdentifier == "stop")
    let plain = map.dequeueReusableAnnotationView(withIdentifier: "plain") as? PlainView
    #expect(plain?.count == 3)
  }

  @Test("lines, areas, circles and beacons have subclasses with properties of their own")
  func shapes() {
    let places = [place, CLLocationCoordinate2D(latitude: 44, longitude: 8)]
    let ride = MulticolorPolyline(
      places.map { CLLocation(latitude: $0.latitude, longitude: $0.longitude) })
    #expect(ride.pointCount == 2 && ride.color == .black)
    let named = NamedPolyline(name: "way", coordinates: places)
    #expect(MKMapRectEqualToRect(named.boundingMapRect, ride.boundingMapRect))
    let lot = Lot(number: 3, corners: places + [CLLocationCoordinate2D(latitude: 43, longitude: 8)])
    #expect(lot.pointCount == 3 && lot.interiorPolygons == nil)
    #expect(Fence(owner: "me", center: place, radius: 80).radius == 80)
    #expect(HeardBeacon(.near).proximity == .near)
  }

  @Test("kinds of objects are asked for as on Apple's platforms")
  func kinds() {
    let pin: any MKAnnotation = MKUserLocation()
    #expect(pin.isKind(of: MKUserLocation.self) && !pin.isKind(of: MKPointAnnotation.self))
    let line = MKPolylineRenderer(polyline: MKPolyline())
    #expect(line.isKind(of: MKOverlayRenderer.self) && !line.isMember(of: MKOverlayRenderer.self))
    #expect(screen.mapView.isKind(of: UIView.self) && screen.mapView.hash == screen.mapView.hash)
  }

  @Test("a button does its actions for the events that they are for")
  func actions() {
    var done: [String] = []
    let button = UIButton(type: .system)
    button.addAction(UIAction { _ in done.append("all") }, for: .allEvents)
    button.addAction(UIAction(title: "up") { done.append($0.title) }, for: .touchUpInside)
    button.sendActions(for: .touchDown)
    button.sendActions(for: .touchUpInside)
    #expect(done == ["all", "all", "up"])
  }

  @Test("a view has bounds, a middle and views in it")
  func views() {
    let view = UIView(frame: CGRect(x: 10, y: 20, width: 100, height: 50))
    #expect(view.bounds == CGRect(x: 0, y: 0, width: 100, height: 50))
    view.center = CGPoint(x: 0, y: 0)
    #expect(view.frame.origin == CGPoint(x: -50, y: -25))
    let (first, second) = (UIView(), UIView())
    view.addSubview(first)
    second.addSubview(first)
    #expect(view.subviews.isEmpty && second.subviews == [first])
    second.insertSubview(first, at: 0)
    let third = UIView()
    second.addSubview(third)
    second.bringSubviewToFront(first)
    #expect(second.subviews == [third, first])
    second.sendSubviewToBack(first)
    #expect(second.subviews == [first, third])
    third.removeFromSuperview()
    first.removeFromSuperview()
    #expect(second.subviews.isEmpty && first.superview == nil)
  }
}
