import Foundation
import TestSupport
import Testing

@testable import CoreLocation

@MainActor @Suite("CLLocationManager on a daemon") struct ManagerTests {
  @Test("the authorization is told once, then locations, in order, until they are stopped")
  func locations() async throws {
    let daemon = try RunningDaemon(
      ["replay://{folder}/drive.nmea?rate=20&loop=1"],
      files: ["drive.nmea": Recording.drive(seconds: 600)])
    let recorder = Recorder()
    let manager = daemon.library().serves { CLLocationManager() }
    manager.delegate = recorder
    manager.startUpdatingLocation()
    #expect(await until { recorder.locations.count >= 5 })
    #expect(recorder.calls[0] == "authorization authorizedAlways")
    #expect(recorder.count("authorization") == 1)
    #expect(recorder.locations.map(\.timestamp) == recorder.locations.map(\.timestamp).sorted())
    let last = try #require(recorder.locations.last)
    #expect(abs(last.coordinate.longitude - 7) < 0.001 && last.coordinate.latitude > 45)
    #expect(last.speed > 9 && last.course >= 0 && last.speedAccuracy == -1)
    #expect(last.sourceInformation?.isSimulatedBySoftware == true)
    manager.stopUpdatingLocation()
    let count = recorder.locations.count
    _ = await until(within: 0.3) { false }
    #expect(recorder.locations.count == count)
  }

  @Test("a single request ends once")
  func single() async throws {
    let daemon = try RunningDaemon()
    let recorder = Recorder()
    let manager = daemon.library().serves { CLLocationManager() }
    manager.delegate = recorder
    manager.requestLocation()
    manager.requestLocation()
    #expect(await until { recorder.locations.count == 1 })
    _ = await until(within: 0.3) { false }
    #expect(recorder.calls == ["authorization authorizedAlways", "locations"])
  }
}
