import LocationModel
import ReceiverCore
import Testing

@testable import LocationCore

@Suite("Beacons that this machine is") struct AdvertisingTests {
  private let frame = BeaconFrame(
    BeaconIdentity(BeaconWorld.uuid, major: 1, minor: 2), measuredPower: -59)

  private func world() -> BeaconWorld {
    let world = BeaconWorld()
    world.connectOthers()
    return world
  }

  private func told(_ world: BeaconWorld) -> [String] {
    world.told.compactMap {
      switch $0.1 {
      case .didStartAdvertising: "started"
      case .advertisingDidFail(let refusal): "\(refusal.code)"
      default: nil
      }
    }
  }

  @Test("a beacon is sent while a client wants it, which is told how that fares")
  func lasts() {
    let world = world()
    world.call(.startAdvertising(frame))
    #expect(world.advertised == [frame] && told(world).isEmpty)
    world.handle(.advertised(frame, trouble: "the Bluetooth adapter is off"))
    world.handle(.advertised(frame, trouble: nil))
    #expect(told(world) == ["rangingUnavailable", "started"])
    // Another manager that wants the same is told at once.
    world.call(.startAdvertising(frame), manager: 2)
    #expect(told(world).count == 3)
    world.call(.status, from: BeaconWorld.administrator)
    #expect(world.status?.need?.advertising == 1)
    world.call(.stopAdvertising)
    #expect(world.advertised == [frame])
    world.handle(.gone(BeaconWorld.client))
    #expect(world.advertised.isEmpty)
  }

  @Test(
    "a client without Always is refused, and nothing is sent",
    arguments: [Authorization.denied, .restricted, .authorizedWhenInUse, nil])
  func always(authorization: Authorization?) {
    let world = world()
    if let authorization { world.set(authorization, app: "unit:other.service") }
    world.call(.startAdvertising(frame), from: BeaconWorld.stranger)
    #expect(world.refused.map(\.code) == [.denied] && world.advertised.isEmpty)
  }

  @Test("a permission that is taken away ends it at once, and a grant does not bring it back")
  func revoked() {
    let world = world()
    world.set(.authorizedAlways, app: "unit:other.service")
    world.call(.startAdvertising(frame), from: BeaconWorld.stranger)
    #expect(world.advertised == [frame])
    world.handle(.advertised(frame, trouble: nil))
    world.set(.authorizedWhenInUse, app: "unit:other.service")
    #expect(world.advertised.isEmpty && told(world) == ["started", "denied"])
    world.set(.authorizedAlways, app: "unit:other.service")
    #expect(world.advertised.isEmpty)
  }

  @Test("the programs of a user have it be four at most")
  func bound() {
    let world = world()
    for minor in 0..<5 {
      let identity = BeaconIdentity(BeaconWorld.uuid, major: 1, minor: UInt16(minor))
      world.call(.startAdvertising(BeaconFrame(identity)), manager: minor)
    }
    #expect(world.advertised.count == 4 && world.refused.map(\.code) == [.limitExceeded])
    // Another takes the place of one's own.
    world.call(.startAdvertising(frame), manager: 0)
    #expect(world.advertised.count == 3)
    #expect(world.refused.count == 1)
  }
}
