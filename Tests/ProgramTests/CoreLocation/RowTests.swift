import Foundation
import LocationClient
import LocationModel
import TestSupport
import Testing

@testable import CoreLocation

/// The rules that Apple's reference gives for single members, beside those of the other suites.
@MainActor @Suite("Core Location's rules, row by row", .timeLimit(.minutes(60))) struct RowTests {
  @Test("a manager that is made has Apple's defaults")
  func defaults() {
    CoreLocation.Daemon(path: "/tmp/nobody-\(UUID())").serves {
      let manager = CLLocationManager()
      #expect(manager.delegate == nil && manager.desiredAccuracy == kCLLocationAccuracyBest)
      #expect(manager.distanceFilter == kCLDistanceFilterNone && manager.activityType == .other)
      #expect(manager.pausesLocationUpdatesAutomatically)
      #expect(!manager.allowsBackgroundLocationUpdates)
      #expect(!manager.showsBackgroundLocationIndicator && !manager.isAuthorizedForWidgetUpdates)
      #expect(manager.headingFilter == 1 && manager.headingOrientation == .portrait)
      #expect(manager.heading == nil && manager.location == nil)
      #expect(manager.monitoredRegions.isEmpty && manager.rangedBeaconConstraints.isEmpty)
      #expect(manager.maximumRegionMonitoringDistance > 0)
      #expect(manager.accuracyAuthorization == .fullAccuracy)
    }
  }

  @Test("updates pause while the device stands still, and resume when it moves")
  func pauses() async throws {
    // Ten minutes at rest, then a walk.
    let lines = (0..<1200).map { i in
      let north = Double(max(i - 600, 0)) * 1.5 / 111_131.7
      let date = Date(timeIntervalSince1970: 1_772_359_200 + Double(i))
      return """
        {"timestamp":"\(date.formatted(.iso8601))","latitude":\(45 + north),"longitude":7,\
        "horizontalAccuracy":5}
        """
    }
    let daemon = try RunningDaemon(
      ["replay://{folder}/track.jsonl?rate=200&loop=1"],
      files: ["track.jsonl": lines.joined(separator: "\n") + "\n"])
    let library = daemon.library()
    let (manager, recorder) = library.manager()
    manager.activityType = .fitness
    manager.startUpdatingLocation()
    var iterator = library.serves { CLLocationUpdate.liveUpdates(.fitness) }.makeAsyncIterator()
    var rests = false
    while let update = try await iterator.next() {
      if update.stationary { rests = true } else if rests, update.location != nil { break }
    }
    #expect(rests)
    #expect(await until { recorder.count("resumed") >= 1 })
    #expect(recorder.count("paused") >= 1)
  }

  @Test("Always may be asked for after While Using, and only a new answer is told")
  func always() async throws {
    let daemon = try RunningDaemon(files: askingAboutEveryApp)
    let typist = try Typist(daemon, answers: ["w", "a"])
    try typist.wait(for: "come here")
    let (manager, recorder) = daemon.library().manager()
    manager.requestWhenInUseAuthorization()
    try #require(await until { recorder.calls.last == "authorization authorizedWhenInUse" })
    manager.requestAlwaysAuthorization()
    try #require(await until { recorder.calls.last == "authorization authorizedAlways" })
    manager.requestAlwaysAuthorization()
    manager.requestWhenInUseAuthorization()
    await manager.daemon.catchesUp()
    #expect(recorder.calls.last == "authorization authorizedAlways")
  }

  @Test("a refusal is told, and nobody is asked again")
  func refused() async throws {
    let daemon = try RunningDaemon(files: askingAboutEveryApp)
    let typist = try Typist(daemon, answers: ["d"])
    try typist.wait(for: "come here")
    let (manager, recorder) = daemon.library().manager()
    manager.requestWhenInUseAuthorization()
    try #require(await until { recorder.calls.last == "authorization denied" })
    manager.requestWhenInUseAuthorization()
    manager.startUpdatingLocation()
    #expect(await until { recorder.errors.map(\.code) == [.denied] })
    #expect(manager.location == nil)
  }

  @Test("Allow Once is While Using, until the app's last connection goes")
  func once() async throws {
    let daemon = try RunningDaemon(files: askingAboutEveryApp)
    let typist = try Typist(daemon, answers: ["o"])
    try typist.wait(for: "come here")
    do {
      let recorder = Recorder()
      let manager = daemon.library().serves { CLLocationManager() }
      manager.delegate = recorder
      manager.requestWhenInUseAuthorization()
      #expect(await until { recorder.calls.last == "authorization authorizedWhenInUse" })
    }
    #expect(
      await until {
        let library = daemon.library()
        return library.serves { CLLocationManager() }.authorizationStatus == .notDetermined
      })
  }

  @Test("while the app is in the background its use is held, and let go with the updates")
  func background() async throws {
    let daemon = try RunningDaemon()
    let library = daemon.library()
    let manager = library.serves { CLLocationManager() }
    manager.allowsBackgroundLocationUpdates = true
    #expect(try !daemon.holdsUse())
    manager.startUpdatingLocation()
    #expect(try await until { try daemon.holdsUse() })
    manager.stopUpdatingLocation()
    #expect(try await until { try !daemon.holdsUse() })
  }

  @Test("deferred updates, pushes and histories end with their errors")
  func unavailable() async throws {
    let daemon = try RunningDaemon()
    let manager = daemon.library().serves { CLLocationManager() }
    var errors: [(any Error)?] = []
    manager.startMonitoringLocationPushes { token, error in
      #expect(token == nil)
      errors.append(error)
    }
    manager.requestHistoricalLocations(purposeKey: "x", sampleCount: 3) { locations, error in
      #expect(locations.isEmpty)
      errors.append(error)
    }
    #expect(await until { errors.count == 2 })
    #expect((errors[0] as? CLLocationPushServiceError)?.code == .unsupportedPlatform)
    #expect((errors[1] as? CLError)?.code == .historicalLocationError)
    manager.stopMonitoringLocationPushes()
    manager.dismissHeadingCalibrationDisplay()
  }

  @Test("headings come when they have changed by the filter")
  func headingFilter() async throws {
    let sentences = (0..<1200).map { i in
      Recording.sentence("HCHDG,\(i % 200).0,,,,")
    }
    let daemon = try RunningDaemon(
      ["replay://{folder}/h.nmea?rate=50&loop=1"],
      files: ["h.nmea": zip(sentences, Recording.epochs(1200)).map { $0 + $1 }.joined()])
    let (manager, recorder) = daemon.library().manager()
    manager.headingFilter = 20
    manager.startUpdatingHeading()
    try #require(await until { recorder.headings.count >= 4 })
    for (a, b) in zip(recorder.headings, recorder.headings.dropFirst()) {
      #expect(abs(a.magneticHeading - b.magneticHeading) >= 20)
    }
    manager.stopUpdatingHeading()
    let count = recorder.headings.count
    try await daemon.gives(30, to: manager.daemon)
    #expect(recorder.headings.count == count)
  }

  @Test("a delegate of the oldest kind gets both locations, and the status as a parameter")
  func oldDelegate() async throws {
    final class Old: NSObject, CLLocationManagerDelegate {
      var statuses: [Int32] = []
      var ways: [Double] = []
      func locationManager(
        _ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus
      ) {
        statuses.append(status.rawValue)
      }
      func locationManager(
        _ manager: CLLocationManager, didUpdateTo newLocation: CLLocation,
        from oldLocation: CLLocation
      ) {
        ways.append(newLocation.distance(from: oldLocation))
      }
    }
    let daemon = try RunningDaemon(
      ["replay://{folder}/drive.nmea?rate=20&loop=1"],
      files: ["drive.nmea": Recording.drive(seconds: 600)])
    let old = Old()
    let manager = daemon.library().serves { CLLocationManager() }
    manager.delegate = old
    manager.startUpdatingLocation()
    try #require(await until { old.ways.count >= 4 })
    #expect(old.statuses == [3] && old.ways[0] == 0)
    #expect(old.ways[1...].allSatisfy { $0 > 5 })
  }
}
