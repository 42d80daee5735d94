import CoreLocation
import Foundation
import LocationModel

/// How the page behaves, as the app wishes it.
struct MapSettings {
  var configuration: MKMapConfiguration = MKStandardMapConfiguration()
  var type: MKMapType?
  var points: MKPointOfInterestFilter?
  var showsPoints = true
  var isInteractive = true
  var isZoomEnabled = true
  var isScrollEnabled = true
  var showsScale = false
  var showsZoomControls = true
  var range: MKMapCameraZoomRange?
  var boundary: MKMapCameraBoundary?

  var shownType: MKMapType { type ?? configuration.type }
  var wantedPoints: MKPointOfInterestFilter? { points ?? configuration.points }
  var shownPoints: MKPointOfInterestFilter? { showsPoints ? wantedPoints : .excludingAll }
}

extension MKMapView {
  public var preferredConfiguration: MKMapConfiguration {
    get { settings.configuration }
    set {
      settings.configuration = newValue.copy() as? MKMapConfiguration ?? newValue
      (settings.type, settings.points, settings.showsPoints) = (nil, nil, true)
    }
  }

  /// Which points the page draws; nil for all.
  public var pointOfInterestFilter: MKPointOfInterestFilter? {
    get { settings.wantedPoints }
    set { settings.points = newValue }
  }

  public var showsPointsOfInterest: Bool {
    get { settings.shownPoints?.includesNone != true }
    set { settings.showsPoints = newValue }
  }
}

// MARK: - The camera

extension MKMapView {
  /// A change of it moves the map, too.
  var handedCamera: MKMapCamera {
    followCamera()
    let camera = MKMapCamera(
      lookingAtCenter: shown.center, fromDistance: MKMapCamera.distance(of: shown), pitch: pitch,
      heading: direction)
    camera.watch = watchedCamera()
    return camera
  }

  private func watchedCamera() -> CameraWatch {
    if let cameraWatch { return cameraWatch }
    let watch = CameraWatch { [weak self] in
      DispatchQueue.main.async { MainActor.assumeIsolated { self?.followCamera() } }
    }
    cameraWatch = watch
    return watch
  }

  /// Does what the app has changed of a camera that it was handed.
  private func followCamera() {
    guard let look = cameraWatch?.take() else { return }
    setCamera(
      MKMapCamera(
        lookingAtCenter: look.center, fromDistance: look.distance, pitch: look.pitch,
        heading: look.heading), animated: false)
  }

  func look(from camera: MKMapCamera, _ animated: Bool) {
    guard let region = camera.region(in: size) else { return }
    (pitch, direction) = (camera.pitch, camera.heading)
    setRegion(region, animated: animated)
    (camera.copy() as? MKMapCamera).map { looked = ($0, lastView) }
  }

  public var cameraZoomRange: MKMapCameraZoomRange! {
    get { settings.range ?? MKMapCameraZoomRange() }
    set { setCameraZoomRange(newValue, animated: false) }
  }

  public func setCameraZoomRange(_ range: MKMapCameraZoomRange?, animated: Bool) {
    settings.range = range
    keepWithinBounds(animated)
  }

  public var cameraBoundary: MKMapCameraBoundary? {
    get { settings.boundary }
    set { setCameraBoundary(newValue, animated: false) }
  }

  public func setCameraBoundary(_ boundary: MKMapCameraBoundary?, animated: Bool) {
    settings.boundary = boundary
    keepWithinBounds(animated)
  }

  func keepWithinBounds(_ isAnimated: Bool) {
    let wanted = bounded(shown)
    let isSame =
      wanted.center.latitude == shown.center.latitude
      && wanted.center.longitude == shown.center.longitude
      && wanted.span.latitudeDelta == shown.span.latitudeDelta
    if !isSame { setRegion(wanted, animated: isAnimated) }
  }

  /// The region as near to it as range and boundary let it be.
  func bounded(_ region: MKCoordinateRegion) -> MKCoordinateRegion {
    var result = region
    if let boundary = settings.boundary { result.center = boundary.clamped(region.center) }
    if let range = settings.range {
      let distance = MKMapCamera.distance(of: region)
      let factor = distance > 0 ? range.clamped(distance) / distance : 1
      result.span.latitudeDelta = min(region.span.latitudeDelta * factor, 180)
      result.span.longitudeDelta = min(region.span.longitudeDelta * factor, 360)
    }
    return result
  }
}

// MARK: - Words of the page

extension MapSettings {
  var json: JSON {
    [
      "still": .bool(!isInteractive), "zoom": .bool(isZoomEnabled),
      "scroll": .bool(isScrollEnabled), "scale": .bool(showsScale),
      "buttons": .bool(isZoomEnabled && showsZoomControls),
      "muted": .bool(shownType == .mutedStandard),
      "unnamed": .bool([.satellite, .satelliteFlyover].contains(shownType)),
      "hidden": .array(hiddenKinds.map(JSON.string)),
    ]
  }

  /// The kinds of names that the page leaves out: those of whose categories none is wanted.
  var hiddenKinds: [String] {
    guard let filter = shownPoints else { return [] }
    return Self.pageKinds.filter { $0.categories.allSatisfy(filter.excludes) }.map(\.kind)
  }

  /// The page's kinds of points, each with its categories on the disk.
  static let pageKinds: [(kind: String, categories: [MKPointOfInterestCategory])] = [
    ("food", [.cafe, .restaurant, .nightlife]),
    ("shop", [.store, .bakery, .foodMarket, .laundry]), ("health", [.pharmacy]),
    ("hospital", [.hospital]), ("hotel", [.hotel, .campground]),
    (
      "museum",
      [
        .museum, .theater, .movieTheater, .library, .landmark, .zoo, .aquarium, .amusementPark,
      ]
    ),
    ("college", [.school, .university]), ("station", [.publicTransport]),
    ("stop", [.publicTransport]), ("gardens", [.park, .nationalPark]), ("airport", [.airport]),
    (
      "other",
      [
        .bank, .atm, .postOffice, .police, .fireStation, .gasStation, .evCharger, .parking,
        .stadium, .fitnessCenter,
      ]
    ),
  ]
}
