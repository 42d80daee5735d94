import DBus
import Foundation
import Glibc
import LocationModel
import Platform
import TestSupport
import Testing

@Suite("Taken away from a crowd that streams", .serialized) struct RevokeCrowdTests {
  private let bus: PrivateBus
  private let logind: Logind
  private let daemon: RunningDaemon
  private let administrator: SocketClient
  private var onSocket: [SocketClient] = []
  private var onBus: [BusClient] = []

  /// 50 at 10 Hz, of which five come by the bus.
  init() throws {
    bus = try PrivateBus(guests: [Logind.name])
    logind = try Logind(on: bus)
    daemon = try RunningDaemon(
      ["replay://{folder}/drive.nmea?rate=10&loop=1"],
      files: ["drive.nmea": Recording.drive(seconds: 600), "policy.d/rules.conf": Self.ask],
      bus: bus, flags: ["--in-use", "logind"])
    administrator = try daemon.connect()
    try logind.open("c1", of: getuid())
    onSocket = try (0..<45).map { _ in try daemon.connect() }
    for _ in 0..<5 {
      let client = try BusClient(bus.address)
      try client.waitForDaemon()
      onBus.append(client)
    }
  }

  private static let ask = "[Rule]\nAction=ask\n"

  /// The ways to take it away, and to give it back. A call takes it away with its reply; of the others
  /// it is waited for that an administrator sees it.
  enum Way: String, CaseIterable { case revoke, reset, restrict, disable, reload, lock }

  private func take(_ way: Way, _ app: JSON) throws {
    switch way {
    case .revoke: try administrator.decide("denied")
    case .reset: _ = try administrator.ask("permissions.reset", ["app": app])
    case .restrict: try administrator.decide("restricted")
    case .disable: _ = try administrator.ask("services.set", ["enabled": .bool(false)])
    case .reload:
      try daemon.write("[Rule]\nAction=deny\n", to: "policy.d/rules.conf")
      daemon.program.signal(SIGHUP)
      try waitForAll("authorization", "denied")
    case .lock:
      try logind.change("c1", ["LockedHint": .bool(true)])
      try waitForAll("inUse", .bool(false))
    }
  }

  private func give(_ way: Way, _ app: JSON) throws {
    switch way {
    case .revoke, .reset: break
    case .restrict: _ = try administrator.ask("permissions.unrestrict", ["app": app])
    case .disable: _ = try administrator.ask("services.set", ["enabled": .bool(true)])
    case .reload:
      try daemon.write(Self.ask, to: "policy.d/rules.conf")
      daemon.program.signal(SIGHUP)
      try waitForAll("authorization", "authorizedWhenInUse")
    case .lock: try logind.change("c1", ["LockedHint": .bool(false)])
    }
  }

  private func waitForAll(_ member: String, _ value: JSON) throws {
    let isSo = try eventually(within: patience) {
      try administrator.ask("status")["result"]?["clients"]?.array?
        .allSatisfy { $0[member] == value } == true
    }
    #expect(isSo, "\(member)")
  }

  @Test("nothing with a place is written after the reply, whatever took it away")
  func crowd() throws {
    let app = try #require(try administrator.ask("hello")["result"]?["app"])
    let paths = try onBus.map { try $0.makeClient() }
    for way in Way.allCases {
      try administrator.decide("authorizedWhenInUse")
      for client in onSocket { client.request("startUpdatingLocation") }
      for (client, path) in zip(onBus, paths) {
        _ = try? client.ask(path, "org.locationd.Client1", "StartUpdatingLocation")
      }
      for client in onSocket { _ = try client.event() }
      for client in onBus { _ = try client.signal("DidUpdateLocations") }

      try take(way, app)
      // Earlier locations are in the kernel's buffers now, and on the bus in its own.
      for client in onSocket { while client.hasLine() { while client.waitingLine() != nil {} } }
      for client in onBus {
        _ = try client.ask("/org/locationd", "org.locationd.Manager1", "Status")
        while !client.signals("DidUpdateLocations").isEmpty {
          _ = try client.signal("DidUpdateLocations")
        }
      }
      try daemon.waitForFixes()
      for client in onSocket {
        #expect(!client.everything(quiet: 0).contains("latitude"), "\(way)")
      }
      for (client, path) in zip(onBus, paths) {
        let place = try? client.property(path, "org.locationd.Client1", "Location")
        #expect(place?.asDictionary?.isEmpty ?? true, "\(way)")
        #expect(client.signals("DidUpdateLocations").isEmpty, "\(way)")
      }
      try give(way, app)
    }
  }
}
