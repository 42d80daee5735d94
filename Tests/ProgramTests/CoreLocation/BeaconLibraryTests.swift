import Foundation
import LocationModel
import Platform
import TestSupport
import Testing

@testable import CoreLocation

/// A delegate of beacons, told in both ways.
private final class BeaconRecorder: NSObject, CLLocationManagerDelegate {
  var lists: [[CLBeacon]] = []
  var regionLists: [[CLBeacon]] = []
  var calls: [String] = []

  func locationManager(
    _ manager: CLLocationManager, didRange beacons: [CLBeacon],
    satisfying beaconConstraint: CLBeaconIdentityConstraint
  ) {
    lists.append(beacons)
  }

  func locationManager(
    _ manager: CLLocationManager, didRangeBeacons beacons: [CLBeacon], in region: CLBeaconRegion
  ) {
    regionLists.append(beacons)
  }

  func locationManager(
    _ manager: CLLocationManager, didFailRangingFor beaconConstraint: CLBeaconIdentityConstraint,
    error: any Error
  ) {
    calls.append("failed \((error as? CLError)?.code.rawValue ?? -1)")
  }

  func locationManager(
    _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: any Error
  ) {
    calls.append(
      "refused \(region?.identifier ?? "") \((error as? CLError)?.code.rawValue ?? -1)")
  }

  func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {
    calls.append("enter \(region.identifier) \((region as? CLBeaconRegion)?.uuid.uuidString ?? "")")
  }

  func locationManager(
    _ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion
  ) {
    calls.append("state \(state == .inside ? "inside" : "other")")
  }
}

/// BlueZ on a thread of its own: it answers while other tests hold up the main queue.
// Unchecked: the lock guards it.
private final class BlueZOnItsOwn: @unchecked Sendable {
  private let lock = NSLock()
  private let bluez: PlayedBlueZ
  private var minors: [UInt16] = []

  init(_ bus: PrivateBus) throws {
    bluez = try PlayedBlueZ(bus)
    Thread.detachNewThread { [weak self] in
      while let self {
        self.with {
          for minor in self.minors { try? $0.report(minor) }
          try? $0.client.loop.turn(within: .milliseconds(5))
        }
        usleep(1000)
      }
    }
  }

  /// Beacons that it reports from now on.
  func reports(_ minors: [UInt16]) { lock.withLock { self.minors = minors } }

  func with<R>(_ body: (PlayedBlueZ) throws -> R) rethrows -> R {
    try lock.withLock { try body(bluez) }
  }
}

@Suite("Beacons in an app", .serialized) @MainActor struct BeaconLibraryTests {
  private let bus: PrivateBus
  private let daemon: RunningDaemon
  private let bluez: BlueZOnItsOwn
  private let recorder = BeaconRecorder()

  init() throws {
    bus = try PrivateBus(own: PlayedBlueZ.policy)
    daemon = try RunningDaemon(["static:45,7,100,5"], bus: bus)
    bluez = try BlueZOnItsOwn(bus)
  }

  private static let uuid = UUID(uuidString: PlayedBlueZ.uuid)

  /// Reports while the main queue goes on.
  private func report(_ minors: [UInt16], until isSo: () -> Bool) async throws {
    bluez.reports(minors)
    defer { bluez.reports([]) }
    #expect(await until { isSo() })
  }

  private func manager() -> CLLocationManager {
    let manager = daemon.library().serves { CLLocationManager() }
    manager.delegate = recorder
    return manager
  }

  @Test("beacons are ranged by constraint and, as before, by region; both are stopped")
  func ranging() async throws {
    let uuid = try #require(Self.uuid)
    let manager = manager()
    let constraint = CLBeaconIdentityConstraint(uuid: uuid)
    let region = CLBeaconRegion(uuid: uuid, major: 1, identifier: "hall")
    manager.startRangingBeacons(satisfying: constraint)
    (manager as any OlderRanging).startOlder(region)
    #expect(manager.rangedBeaconConstraints == [constraint])
    try await report([3, 2]) {
      recorder.lists.last?.count == 2 && recorder.regionLists.last?.count == 2
    }
    let beacon = try #require(recorder.lists.last?.first)
    #expect(beacon.uuid == uuid && beacon.major == 1 && beacon.minor == 2)
    #expect(beacon.proximity == .near && beacon.rssi == -60 && beacon.accuracy > 1)
    manager.stopRangingBeacons(satisfying: constraint)
    (manager as any OlderRanging).stopOlder(region)
    #expect(manager.rangedBeaconConstraints.isEmpty)
    try await report([]) { bluez.with(\.discoverers.isEmpty) }
  }

  @Test("a manager monitors a beacon's region, and a monitor its condition")
  func regions() async throws {
    let uuid = try #require(Self.uuid)
    let library = daemon.library()
    let manager = library.serves { CLLocationManager() }
    manager.delegate = recorder
    manager.startMonitoring(for: CLBeaconRegion(uuid: uuid, identifier: "hall"))
    try await report([7]) { recorder.calls.contains { $0.hasPrefix("enter") } }
    #expect(recorder.calls.contains("enter hall \(PlayedBlueZ.uuid)"))
    #expect(manager.monitoredRegions.first is CLBeaconRegion)
    let monitor = await library.monitor()
    await monitor.add(
      CLMonitor.BeaconIdentityCondition(uuid: uuid, major: 1, minor: 7), identifier: "seven")
    let events = monitor.events
    let watching = Task {
      var iterator = events.makeAsyncIterator()
      guard try await iterator.next()?.state == .satisfied else { return }
      recorder.calls.append("met")
    }
    try await report([7]) { recorder.calls.contains("met") }
    watching.cancel()
    await monitor.remove("seven")
  }

  @Test("ranging that reduced accuracy or a denial stopped comes back with full accuracy")
  func reduced() async throws {
    let uuid = try #require(Self.uuid)
    let administrator = try daemon.connect()
    let app = try #require(try administrator.ask("hello")["result"]?["app"]?.string)
    func set(_ authorization: String, _ accuracy: String) throws {
      _ = try administrator.ask(
        "permissions.set",
        [
          "app": .string(app), "authorization": .string(authorization),
          "accuracy": .string(accuracy),
        ])
    }
    try set("authorizedAlways", "reduced")
    let manager = manager()
    manager.startRangingBeacons(satisfying: CLBeaconIdentityConstraint(uuid: uuid))
    try await report([]) { recorder.calls == ["failed 1"] }
    let calls = bluez.with(\.calls)
    #expect(calls.isEmpty)
    try set("authorizedAlways", "full")
    try await report([1]) { recorder.lists.last?.count == 1 }
    try set("denied", "full")
    try await report([]) { recorder.calls.count == 2 && bluez.with(\.discoverers.isEmpty) }
    recorder.lists = []
    try set("authorizedAlways", "full")
    try await report([1]) { recorder.lists.last?.count == 1 }
  }

  @Test("beacons are ranged while the app is in use, and a beacon's region needs Always")
  func inUse() async throws {
    let uuid = try #require(Self.uuid)
    let administrator = try daemon.connect()
    try administrator.decide("authorizedWhenInUse")
    let manager = manager()
    #expect(manager.authorizationStatus == .authorizedWhenInUse)
    let region = CLBeaconRegion(uuid: uuid, identifier: "hall")
    manager.startMonitoring(for: region)
    try await report([]) { recorder.calls == ["refused hall 4"] }
    #expect(manager.monitoredRegions.isEmpty)
    manager.startRangingBeacons(satisfying: region.beaconIdentityConstraint)
    try await report([2]) { recorder.lists.last?.first?.minor == 2 }
    #expect(recorder.calls.count == 1)
    // The permission Always is given while the app runs.
    try administrator.decide("authorizedAlways")
    try await report([]) { manager.authorizationStatus == .authorizedAlways }
    manager.startMonitoring(for: region)
    try await report([2]) { recorder.calls.contains("enter hall \(PlayedBlueZ.uuid)") }
  }

  @Test("an adapter that is off fails ranging as Apple's does, and beacons come once it is on")
  func off() async throws {
    let uuid = try #require(Self.uuid)
    try bluez.with { try $0.power(false) }
    let manager = manager()
    manager.startRangingBeacons(satisfying: CLBeaconIdentityConstraint(uuid: uuid))
    try await report([]) { recorder.calls == ["failed 16"] }
    try bluez.with { try $0.power(true) }
    try await report([1]) { recorder.lists.last?.count == 1 }
  }
}

/// Apple's older way, without the compiler's word about it.
private protocol OlderRanging {
  func startOlder(_ region: CLBeaconRegion)
  func stopOlder(_ region: CLBeaconRegion)
}

extension CLLocationManager: OlderRanging {
  @available(*, deprecated) func startOlder(_ region: CLBeaconRegion) {
    startRangingBeacons(in: region)
  }
  @available(*, deprecated) func stopOlder(_ region: CLBeaconRegion) {
    stopRangingBeacons(in: region)
  }
}
