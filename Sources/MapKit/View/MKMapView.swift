public import CoreLocation
public import Foundation

/// A map, as a model with a page. An app sets what it shows; `openInBrowser()` shows it to the person, and what the
/// person does there comes back to the delegate. Without a page it is the same model, which nobody sees.
@preconcurrency @MainActor open class MKMapView: UIView {
  weak open var delegate: (any MKMapViewDelegate)?

  // The part of the map.
  var shown = MKCoordinateRegion(
    center: CLLocationCoordinate2D(latitude: 25, longitude: 10),
    span: MKCoordinateSpan(latitudeDelta: 120, longitudeDelta: 300))
  /// The last part that the app has set has this number.
  var lastView = 0
  /// Points of the page, once it has said so.
  var pageSize: CGSize?
  var changesToTell: [Bool] = []

  // Things on the map.
  var pins: [ObjectIdentifier: Pin] = [:]
  var lastPin = 0
  var newPins: [ObjectIdentifier] = []
  var selection: [ObjectIdentifier] = []
  var registered: [String: MKAnnotationView.Type] = [:]
  var unused: [String: [MKAnnotationView]] = [:]
  var layers: [OverlayLayer] = []
  var hasNewLayers = false
  var drawn: DrawnPart?
  /// By the numbers of their members.
  var clusters: [[Int]: Pin] = [:]
  var pictures = PagePictures()

  // How it is looked at.
  var pitch: CGFloat = 0
  var direction: CLLocationDirection = 0
  var cameraWatch: CameraWatch?
  /// The camera that was set last, and the number of its view: a page's size changes what it sees.
  var looked: (camera: MKMapCamera, number: Int)?
  var settings = MapSettings() {
    didSet {
      news.areSettingsNew = true
      takeTurn()
    }
  }
  /// A person may move the map, and press what lies on it.
  open override var isUserInteractionEnabled: Bool {
    didSet { settings.isInteractive = isUserInteractionEnabled }
  }
  /// A person changes the scale.
  open var isZoomEnabled = true { didSet { settings.isZoomEnabled = isZoomEnabled } }
  /// A person moves the map.
  open var isScrollEnabled = true { didSet { settings.isScrollEnabled = isScrollEnabled } }
  open var showsScale = false { didSet { settings.showsScale = showsScale } }
  /// The buttons of the scale, where a person may change it.
  open var showsZoomControls = true { didSet { settings.showsZoomControls = showsZoomControls } }
  /// Without an effect: the page lies flat, has north above and no traffic.
  open var isPitchEnabled = true
  open var pitchButtonVisibility = MKFeatureVisibility.adaptive
  open var showsPitchControl = false
  /// Without an effect: the page has its button wherever the user's location is shown.
  open var showsUserTrackingButton = false
  /// Without an effect: nothing that the page itself draws is selected.
  open var selectableMapFeatures: MKMapFeatureOptions = []
  open var isRotateEnabled = true
  open var showsCompass = true
  open var showsTraffic = false
  open var showsBuildings = true

  // The device's place.
  open internal(set) var userLocation = MKUserLocation()
  var locator: UserLocator?
  var tracking = MKUserTrackingMode.none

  // The page.
  var page: MapPage?
  var news = PageNews()
  var isTurnComing = false

  public nonisolated override init() { super.init() }

  public override init(frame: CGRect) {
    super.init(frame: frame)
  }

  public override init(coder: NSCoder, archive: Void = ()) {
    super.init(coder: coder)
  }

  // MARK: The part that is shown

  /// The page's own region where one is open; else the one that was set.
  open var region: MKCoordinateRegion {
    get { shown }
    set { setRegion(newValue, animated: false) }
  }

  open var centerCoordinate: CLLocationCoordinate2D {
    get { shown.center }
    set { setCenter(newValue, animated: false) }
  }

  open var visibleMapRect: MKMapRect {
    get { shown.rect }
    set { setVisibleMapRect(newValue, animated: false) }
  }

  /// Ignores what does not lie on the Earth.
  open func setRegion(_ region: MKCoordinateRegion, animated: Bool) {
    guard region.circle != nil else { return }
    delegate?.mapView(self, regionWillChangeAnimated: animated)
    shown = bounded(regionThatFits(region))
    lastView += 1
    news.view = PageView(number: lastView, rect: shown.rect, isAnimated: animated)
    changesToTell.append(animated)
    takeTurn()
  }

  open func setCenter(_ coordinate: CLLocationCoordinate2D, animated: Bool) {
    setRegion(MKCoordinateRegion(center: coordinate, span: shown.span), animated: animated)
  }

  open func setVisibleMapRect(_ mapRect: MKMapRect, animated: Bool) {
    setRegion(MKCoordinateRegion(mapRectThatFits(mapRect)), animated: animated)
  }

  /// With so much room around the rectangle, in points.
  open func setVisibleMapRect(
    _ mapRect: MKMapRect, edgePadding insets: UIEdgeInsets, animated: Bool
  ) {
    setRegion(
      MKCoordinateRegion(mapRectThatFits(mapRect, edgePadding: insets)), animated: animated)
  }

  /// The region as wide or high as the map is.
  open func regionThatFits(_ region: MKCoordinateRegion) -> MKCoordinateRegion {
    let rect = region.rect
    let fitting = mapRectThatFits(rect)
    let isWider = fitting.width > rect.width * 1.000001
    let isHigher = fitting.height > rect.height * 1.000001
    guard isWider || isHigher else { return region }
    var fit = MKCoordinateRegion(fitting)
    fit.center = region.center
    return fit
  }

  open func mapRectThatFits(_ mapRect: MKMapRect) -> MKMapRect {
    mapRectThatFits(mapRect, edgePadding: UIEdgeInsets())
  }

  open func mapRectThatFits(
    _ mapRect: MKMapRect, edgePadding insets: UIEdgeInsets
  ) -> MKMapRect {
    let hasRoom = [insets.top, insets.left, insets.bottom, insets.right].contains { $0 != 0 }
    guard !mapRect.isNull, let size = size ?? (hasRoom ? Self.usualSize : nil) else {
      return mapRect
    }
    let width = max(Double(size.width - insets.left - insets.right), 1)
    let height = max(Double(size.height - insets.top - insets.bottom), 1)
    let points = max(mapRect.width / width, mapRect.height / height)
    let left = Double(insets.left) + (width - mapRect.width / points) / 2
    let top = Double(insets.top) + (height - mapRect.height / points) / 2
    guard points > 0 else { return mapRect }
    return MKMapRect(
      x: mapRect.minX - left * points, y: mapRect.minY - top * points,
      width: Double(size.width) * points, height: Double(size.height) * points)
  }

  /// A page's that has not said its own.
  static let usualSize = CGSize(width: 1000, height: 700)

  /// In points: the page's, else the frame's; nil for none.
  var size: CGSize? {
    if let pageSize { return pageSize }
    return frame.width > 0 && frame.height > 0 ? frame.size : nil
  }

  open var camera: MKMapCamera {
    get { handedCamera }
    set { setCamera(newValue, animated: false) }
  }

  /// Ignores what does not look at the Earth.
  open func setCamera(_ camera: MKMapCamera, animated: Bool) { look(from: camera, animated) }

  open var mapType: MKMapType {
    get { settings.shownType }
    set { settings.type = newValue }
  }

  // MARK: Annotations

  /// In the order in which they were added, and where the device is, if that is shown.
  open var annotations: [any MKAnnotation] { all }

  open func addAnnotation(_ annotation: any MKAnnotation) { add(annotation) }

  open func addAnnotations(_ annotations: [any MKAnnotation]) {
    for annotation in annotations { addAnnotation(annotation) }
  }

  open func removeAnnotation(_ annotation: any MKAnnotation) { remove(annotation) }

  open func removeAnnotations(_ annotations: [any MKAnnotation]) {
    for annotation in annotations { removeAnnotation(annotation) }
  }

  /// Adds those that are not there, and shows the part of the map that has them all.
  open func showAnnotations(_ annotations: [any MKAnnotation], animated: Bool) {
    show(annotations, animated)
  }

  /// Nil before the delegate was asked for it.
  open func view(for annotation: any MKAnnotation) -> MKAnnotationView? {
    knownView(of: annotation)
  }

  /// Views of this class are made by that name; nil for no class any more.
  open func register(
    _ viewClass: AnyClass?, forAnnotationViewWithReuseIdentifier identifier: String
  ) {
    registered[identifier] = viewClass as? MKAnnotationView.Type
  }

  /// A view that is no longer used, or a new one of the registered class; nil without either.
  open func dequeueReusableAnnotationView(
    withIdentifier identifier: String
  ) -> MKAnnotationView? {
    takeView(identifier)
  }

  /// A marker where no class has the name.
  open func dequeueReusableAnnotationView(
    withIdentifier identifier: String, for annotation: any MKAnnotation
  ) -> MKAnnotationView {
    takeView(identifier, for: annotation)
  }

  /// At most one is selected, as on Apple's platforms.
  open func selectAnnotation(_ annotation: any MKAnnotation, animated: Bool) {
    select(annotation, animated)
  }

  open func deselectAnnotation(_ annotation: (any MKAnnotation)?, animated: Bool) {
    if let annotation { deselect(annotation, animated) }
  }

  open var selectedAnnotations: [any MKAnnotation] {
    get { selected }
    set { select(newValue) }
  }

  // MARK: The device's place

  /// Asks for no permission: the app does that.
  open var showsUserLocation: Bool {
    get { locator != nil }
    set { locate(newValue) }
  }

  /// The map follows the device until a person moves it.
  open var userTrackingMode: MKUserTrackingMode {
    get { tracking }
    set { setUserTrackingMode(newValue, animated: false) }
  }

  open func setUserTrackingMode(_ mode: MKUserTrackingMode, animated: Bool) {
    track(mode, animated)
  }

  // MARK: Overlays

  /// From the lowest to the highest.
  open var overlays: [any MKOverlay] { layers.map(\.overlay) }

  open func addOverlay(_ overlay: any MKOverlay) { addOverlay(overlay, level: .aboveLabels) }

  open func addOverlays(_ overlays: [any MKOverlay]) {
    addOverlays(overlays, level: .aboveLabels)
  }

  open func addOverlay(_ overlay: any MKOverlay, level: MKOverlayLevel) {
    addLayer(of: overlay, level)
  }

  open func addOverlays(_ overlays: [any MKOverlay], level: MKOverlayLevel) {
    for overlay in overlays { addOverlay(overlay, level: level) }
  }

  open func removeOverlay(_ overlay: any MKOverlay) { removeLayer(of: overlay) }

  open func removeOverlays(_ overlays: [any MKOverlay]) {
    for overlay in overlays { removeOverlay(overlay) }
  }

  /// Nil before the delegate was asked for it.
  open func renderer(for overlay: any MKOverlay) -> MKOverlayRenderer? {
    layers.first { $0.overlay === overlay }?.renderer
  }

  // MARK: Points of the map

  /// The place under a point of the map.
  open func convert(
    _ point: CGPoint, toCoordinateFrom view: UIView?
  ) -> CLLocationCoordinate2D {
    let (rect, size) = (shown.rect, size ?? Self.usualSize)
    return MKMapPoint(
      x: rect.minX + Double(point.x / size.width) * rect.width,
      y: rect.minY + Double(point.y / size.height) * rect.height
    ).onWorld.coordinate
  }

  /// The point of the map that shows a place.
  open func convert(_ coordinate: CLLocationCoordinate2D, toPointTo view: UIView?) -> CGPoint {
    let (rect, size) = (shown.rect, size ?? Self.usualSize)
    guard CLLocationCoordinate2DIsValid(coordinate), rect.width > 0, rect.height > 0 else {
      return CGPoint(x: CGFloat.nan, y: CGFloat.nan)
    }
    var point = MKMapPoint(coordinate)
    let world = MKMapSize.world.width
    if point.x < rect.minX { point.x += world } else if point.x > rect.maxX { point.x -= world }
    return CGPoint(
      x: (point.x - rect.minX) / rect.width * Double(size.width),
      y: (point.y - rect.minY) / rect.height * Double(size.height))
  }

  /// The region under a rectangle of the map.
  open func convert(_ rect: CGRect, toRegionFrom view: UIView?) -> MKCoordinateRegion {
    let (whole, size) = (shown.rect, size ?? Self.usualSize)
    let (across, down) = (whole.width / Double(size.width), whole.height / Double(size.height))
    return MKCoordinateRegion(
      MKMapRect(
        x: whole.minX + Double(rect.minX) * across, y: whole.minY + Double(rect.minY) * down,
        width: Double(rect.width) * across, height: Double(rect.height) * down))
  }

  /// The rectangle of the map that shows a region.
  open func convert(_ region: MKCoordinateRegion, toRectTo view: UIView?) -> CGRect {
    let (whole, size) = (shown.rect, size ?? Self.usualSize)
    let part = region.rect.nearest(to: whole)
    let (across, down) = (Double(size.width) / whole.width, Double(size.height) / whole.height)
    return CGRect(
      x: (part.minX - whole.minX) * across, y: (part.minY - whole.minY) * down,
      width: part.width * across, height: part.height * down)
  }
}

// MARK: - Turns

extension MKMapView {
  /// Changes are told together, in the main queue's next turn.
  func takeTurn() {
    guard !isTurnComing else { return }
    isTurnComing = true
    DispatchQueue.main.async { [weak self] in
      MainActor.assumeIsolated { self?.turn() }
    }
  }

  private func turn() {
    isTurnComing = false
    makeNewViews()
    makeNewRenderers()
    let changes = changesToTell
    changesToTell = []
    for isAnimated in changes {
      delegate?.mapView(self, regionDidChangeAnimated: isAnimated)
      delegate?.mapViewDidChangeVisibleRegion(self)
    }
    updatePage()
  }
}
