import Foundation
import LocationModel
import TestSupport
import Testing

@testable import CoreLocation

@MainActor @Suite("CLLocationManager on a daemon") struct ManagerTests {
  private static func driving(
    rate: Int = 20, files: [String: String] = [:]
  ) throws -> RunningDaemon {
    try RunningDaemon(
      ["replay://{folder}/drive.nmea?rate=\(rate)&loop=1"],
      files: files.merging(["drive.nmea": Recording.drive(seconds: 600)]) { $1 })
  }

  private static let asking = ["policy.d/ask.conf": "[Rule]\nAction=ask\n"]

  @Test("the authorization is told once, then locations, in order, until they are stopped")
  func locations() async throws {
    let daemon = try Self.driving()
    let recorder = Recorder()
    let manager = daemon.library().serves { CLLocationManager() }
    manager.delegate = recorder
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
    _ = await until(within: 0.3) { false }
    #expect(recorder.locations.count == count)
    manager.startUpdatingLocation()
    #expect(await until { recorder.locations.count > count })
  }

  @Test("a delegate may stop the updates from within a callback")
  func stopWithin() async throws {
    let daemon = try Self.driving(rate: 200)
    let recorder = Recorder()
    recorder.heard = { manager, call in if call == "locations" { manager.stopUpdatingLocation() } }
    let manager = daemon.library().serves { CLLocationManager() }
    manager.delegate = recorder
    manager.startUpdatingLocation()
    #expect(await until { recorder.count("locations") >= 1 })
    _ = await until(within: 0.3) { false }
    #expect(recorder.count("locations") == 1)
  }

  @Test(
    "desiredAccuracy and distanceFilter hold, also when they change while locations are updated")
  func filters() async throws {
    let daemon = try Self.driving()
    let recorder = Recorder()
    let manager = daemon.library().serves { CLLocationManager() }
    manager.delegate = recorder
    manager.distanceFilter = 50
    manager.startUpdatingLocation()
    try #require(await until { recorder.locations.count >= 3 })
    for (a, b) in zip(recorder.locations, recorder.locations.dropFirst()) {
      #expect(b.distance(from: a) >= 50)
    }
    manager.distanceFilter = kCLDistanceFilterNone
    let count = recorder.locations.count
    try #require(await until { recorder.locations.count >= count + 4 })
    let newest = recorder.locations.suffix(4)
    let steps = zip(newest, newest.dropFirst()).map { $1.distance(from: $0) }
    #expect(steps.min() ?? 99 < 30)
  }

  @Test("odd numbers are taken as none")
  func oddNumbers() async throws {
    let daemon = try RunningDaemon()
    let recorder = Recorder()
    let manager = daemon.library().serves { CLLocationManager() }
    manager.delegate = recorder
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
    let recorder = Recorder()
    let manager = daemon.library().serves { CLLocationManager() }
    manager.delegate = recorder
    manager.requestLocation()
    manager.requestLocation()
    #expect(await until { recorder.locations.count == 1 })
    _ = await until(within: 0.3) { false }
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
    let recorder = Recorder()
    let manager = daemon.library().serves { CLLocationManager() }
    manager.delegate = recorder
    manager.requestLocation()
    #expect(await until { recorder.errors.map(\.code) == [.locationUnknown] })
    #expect(recorder.count("locations") == 0)
  }

  @Test("a request that is stopped is never answered")
  func singleStopped() async throws {
    let daemon = try RunningDaemon()
    let recorder = Recorder()
    let manager = daemon.library().serves { CLLocationManager() }
    manager.delegate = recorder
    manager.requestLocation()
    manager.stopUpdatingLocation()
    try #require(await until { recorder.count("authorization") == 1 })
    _ = await until(within: 0.5) { false }
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

  @Test("permission is asked for, its answer is told, and the updates that waited begin")
  func asked() async throws {
    let daemon = try Self.driving(files: Self.asking)
    let typist = try Typist(daemon, answers: ["w"])
    try typist.wait(for: "come here")
    let library = daemon.library(
      AppDescription(
        name: "x",
        info: [
          "NSLocationWhenInUseUsageDescription": "to show the way", "CFBundleName": "Wayfinder",
        ]))
    let recorder = Recorder()
    let manager = library.serves { CLLocationManager() }
    manager.delegate = recorder
    #expect(manager.authorizationStatus == .notDetermined)
    manager.startUpdatingLocation()
    try #require(await until { recorder.count("authorization") == 1 })
    manager.requestWhenInUseAuthorization()
    let question = try typist.wait(for: "to show the way")
    #expect(question.contains("to show the way"))
    try #require(await until { recorder.locations.count >= 1 })
    #expect(
      recorder.calls.prefix(3) == [
        "authorization notDetermined", "authorization authorizedWhenInUse", "locations",
      ])
    manager.requestWhenInUseAuthorization()
    #expect(recorder.count("authorization") == 2)
  }

  @Test("a single request waits for the person's answer; without anybody to ask it is denied")
  func singleAsks() async throws {
    let daemon = try Self.driving(files: Self.asking)
    let library = daemon.library()
    let nobody = Recorder()
    let first = library.serves { CLLocationManager() }
    first.delegate = nobody
    first.requestLocation()
    #expect(await until { nobody.errors.map(\.code) == [.denied] })
    let typist = try Typist(daemon, answers: ["w"])
    try typist.wait(for: "come here")
    let recorder = Recorder()
    let manager = library.serves { CLLocationManager() }
    manager.delegate = recorder
    manager.requestWhenInUseAuthorization()
    manager.requestLocation()
    #expect(await until { recorder.locations.count == 1 })
    #expect(recorder.errors.isEmpty)
  }

  @Test("an app that describes itself without saying why is not asked about")
  func noUsageDescription() async throws {
    let daemon = try Self.driving(files: Self.asking)
    let typist = try Typist(daemon, answers: ["w"])
    try typist.wait(for: "come here")
    let recorder = Recorder()
    let manager = daemon.library(AppDescription(name: "x", info: ["CFBundleName": "x"])).serves {
      CLLocationManager()
    }
    manager.delegate = recorder
    manager.requestWhenInUseAuthorization()
    try #require(await until { recorder.count("authorization") == 1 })
    _ = await until(within: 0.5) { false }
    #expect(recorder.calls == ["authorization notDetermined"])
  }

  @Test("a revocation is told as a changed authorization and an error; a grant lets updates go on")
  func revoked() async throws {
    let daemon = try Self.driving()
    let recorder = Recorder()
    let manager = daemon.library().serves { CLLocationManager() }
    manager.delegate = recorder
    manager.startUpdatingLocation()
    try #require(await until { recorder.locations.count >= 2 })
    let administrator = try daemon.connect()
    try administrator.decide("denied")
    try #require(await until { recorder.errors.map(\.code) == [.denied] })
    #expect(recorder.calls.contains("authorization denied"))
    let count = recorder.locations.count
    try administrator.decide("authorizedWhenInUse")
    #expect(await until { recorder.locations.count > count })
    #expect(recorder.count("authorization") == 3)
    #expect(recorder.errors.count == 1)
  }

  @Test("reduced accuracy is told, and asking for more needs a purpose")
  func reduced() async throws {
    let daemon = try RunningDaemon()
    let recorder = Recorder()
    let library = daemon.library(
      AppDescription(
        info: ["NSLocationTemporaryUsageDescriptionDictionary": ["Way": "to show the way"]]))
    let manager = library.serves { CLLocationManager() }
    manager.delegate = recorder
    #expect(manager.accuracyAuthorization == .fullAccuracy)
    await #expect(throws: CLError.self) {
      try await manager.requestTemporaryFullAccuracyAuthorization(withPurposeKey: "Way")
    }
    let administrator = try daemon.connect()
    let me = try #require(try administrator.ask("hello")["result"]?["app"])
    _ = try administrator.ask(
      "permissions.set",
      ["app": me, "authorization": "authorizedWhenInUse", "accuracy": "reduced"])
    #expect(await until { manager.accuracyAuthorization == .reducedAccuracy })
    #expect(await until { recorder.count("authorization") == 2 })
    manager.requestLocation()
    #expect(await until { recorder.locations.count == 1 })
    #expect(recorder.locations.first?.horizontalAccuracy ?? 0 >= 3000)
    do {
      try await manager.requestTemporaryFullAccuracyAuthorization(withPurposeKey: "Other")
      Issue.record("a purpose that is not described is none")
    } catch CLError.promptDeclined {}
  }

  @Test("an app that wishes for a reduced place is told one, whatever it may know")
  func reducedWish() async throws {
    let daemon = try RunningDaemon()
    let recorder = Recorder()
    let manager = daemon.library().serves { CLLocationManager() }
    manager.delegate = recorder
    manager.desiredAccuracy = kCLLocationAccuracyReduced
    manager.requestLocation()
    try #require(await until { recorder.locations.count == 1 })
    manager.startUpdatingLocation()
    try #require(await until { recorder.locations.count == 2 })
    #expect(recorder.locations.allSatisfy { $0.horizontalAccuracy >= 3000 })
    #expect(recorder.locations.allSatisfy { $0.coordinate.latitude != 45 && $0.altitude == 0 })
    manager.desiredAccuracy = kCLLocationAccuracyBest
    #expect(await until { recorder.locations.last?.horizontalAccuracy == 5 })
  }

  @Test("while in use, regions, visits and significant changes are refused by a manager")
  func whenInUse() async throws {
    let daemon = try RunningDaemon()
    try daemon.connect().decide("authorizedWhenInUse")
    let recorder = Recorder()
    let manager = daemon.library().serves { CLLocationManager() }
    manager.delegate = recorder
    manager.startMonitoring(
      for: CLCircularRegion(center: .init(latitude: 45, longitude: 7), radius: 100, identifier: "a")
    )
    manager.startMonitoringVisits()
    manager.startMonitoringSignificantLocationChanges()
    manager.startUpdatingHeading()
    #expect(await until { recorder.calls.count == 4 })
    #expect(
      recorder.calls == [
        "authorization authorizedWhenInUse", "failed a 4", "error 1", "error 1",
      ])
    #expect(manager.monitoredRegions.isEmpty)
  }

  @Test("without a daemon a manager is made, says that nothing is on, and its services fail")
  func noDaemon() async throws {
    let library = CoreLocation.Daemon(path: "/tmp/nobody-\(UUID())")
    let recorder = Recorder()
    let manager = library.serves { CLLocationManager() }
    manager.delegate = recorder
    #expect(!library.serves { CLLocationManager.locationServicesEnabled() })
    #expect(!library.serves { CLLocationManager.headingAvailable() })
    #expect(manager.authorizationStatus == .notDetermined && manager.location == nil)
    manager.requestLocation()
    #expect(await until { recorder.errors.map(\.code) == [.locationUnknown] })
    manager.startUpdatingLocation()
    manager.startUpdatingHeading()
    manager.startMonitoring(
      for: CLCircularRegion(center: .init(latitude: 45, longitude: 7), radius: 100, identifier: "a")
    )
    #expect(await until { recorder.calls.contains("failed a 6") })
    #expect(recorder.calls.contains("error 3"))
    #expect(recorder.calls.first == "authorization notDetermined")
  }

  @Test("what was asked for without a daemon begins when there is one")
  func daemonLater() async throws {
    let daemon = try RunningDaemon()
    daemon.program.signal(SIGKILL)
    _ = try daemon.program.exit()
    let recorder = Recorder()
    let manager = daemon.library().serves { CLLocationManager() }
    manager.delegate = recorder
    manager.startUpdatingLocation()
    #expect(await until { recorder.errors.count == 1 })
    try daemon.startAgain()
    #expect(await until { recorder.locations.count >= 1 })
    #expect(recorder.count("authorization authorizedAlways") == 1)
  }

  @Test("a daemon that is killed and started again is not noticed")
  func killed() async throws {
    let daemon = try Self.driving()
    let recorder = Recorder()
    let manager = daemon.library().serves { CLLocationManager() }
    manager.delegate = recorder
    manager.startUpdatingLocation()
    try #require(await until { recorder.locations.count >= 2 })
    try daemon.restart()
    let count = recorder.locations.count
    #expect(await until { recorder.locations.count > count + 2 })
    #expect(recorder.errors.isEmpty)
    #expect(recorder.count("authorization") == 1)
  }

  @Test("a thousand managers share one connection and cost nothing when they are stopped")
  func thousand() async throws {
    let daemon = try Self.driving(rate: 2)
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
    let clients = try client.ask("status")["result"]?["clients"]?.array
    #expect(clients?.count == 2)
    for manager in managers { manager.stopUpdatingLocation() }
    #expect(try await client.isQuiet())
  }

  @Test("a manager that is let go is told nothing more, and its service ends")
  func letGo() async throws {
    let daemon = try Self.driving()
    let recorder = Recorder()
    let library = daemon.library()
    var manager: CLLocationManager? = library.serves { CLLocationManager() }
    manager?.delegate = recorder
    manager?.startUpdatingLocation()
    try #require(await until { recorder.locations.count >= 1 })
    manager = nil
    let count = recorder.locations.count
    _ = await until(within: 0.3) { false }
    #expect(recorder.locations.count == count)
    let client = try daemon.connect()
    #expect(try await client.isQuiet())
  }

  @Test("headings are told from the edge that the app chose")
  func headings() async throws {
    let sentences = (0..<600).map { i in
      Recording.sentence("HCHDG,\(i % 2 == 0 ? 90 : 95).0,,,,") + Recording.epochs(600)[i]
    }
    let daemon = try RunningDaemon(
      ["replay://{folder}/h.nmea?rate=20&loop=1"], files: ["h.nmea": sentences.joined()])
    let recorder = Recorder()
    let manager = daemon.library().serves { CLLocationManager() }
    manager.delegate = recorder
    manager.headingOrientation = .landscapeLeft
    manager.startUpdatingHeading()
    manager.startUpdatingLocation()
    try #require(await until { recorder.headings.count >= 4 })
    let last = try #require(recorder.headings.last)
    #expect([180.0, 185.0].contains(last.magneticHeading.rounded()))
    #expect(last.trueHeading >= 0 && last.trueHeading != last.magneticHeading)
    #expect(manager.heading === last)
    #expect(CLLocationManager.isRangingAvailable() == false)
  }

  @Test("what this machine cannot do fails as Apple's does")
  func unavailable() async throws {
    let daemon = try RunningDaemon()
    let library = daemon.library()
    let recorder = Recorder()
    let manager = library.serves { CLLocationManager() }
    manager.delegate = recorder
    let uuid = UUID()
    manager.startRangingBeacons(satisfying: CLBeaconIdentityConstraint(uuid: uuid))
    manager.startMonitoring(for: CLBeaconRegion(uuid: uuid, identifier: "b"))
    #expect(await until { recorder.calls.count == 3 })
    #expect(recorder.calls == ["authorization authorizedAlways", "ranging 16", "failed b 5"])
    library.serves {
      #expect(CLLocationManager.locationServicesEnabled())
      #expect(CLLocationManager.headingAvailable())
      #expect(CLLocationManager.significantLocationChangeMonitoringAvailable())
      #expect(CLLocationManager.isMonitoringAvailable(for: CLCircularRegion.self))
      #expect(!CLLocationManager.isMonitoringAvailable(for: CLBeaconRegion.self))
    }
    _ = try daemon.connect().ask("services.set", ["enabled": .bool(false)])
    #expect(!library.serves { CLLocationManager.locationServicesEnabled() })
  }
}
