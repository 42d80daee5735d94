import Foundation
import LocationModel
import TestSupport
import Testing

@testable import CoreLocation

@MainActor @Suite("CLLocationManager on a daemon", .timeLimit(.minutes(60))) struct ManagerTests {
  @Test("the authorization is told once, then locations, in order, until they are stopped")
  func locations() async throws {
    let daemon = try RunningDaemon.driving()
    let (manager, recorder) = daemon.library().manager()
    #expect(recorder.calls.isEmpty, "callbacks come later")
    manager.startUpdatingLocation()
    manager.startUpdatingLocation()
    try #require(await until { recorder.locations.count >= 5 })
    #expect(recorder.calls[0] == "authorization authorizedAlways")
    #expect(recorder.count("authorization") == 1)
    #expect(recorder.locations.map(\.timestamp) == recorder.locations.map(\.timestamp).sorted())
    let last = try #require(recorder.locations.last)
    #expect(abs(last.coordinate.longitude - 7) < 0.001 && last.coordinate.latitude > 45)
    #expect(last.speed > 9 && last.course >= 0 && last.speedAccuracy == -1)
    #expect(last.sourceInformation?.isSimulatedBySoftware == true)
    #expect(manager.location === last)
    manager.stopUpdatingLocation()
    let count = recorder.locations.count
    try await daemon.gives(to: manager.daemon)
    #expect(recorder.locations.count == count)
    manager.startUpdatingLocation()
    #expect(await until { recorder.locations.count > count })
  }

  @Test("a delegate may stop the updates from within a callback")
  func stopWithin() async throws {
    let daemon = try RunningDaemon.driving(rate: 200)
    let recorder = Recorder()
    recorder.heard = { manager, call in if call == "locations" { manager.stopUpdatingLocation() } }
    let manager = daemon.library().serves { CLLocationManager() }
    manager.delegate = recorder
    manager.startUpdatingLocation()
    #expect(await until { recorder.count("locations") >= 1 })
    try await daemon.gives(to: manager.daemon)
    #expect(recorder.count("locations") == 1)
  }

  @Test(
    "desiredAccuracy and distanceFilter hold, also when they change while locations are updated")
  func filters() async throws {
    let daemon = try RunningDaemon.driving()
    let (manager, recorder) = daemon.library().manager()
    manager.distanceFilter = 50
    manager.startUpdatingLocation()
    try #require(await until { recorder.locations.count >= 3 })
    for (a, b) in zip(recorder.locations, recorder.locations.dropFirst()) {
      #expect(b.distance(from: a) >= 50)
    }
    manager.distanceFilter = kCLDistanceFilterNone
    let count = recorder.locations.count
    // What a client is too slow to read is replaced by what is newer: not each step is a short one.
    #expect(
      await until {
        let newest = recorder.locations.dropFirst(count)
        return zip(newest, newest.dropFirst()).contains { $1.distance(from: $0) < 30 }
      })
  }

  @Test("odd numbers are taken as none")
  func oddNumbers() async throws {
    let daemon = try RunningDaemon()
    let (manager, recorder) = daemon.library().manager()
    manager.desiredAccuracy = .nan
    manager.distanceFilter = -.infinity
    manager.headingFilter = .nan
    manager.startUpdatingHeading()
    manager.startUpdatingLocation()
    #expect(await until { recorder.count("locations") >= 1 })
    manager.distanceFilter = CLLocationDistanceMax
    manager.startMonitoring(
      for: CLCircularRegion(
        center: .init(latitude: .nan, longitude: 500), radius: -1, identifier: ""))
    #expect(await until { recorder.calls.contains("failed  5") })
    #expect(recorder.count("error") == 0)
  }

  @Test("a single request ends once, and does nothing while another or the updates are under way")
  func single() async throws {
    let daemon = try RunningDaemon()
    let (manager, recorder) = daemon.library().manager()
    manager.requestLocation()
    manager.requestLocation()
    #expect(await until { recorder.locations.count == 1 })
    try await daemon.gives(to: manager.daemon)
    #expect(recorder.locations.count == 1)
    manager.requestLocation()
    manager.startUpdatingLocation()
    manager.requestLocation()
    #expect(await until { recorder.locations.count >= 3 })
    #expect(recorder.calls[0] == "authorization authorizedAlways")
    #expect(recorder.count("error") == 0)
  }

  @Test("a single request without any fix fails once, with locationUnknown")
  func singleFails() async throws {
    let daemon = try RunningDaemon([])
    let (manager, recorder) = daemon.library().manager()
    manager.requestLocation()
    #expect(await until { recorder.errors.map(\.code) == [.locationUnknown] })
    #expect(recorder.count("locations") == 0)
  }

  @Test("a request that is stopped is never answered")
  func singleStopped() async throws {
    let daemon = try RunningDaemon()
    let (manager, recorder) = daemon.library().manager()
    manager.requestLocation()
    manager.stopUpdatingLocation()
    try #require(await until { recorder.count("authorization") == 1 })
    try await daemon.gives(to: manager.daemon)
    #expect(recorder.calls == ["authorization authorizedAlways"])
  }

  @Test("location is known before anything is started, where the daemon knows it")
  func location() async throws {
    let daemon = try RunningDaemon()
    let library = daemon.library()
    let first = library.serves { CLLocationManager() }
    let recorder = Recorder()
    first.delegate = recorder
    first.requestLocation()
    #expect(await until { recorder.locations.count == 1 })
    let second = library.serves { CLLocationManager() }
    #expect(second.location?.coordinate.latitude == 45)
    #expect(second.location?.altitude == 100)
  }

  @Test("callbacks run on the run loop of the thread that made the manager")
  func runLoop() async throws {
    let daemon = try RunningDaemon()
    let library = daemon.library()
    let threads = try await withCheckedThrowingContinuation { continuation in
      let thread = Thread {
        let recorder = Recorder()
        let manager = Daemon.$current.withValue(library) { CLLocationManager() }
        var threads: [Bool] = []
        let me = Thread.current
        recorder.heard = { _, _ in threads.append(Thread.current === me) }
        manager.delegate = recorder
        manager.startUpdatingLocation()
        let deadline = Date(timeIntervalSinceNow: patience)
        while threads.count < 2, Date() < deadline {
          _ = RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 1))
        }
        continuation.resume(returning: threads)
      }
      thread.start()
    }
    #expect(threads == [true, true])
  }

  @Test("a thousand managers share one connection and cost nothing when they are stopped")
  func thousand() async throws {
    let daemon = try RunningDaemon.driving(rate: 2)
    let library = daemon.library()
    let recorder = Recorder()
    let managers = library.serves { (0..<1000).map { _ in CLLocationManager() } }
    for manager in managers {
      manager.delegate = recorder
      manager.startUpdatingLocation()
    }
    try #require(await until { recorder.count("locations") >= 3000 })
    #expect(recorder.count("authorization") == 1000)
    let client = try daemon.connect()
    #expect(try daemon.status(client).clients?.count == 2)
    for manager in managers { manager.stopUpdatingLocation() }
    #expect(try await until { try daemon.updating() == 0 })
  }

  @Test("a manager that is let go is told nothing more, and its service ends")
  func letGo() async throws {
    let daemon = try RunningDaemon.driving()
    let recorder = Recorder()
    let library = daemon.library()
    var manager: CLLocationManager? = library.serves { CLLocationManager() }
    manager?.delegate = recorder
    manager?.startUpdatingLocation()
    try #require(await until { recorder.locations.count >= 1 })
    manager = nil
    let count = recorder.locations.count
    try await daemon.gives(to: library)
    #expect(recorder.locations.count == count)
    #expect(try await until { try daemon.updating() == 0 }, "the watcher leaves, too")
  }

  @Test("headings are told from the edge that the app chose")
  func headings() async throws {
    let sentences = (0..<600).map { i in
      Recording.sentence("HCHDG,\(i % 2 == 0 ? 90 : 95).0,,,,") + Recording.epochs(600)[i]
    }
    let daemon = try RunningDaemon(
      ["replay://{folder}/h.nmea?rate=20&loop=1"], files: ["h.nmea": sentences.joined()])
    let (manager, recorder) = daemon.library().manager()
    manager.headingOrientation = .landscapeLeft
    manager.startUpdatingHeading()
    manager.startUpdatingLocation()
    try #require(await until { recorder.headings.count >= 4 })
    let last = try #require(recorder.headings.last)
    #expect([180.0, 185.0].contains(last.magneticHeading.rounded()))
    #expect(last.trueHeading >= 0 && last.trueHeading != last.magneticHeading)
    #expect(manager.heading === last)
  }

  @Test("what this machine cannot do fails as Apple's does")
  func unavailable() async throws {
    let daemon = try RunningDaemon()
    let library = daemon.library()
    let (manager, recorder) = library.manager()
    // Without a bus there is no Bluetooth.
    manager.startRangingBeacons(satisfying: CLBeaconIdentityConstraint(uuid: UUID()))
    manager.startMonitoring(for: CLRegion())
    #expect(await until { recorder.calls.count == 3 })
    #expect(Set(recorder.calls) == ["authorization authorizedAlways", "ranging 16", "failed  5"])
    library.serves {
      #expect(CLLocationManager.locationServicesEnabled())
      #expect(CLLocationManager.headingAvailable())
      #expect(CLLocationManager.significantLocationChangeMonitoringAvailable())
      #expect(CLLocationManager.isMonitoringAvailable(for: CLCircularRegion.self))
      #expect(CLLocationManager.isMonitoringAvailable(for: CLBeaconRegion.self))
      #expect(!CLLocationManager.isMonitoringAvailable(for: CLRegion.self))
      #expect(CLLocationManager.isRangingAvailable())
    }
    _ = try daemon.connect().ask("services.set", ["enabled": .bool(false)])
    #expect(!library.serves { CLLocationManager.locationServicesEnabled() })
  }
}
