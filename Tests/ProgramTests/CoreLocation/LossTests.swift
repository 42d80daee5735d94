import Foundation
import LocationModel
import TestSupport
import Testing

@testable import CoreLocation

@MainActor @Suite("CLLocationManager without a daemon", .timeLimit(.minutes(60)))
struct ManagerLossTests {
  @Test("without a daemon a manager is made, says that nothing is on, and its services fail")
  func noDaemon() async throws {
    let library = CoreLocation.Daemon(path: "/tmp/nobody-\(UUID())")
    let (manager, recorder) = library.manager()
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
    let (manager, recorder) = daemon.library().manager()
    manager.startUpdatingLocation()
    #expect(await until { recorder.errors.count == 1 })
    try daemon.startAgain()
    #expect(await until { recorder.locations.count >= 1 })
    #expect(recorder.count("authorization authorizedAlways") == 1)
  }

  @Test("a daemon that is killed and started again is not noticed")
  func killed() async throws {
    let daemon = try RunningDaemon.driving()
    let (manager, recorder) = daemon.library().manager()
    manager.startUpdatingLocation()
    try #require(await until { recorder.locations.count >= 2 })
    try daemon.restart()
    let count = recorder.locations.count
    #expect(await until { recorder.locations.count > count + 2 })
    #expect(recorder.errors.isEmpty)
    #expect(recorder.count("authorization") == 1)
  }

  private static func circle(_ name: String, radius: Double = 150) -> CLCircularRegion {
    CLCircularRegion(
      center: .init(latitude: 45, longitude: 7), radius: radius, identifier: name)
  }

  /// The regions that the daemon has, with their radii.
  private static func regions(of daemon: RunningDaemon) throws -> [String: Double] {
    let answer = try daemon.connect().ask("monitoredRegions")["result"]?["regions"]?.array ?? []
    return Dictionary(
      uniqueKeysWithValues: answer.compactMap { region in
        region["identifier"]?.string.map { ($0, region["radius"]?.double ?? 0) }
      })
  }

  @Test("what is stopped and started while there is no daemon is so once it is back")
  func stoppedMeanwhile() async throws {
    let daemon = try RunningDaemon()
    let (manager, recorder) = daemon.library().manager()
    for name in ["home", "yard"] { manager.startMonitoring(for: Self.circle(name)) }
    manager.startMonitoringVisits()
    manager.startMonitoringSignificantLocationChanges()
    try #require(await until { recorder.count("started") == 2 })
    daemon.program.signal(SIGKILL)
    _ = try daemon.program.exit()
    manager.stopMonitoring(for: Self.circle("home"))
    manager.startMonitoring(for: Self.circle("yard", radius: 500))
    manager.stopMonitoringVisits()
    manager.stopMonitoringSignificantLocationChanges()
    try daemon.startAgain()
    #expect(await until { recorder.count("started yard") == 2 })
    #expect(try await until { try Self.regions(of: daemon) == ["yard": 500] })
    #expect(manager.monitoredRegions.map(\.identifier) == ["yard"])
    let one = try #require(daemon.connect().ask("status")["result"]?["monitors"]?.array?.first)
    #expect(one["visits"]?.bool == false && one["significant"]?.bool == false)
  }

  @Test("the first call of a program may stop a region, and start one that the daemon has")
  func stoppedFirst() async throws {
    let daemon = try RunningDaemon()
    let (manager, recorder) = daemon.library().manager()
    for name in ["home", "yard"] { manager.startMonitoring(for: Self.circle(name)) }
    try #require(await until { recorder.count("started") == 2 })
    let (again, other) = daemon.library().manager()
    again.stopMonitoring(for: Self.circle("home"))
    again.startMonitoring(for: Self.circle("yard"))
    #expect(await until { other.count("started yard") == 1 })
    #expect(try await until { try Self.regions(of: daemon) == ["yard": 150] })
  }
}
