// Doubles of what asks services, and the protocols that apps put before it, in the manner of public projects, in
// Swift 5.

import Contacts
import MapKit

package protocol Geocoding {
  func reverseGeocodeLocation(_ location: CLLocation) async throws -> [CLPlacemark]
  func geocodeAddressString(_ addressString: String) async throws -> [CLPlacemark]
  func geocodeAddressString(_ addressString: String, in region: CLRegion?) async throws
    -> [CLPlacemark]
}

extension CLGeocoder: Geocoding {}

/// Has its own answer to the question with a handler, and its own way to await another.
package final class FakeGeocoder: CLGeocoder {
  override package func reverseGeocodeLocation(
    _ location: CLLocation, completionHandler: @escaping CLGeocodeCompletionHandler
  ) {
    completionHandler([StubPlacemark(placemark: MKPlacemark(coordinate: location.coordinate))], nil)
  }

  override package func geocodeAddressString(
    _ addressString: String
  ) async throws -> [CLPlacemark] {
    []
  }

  override package func geocodePostalAddress(
    _ postalAddress: CNPostalAddress, completionHandler: @escaping CLGeocodeCompletionHandler
  ) {
    completionHandler(nil, CLError(.network))
  }
}

package final class FakeWayfinder: MKDirections, @unchecked Sendable {
  override package func calculate() async throws -> MKDirections.Response { FakeWays() }
}

package protocol AccuracyAsking {
  func requestTemporaryFullAccuracyAuthorization(withPurposeKey purposeKey: String)
}

extension CLLocationManager: AccuracyAsking {}

package final class AskedManager: CLLocationManager {
  package var purposes: [String] = []

  override package func requestTemporaryFullAccuracyAuthorization(
    withPurposeKey purposeKey: String
  ) {
    purposes.append(purposeKey)
  }
}

package final class AddressPlacemark: MKPlacemark, @unchecked Sendable {
  override package init(
    coordinate: CLLocationCoordinate2D, addressDictionary: [String: Any]?
  ) {
    super.init(coordinate: coordinate, addressDictionary: addressDictionary)
  }

  required init?(coder: NSCoder) { fatalError("init(coder:) has not been implemented") }

  override package var postalAddress: CNPostalAddress? { nil }
  override package class var supportsSecureCoding: Bool { false }
}

package final class Shelf: CLBeaconRegion, @unchecked Sendable {
  package init(_ number: CLBeaconMinorValue) {
    super.init(uuid: UUID(), major: 7, minor: number, identifier: "shelf \(number)")
  }

  required init?(coder: NSCoder) { fatalError("init(coder:) has not been implemented") }
}

package final class Treasure: MKMapItem, @unchecked Sendable {
  override package init() {
    super.init()
    name = "gold"
  }

  required init?(coder: NSCoder) { fatalError("init(coder:) has not been implemented") }
}

package final class FollowingMap: MKMapView {
  package var modes: [MKUserTrackingMode] = []
  package var isFixed = false

  override package func setUserTrackingMode(_ mode: MKUserTrackingMode, animated: Bool) {
    modes.append(mode)
  }

  override package var selectedAnnotations: [MKAnnotation] {
    get { Array(super.selectedAnnotations.prefix(1)) }
    set { super.selectedAnnotations = newValue }
  }

  override package var showsUserLocation: Bool {
    get { false }
    set {}
  }

  override package var isScrollEnabled: Bool { didSet { isFixed = !isScrollEnabled } }
}

/// Looks at its annotation as soon as it has one.
package final class ObservingView: MKAnnotationView {
  package var titles: [String?] = []

  override package var annotation: MKAnnotation? {
    didSet { titles.append(annotation?.title ?? nil) }
  }
}

/// Asks as apps do that show a street's picture.
package func streetPicture(at place: CLLocationCoordinate2D) async throws -> UIImage? {
  guard let scene = try await MKLookAroundSceneRequest(coordinate: place).scene else { return nil }
  let options = MKLookAroundSnapshotter.Options()
  options.size = CGSize(width: 128, height: 128)
  return try await MKLookAroundSnapshotter(scene: scene, options: options).snapshot.image
}
