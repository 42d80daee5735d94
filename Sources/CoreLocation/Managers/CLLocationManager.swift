public import Foundation
import LocationModel

/// An app's way to location services. Callbacks run on the main queue, or on the run loop of the thread
/// that made the manager, in order. All managers of a process share one connection to the daemon.
open class CLLocationManager: NSObject {
  let daemon: Daemon
  let number: Int
  let mailbox: Mailbox
  var isUpdating = false
  var isUpdatingHeading = false
  var wantsChanges = false
  var ranged = RangedBeacons()
  /// The single request that is under way.
  var single: Int?
  var toldStanding: Standing?
  var lastLocation: CLLocation?
  /// The last location before those that are being delivered.
  var locationBefore: CLLocation?
  var lastHeading: CLHeading?

  public override init() {
    daemon = Daemon.current
    let mailbox = Mailbox(.current)
    self.mailbox = mailbox
    number = daemon.subscribe(.manager(hasDelegate: false), mailbox.enqueue)
    super.init()
    mailbox.address(to: self)
  }

  deinit {
    daemon.unsubscribe(number)
  }

  /// It is told what the app may do as soon as that is known, and whenever it changes.
  weak open var delegate: (any CLLocationManagerDelegate)? {
    didSet {
      guard let delegate else { return daemon.stopListening(number) }
      if delegate !== oldValue { toldStanding = nil }
      daemon.listen(number, isNew: delegate !== oldValue)
    }
  }

  // MARK: Locations

  /// Metres, or one of the constants. It may change while locations are updated.
  open var desiredAccuracy: CLLocationAccuracy = kCLLocationAccuracyBest {
    didSet { if desiredAccuracy != oldValue { wishAnew() } }
  }

  /// Metres from the last location that was delivered.
  open var distanceFilter: CLLocationDistance = kCLDistanceFilterNone {
    didSet { if distanceFilter != oldValue { wishAnew() } }
  }

  open var activityType: CLActivityType = .other {
    didSet { if activityType != oldValue { wishAnew() } }
  }

  open var pausesLocationUpdatesAutomatically = true {
    didSet { if pausesLocationUpdatesAutomatically != oldValue { wishAnew() } }
  }

  /// While locations are updated, the app stays in use when its user's session leaves the front.
  open var allowsBackgroundLocationUpdates = false {
    didSet { if isUpdating { holdUse() } }
  }

  /// Without an effect: `locationctl status` and the agent always show which apps stay in use.
  open var showsBackgroundLocationIndicator = false

  /// The last location that was delivered; before the first, the newest that the app may see.
  open var location: CLLocation? {
    if let lastLocation, isUpdating { return lastLocation }
    guard CLAuthorizationStatus(daemon.standing().authorization).isAuthorized else { return nil }
    if let newest = daemon.location().map({ CLLocation($0) }) { lastLocation = newest }
    return lastLocation
  }

  open func startUpdatingLocation() {
    guard !isUpdating else { return }
    isUpdating = true
    cancelSingle()
    daemon.setStandard(standardRequest, of: number)
    holdUse()
  }

  open func stopUpdatingLocation() {
    cancelSingle()
    guard isUpdating else { return }
    isUpdating = false
    daemon.setStandard(nil, of: number)
    daemon.endUse(number)
  }

  /// One location, or one error. Without an effect while locations are updated, or another request is
  /// under way.
  open func requestLocation() {
    guard !isUpdating, single == nil else { return }
    single = daemon.requestLocation(
      OneShotRequest(desiredAccuracy: desiredAccuracy.wish), of: number)
  }

  private func cancelSingle() {
    guard single != nil else { return }
    single = nil
    daemon.cancelLocation(of: number)
  }

  private func wishAnew() {
    if isUpdating { daemon.setStandard(standardRequest, of: number) }
  }

  private func holdUse() {
    if allowsBackgroundLocationUpdates {
      daemon.beginUse(number)
    } else {
      daemon.endUse(number)
    }
  }

  private var standardRequest: StandardRequest {
    var request = StandardRequest(
      desiredAccuracy: desiredAccuracy.wish, distanceFilter: distanceFilter.filter)
    request.activityType = activityType.activity
    request.pausesAutomatically = pausesLocationUpdatesAutomatically
    return request
  }

  // MARK: Heading

  /// The last heading that was delivered.
  open var heading: CLHeading? { lastHeading }

  /// Degrees from the last heading that was delivered.
  open var headingFilter: CLLocationDegrees = 1 {
    didSet {
      if isUpdatingHeading, headingFilter != oldValue {
        daemon.setHeading(headingRequest, of: number)
      }
    }
  }

  open var headingOrientation: CLDeviceOrientation = .portrait

  /// Without a compass nothing is told.
  open func startUpdatingHeading() {
    guard !isUpdatingHeading else { return }
    isUpdatingHeading = true
    daemon.setHeading(headingRequest, of: number)
  }

  open func stopUpdatingHeading() {
    guard isUpdatingHeading else { return }
    isUpdatingHeading = false
    daemon.setHeading(nil, of: number)
  }

  /// Without an effect: compasses on Linux are not calibrated by their user.
  open func dismissHeadingCalibrationDisplay() {}

  private var headingRequest: HeadingRequest { HeadingRequest(headingFilter: headingFilter.filter) }

  // MARK: Significant changes, visits and regions need the permission Always

  open func startMonitoringSignificantLocationChanges() {
    wantsChanges = true
    guard !refuses("Monitoring of significant location changes") else { return }
    daemon.setChanges(true, of: number)
  }

  open func stopMonitoringSignificantLocationChanges() {
    wantsChanges = false
    daemon.setChanges(false, of: number)
  }

  /// All managers of the app are told its visits.
  open func startMonitoringVisits() {
    guard !refuses("Monitoring of visits") else { return }
    daemon.setVisits(true, of: number)
  }

  open func stopMonitoringVisits() {
    daemon.setVisits(false, of: number)
  }

  private func refuses(_ service: String) -> Bool {
    guard daemon.standing().authorization == .authorizedWhenInUse else { return false }
    tell(.failed(CLError(.denied, "\(service) needs the permission Always.")))
    return true
  }

  /// Metres.
  open var maximumRegionMonitoringDistance: CLLocationDistance { Region.longestRadius }

  /// The regions of all managers of the app, those of earlier runs too.
  open var monitoredRegions: Set<CLRegion> { Set(daemon.regions().map { CLRegion.region($0) }) }

  /// A region of the same identifier is replaced.
  open func startMonitoring(for region: CLRegion) {
    guard let wanted = Region(region) else {
      return fail(region, .regionMonitoringFailure, "Circles and beacons can be monitored.")
    }
    guard wanted.isPossible else {
      return fail(region, .regionMonitoringFailure, "The region has no possible center and radius.")
    }
    guard daemon.standing().authorization != .authorizedWhenInUse else {
      return fail(region, .regionMonitoringDenied, "Region monitoring needs the permission Always.")
    }
    daemon.startMonitoring(wanted, of: number)
  }

  @available(*, deprecated, renamed: "startMonitoring(for:)")
  open func startMonitoring(for region: CLRegion, desiredAccuracy accuracy: CLLocationAccuracy) {
    startMonitoring(for: region)
  }

  open func stopMonitoring(for region: CLRegion) {
    daemon.stopMonitoring(region.identifier)
  }

  /// `didDetermineState` says it.
  open func requestState(for region: CLRegion) {
    guard let wanted = Region(region) else {
      return fail(region, .regionMonitoringFailure, "Only circles and beacons have a state.")
    }
    daemon.requestState(wanted, of: number)
  }

  private func fail(_ region: CLRegion, _ code: CLError.Code, _ message: String) {
    tell(.monitoringFailed(region, CLError(code, message)))
  }

  // MARK: Permission

  /// Whether there is a location service and an administrator lets it run. Waits a moment for the
  /// daemon.
  open class func locationServicesEnabled() -> Bool { Daemon.current.isEnabled() }

  @available(*, deprecated, message: "Use the property authorizationStatus.")
  open class func authorizationStatus() -> CLAuthorizationStatus {
    CLAuthorizationStatus(Daemon.current.standing().authorization)
  }

  /// Waits a moment for the daemon, the first time.
  open var authorizationStatus: CLAuthorizationStatus {
    CLAuthorizationStatus(daemon.standing().authorization)
  }

  open var accuracyAuthorization: CLAccuracyAuthorization {
    daemon.standing().accuracy == .full ? .fullAccuracy : .reducedAccuracy
  }

  /// Linux has no widgets with rights of their own.
  open var isAuthorizedForWidgetUpdates: Bool { authorizationStatus.isAuthorized }

  /// Without an effect where somebody has decided.
  open func requestWhenInUseAuthorization() {
    daemon.requestAuthorization(.authorizedWhenInUse)
  }

  /// Asks once more where the app may know the location while in use.
  open func requestAlwaysAuthorization() {
    daemon.requestAuthorization(.authorizedAlways)
  }

  open func requestTemporaryFullAccuracyAuthorization(withPurposeKey purposeKey: String) {
    requestTemporaryFullAccuracyAuthorization(withPurposeKey: purposeKey, completion: nil)
  }

  /// Asks for exact places while the app is in use. The completion's error is nil where the person was
  /// asked, whatever the answer: `accuracyAuthorization` says it.
  open func requestTemporaryFullAccuracyAuthorization(
    withPurposeKey purposeKey: String, completion: (((any Error)?) -> Void)? = nil
  ) {
    let callback = Callback(completion ?? { _ in })
    func end(_ error: CLError?) { tell(.completion { callback.call(error) }) }
    guard let purpose = daemon.info.temporaryPurpose(purposeKey) else {
      return end(
        CLError(
          .promptDeclined,
          "NSLocationTemporaryUsageDescriptionDictionary in Info.plist has no \(purposeKey)."))
    }
    guard authorizationStatus.isAuthorized, accuracyAuthorization == .reducedAccuracy else {
      return end(
        CLError(.promptDeclined, "Only an app that is told reduced places can ask for exact ones."))
    }
    daemon.requestFullAccuracy(purpose) { [mailbox] error in
      mailbox.enqueue(NumberedDelivery(.completion { callback.call(error) }))
    }
  }

  nonisolated(nonsending) open func requestTemporaryFullAccuracyAuthorization(
    withPurposeKey purposeKey: String
  ) async throws {
    try await withCheckedThrowingContinuation {
      (continuation: CheckedContinuation<Void, any Error>) in
      requestTemporaryFullAccuracyAuthorization(withPurposeKey: purposeKey) { error in
        if let error { continuation.resume(throwing: error) } else { continuation.resume() }
      }
    }
  }

  // MARK: Abilities of this machine

  /// Whether the daemon tells headings; without a compass none come.
  open class func headingAvailable() -> Bool { Daemon.current.has(.heading) }

  open class func significantLocationChangeMonitoringAvailable() -> Bool {
    Daemon.current.has(.significant)
  }

  open class func isMonitoringAvailable(for regionClass: AnyClass) -> Bool {
    regionClass is CLCircularRegion.Type && Daemon.current.has(.regions)
      || regionClass is CLBeaconRegion.Type && Daemon.current.has(.beacons)
  }

  @available(*, deprecated, message: "Use isMonitoringAvailable(for:).")
  open class func regionMonitoringAvailable() -> Bool { Daemon.current.has(.regions) }

  @available(*, deprecated, message: "Use isMonitoringAvailable(for:) and authorizationStatus.")
  open class func regionMonitoringEnabled() -> Bool { Daemon.current.has(.regions) }

  /// True where the daemon ranges beacons; without Bluetooth ranging fails with `rangingUnavailable`.
  open class func isRangingAvailable() -> Bool { Daemon.current.has(.beacons) }

  @available(*, deprecated, message: "Updates are not deferred.")
  open class func deferredLocationUpdatesAvailable() -> Bool { false }

  // MARK: Beacons

  /// The delegate is told of those that are near once a second.
  open func startRangingBeacons(satisfying constraint: CLBeaconIdentityConstraint) {
    range { $0.constraints.insert(constraint) }
  }

  open func stopRangingBeacons(satisfying constraint: CLBeaconIdentityConstraint) {
    range { $0.constraints.remove(constraint) }
  }

  open var rangedBeaconConstraints: Set<CLBeaconIdentityConstraint> { ranged.constraints }

  @available(*, deprecated, renamed: "startRangingBeacons(satisfying:)")
  open func startRangingBeacons(in region: CLBeaconRegion) { range { $0.regions.insert(region) } }

  @available(*, deprecated, renamed: "stopRangingBeacons(satisfying:)")
  open func stopRangingBeacons(in region: CLBeaconRegion) { range { $0.regions.remove(region) } }

  @available(*, deprecated, renamed: "rangedBeaconConstraints")
  open var rangedRegions: Set<CLRegion> { ranged.regions }

  // MARK: Unavailable: each answers as Apple's does where a device cannot

  /// Fails with `deferredFailed`.
  @available(*, deprecated, message: "Updates are not deferred.")
  open func allowDeferredLocationUpdates(
    untilTraveled distance: CLLocationDistance, timeout: TimeInterval
  ) {
    tell(.deferralFailed)
  }

  @available(*, deprecated, message: "Updates are not deferred.")
  open func disallowDeferredLocationUpdates() {}

  /// Fails with `unsupportedPlatform`.
  open func startMonitoringLocationPushes(
    completion: ((Data?, (any Error)?) -> Void)? = nil
  ) {
    let callback = Callback(completion ?? { _, _ in })
    let error = CLLocationPushServiceError(
      .unsupportedPlatform,
      userInfo: [NSLocalizedDescriptionKey: "No server pushes to programs on Linux."])
    tell(.completion { callback.call(nil, error) })
  }

  open func stopMonitoringLocationPushes() {}

  /// Fails with `historicalLocationError`: locationd keeps no track for apps.
  open func requestHistoricalLocations(
    purposeKey: String, sampleCount: Int,
    completionHandler: @escaping ([CLLocation], (any Error)?) -> Void
  ) {
    let error = CLError(.historicalLocationError, "No locations are kept for apps.")
    let callback = Callback(completionHandler)
    tell(.completion { callback.call([], error) })
  }
}
