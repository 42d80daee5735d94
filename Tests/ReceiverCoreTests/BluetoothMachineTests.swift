import LocationModel
import Testing

@testable import ReceiverCore

@Suite("Which Bluetooth adapter listens") struct BluetoothMachineTests {
  private typealias Adapter = BluetoothMachine.Adapter

  /// A machine with a clock in the test's hand.
  private final class Bench {
    private(set) var machine = BluetoothMachine()
    var now = Boottime.start

    func handle(_ input: BluetoothMachine.Input) -> [BluetoothMachine.Step] {
      var steps: [BluetoothMachine.Step] = []
      machine.handle(input, at: now, into: &steps)
      return steps
    }
  }

  private let bench = Bench()

  private func handle(_ input: BluetoothMachine.Input) -> [BluetoothMachine.Step] {
    bench.handle(input)
  }

  private static let on = Adapter("/hci0", isPowered: true)
  private static let busy = Adapter("/hci0", isPowered: true, isDiscovering: true)

  @Test("it listens while it is wanted, and stops at once after")
  func wanted() {
    #expect(handle(.wanted(.discovery)) == [] && handle(.service(isThere: true)) == [])
    #expect(handle(.adapters([Self.on])) == [.start(.discovery, "/hci0")])
    #expect(handle(.started(.done)) == [.found])
    #expect(handle(.adapters([Self.busy])) == [])
    #expect(handle(.wanted(nil)) == [.stop(.discovery, "/hci0")])
    #expect(handle(.stopped(.done)) == [])
    #expect(handle(.service(isThere: true)) == [] && handle(.adapters([Self.on])) == [])
  }

  @Test("a stop waits until the start is answered, and a start until the stop is")
  func inTurn() {
    _ = (handle(.wanted(.discovery)), handle(.service(isThere: true)))
    #expect(handle(.adapters([Self.on])) == [.start(.discovery, "/hci0")])
    #expect(handle(.wanted(nil)) == [])
    #expect(handle(.started(.done)) == [.stop(.discovery, "/hci0")])
    #expect(handle(.wanted(.discovery)) == [] && handle(.service(isThere: true)) == [])
    #expect(handle(.adapters([Self.busy])) == [])
    #expect(handle(.stopped(.done)) == [.start(.discovery, "/hci0")])
    // Wanted again before the answer: nothing is stopped.
    #expect(handle(.wanted(nil)) == [] && handle(.wanted(.discovery)) == [])
    #expect(handle(.started(.done)) == [.found])
  }

  @Test("a start that is refused as in progress is none: it is stopped, and tried again")
  func inProgress() {
    _ = (handle(.wanted(.discovery)), handle(.service(isThere: true)))
    _ = handle(.adapters([Self.on]))
    #expect(
      handle(.started(.busy("in progress"))) == [
        .stop(.discovery, "/hci0"), .fail("BlueZ: in progress"),
      ])
    #expect(handle(.stopped(.done)) == [])
    bench.now = bench.now + .seconds(5)
    #expect(handle(.timer) == [.start(.discovery, "/hci0")])
    _ = (handle(.started(.done)), handle(.wanted(nil)))
    // A stop that is refused so is asked for again soon.
    #expect(handle(.stopped(.busy("in progress"))) == [])
    bench.now = bench.now + .milliseconds(500)
    #expect(handle(.timer) == [.stop(.discovery, "/hci0")])
    #expect(handle(.stopped(.failed("No discovery started"))) == [])
  }

  @Test("a list of adapters that is refused is said, and asked for again")
  func unlisted() {
    _ = (handle(.wanted(.discovery)), handle(.service(isThere: true)))
    #expect(handle(.unlisted("no list now")) == [.fail("BlueZ: no list now")])
    #expect(handle(.timer) == [])
    bench.now = bench.now + .seconds(5)
    #expect(handle(.timer) == [.list])
    #expect(handle(.adapters([Self.on])) == [.start(.discovery, "/hci0")])
  }

  @Test("a list that is refused while an adapter listens ends nothing for good")
  func unlistedMeanwhile() {
    _ = (handle(.wanted(.discovery)), handle(.service(isThere: true)), handle(.adapters([Self.on])))
    _ = (handle(.started(.done)), handle(.adapters([Self.busy])))
    #expect(handle(.unlisted("no list now")) == [.fail("BlueZ: no list now")])
    bench.now = bench.now + .seconds(5)
    #expect(handle(.timer) == [.list])
    #expect(handle(.adapters([Self.busy])) == [.found] && handle(.adapters([Self.busy])) == [])
  }

  @Test("a list that was refused is asked for again, whatever is wanted meanwhile")
  func unlistedAndWanted() {
    _ = (handle(.wanted(.monitor)), handle(.service(isThere: true)))
    _ = (handle(.unlisted("no list now")), handle(.wanted(.discovery)))
    bench.now = bench.now + .seconds(5)
    #expect(bench.machine.wakesAt == bench.now && handle(.timer) == [.list])
    _ = (handle(.unlisted("no list now")), handle(.wanted(nil)))
    #expect(bench.machine.wakesAt == nil)
  }

  @Test("a stop that is refused as in progress, and is not wanted any more, goes on and is said")
  func unstopped() {
    _ = (handle(.wanted(.discovery)), handle(.service(isThere: true)), handle(.adapters([Self.on])))
    #expect(handle(.started(.done)) == [.found])
    #expect(handle(.wanted(nil)) == [.stop(.discovery, "/hci0")])
    #expect(handle(.wanted(.discovery)) == [])
    #expect(handle(.stopped(.busy("in progress"))) == [.found])
    bench.now = bench.now + .milliseconds(500)
    #expect(handle(.timer) == [])
  }

  @Test("a monitor that is given up before its start is answered is stopped, and none is tried")
  func releasedEarly() {
    let able = Adapter("/hci0", isPowered: true, hasMonitors: true)
    _ = (handle(.wanted(.monitor)), handle(.service(isThere: true)), handle(.adapters([able])))
    #expect(handle(.released) == [])
    #expect(handle(.started(.done)) == [.stop(.monitor, "/hci0")])
    #expect(handle(.stopped(.failed("Does Not Exist"))) == [.start(.discovery, "/hci0")])
    #expect(handle(.started(.done)) == [.found])
  }

  @Test("regions alone are heard by a monitor where bluetoothd has them")
  func monitors() {
    let able = Adapter("/hci0", isPowered: true, hasMonitors: true)
    _ = (handle(.wanted(.monitor)), handle(.service(isThere: true)))
    #expect(handle(.adapters([able])) == [.start(.monitor, "/hci0")])
    #expect(handle(.started(.done)) == [.found] && handle(.adapters([able])) == [])
    #expect(handle(.wanted(.discovery)) == [.stop(.monitor, "/hci0")])
    #expect(handle(.stopped(.done)) == [.start(.discovery, "/hci0")])
    _ = handle(.started(.done))
    #expect(handle(.wanted(.monitor)) == [.stop(.discovery, "/hci0")])
    #expect(handle(.stopped(.done)) == [.start(.monitor, "/hci0")])
    // A monitor outlasts the power, and would go on for no client.
    _ = handle(.started(.done))
    let off = Adapter("/hci0", isPowered: false, hasMonitors: true)
    #expect(handle(.adapters([off])) == [.stop(.monitor, "/hci0")])
    #expect(handle(.stopped(.done)) == [.fail("the Bluetooth adapter is off")])
    #expect(handle(.adapters([able])) == [.start(.monitor, "/hci0")])
    // A monitor that is refused or given up is not tried again: a discovery does instead.
    #expect(handle(.started(.failed("no"))) == [.start(.discovery, "/hci0")])
    _ = (handle(.service(isThere: false)), handle(.service(isThere: true)))
    #expect(handle(.adapters([able])) == [.start(.monitor, "/hci0")])
    _ = handle(.started(.done))
    #expect(handle(.released) == [.start(.discovery, "/hci0")])
  }

  @Test("an advertisement is sent by the first adapter that is on, and again when it is given up")
  func advertisement() {
    _ = (handle(.wanted(.advertisement)), handle(.service(isThere: true)))
    #expect(handle(.adapters([Self.on])) == [.start(.advertisement, "/hci0")])
    #expect(handle(.started(.done)) == [.found])
    #expect(handle(.released) == [.fail("BlueZ does not send it any more")])
    bench.now = bench.now + .seconds(5)
    #expect(handle(.timer) == [.start(.advertisement, "/hci0")])
    #expect(handle(.wanted(nil)) == [] && !bench.machine.isOver)
    #expect(handle(.started(.done)) == [.stop(.advertisement, "/hci0")])
    #expect(handle(.stopped(.done)) == [] && bench.machine.isOver)
  }

  @Test("an adapter that is off, blocked or gone is waited for, and said once")
  func absent() {
    #expect(handle(.wanted(.discovery)) == [])
    #expect(handle(.service(isThere: false)) == [.fail("bluetoothd does not run")])
    #expect(handle(.service(isThere: true)) == [])
    #expect(handle(.adapters([])) == [.fail("there is no Bluetooth adapter")])
    #expect(handle(.adapters([])) == [])
    let off = Adapter("/hci0", isPowered: false)
    #expect(handle(.adapters([off])) == [.fail("the Bluetooth adapter is off")])
    let blocked = Adapter("/hci0", isPowered: false, isBlocked: true)
    #expect(handle(.adapters([blocked])) == [.fail("the Bluetooth adapter is blocked")])
    #expect(
      handle(.adapters([off, Adapter("/hci1", isPowered: true)])) == [.start(.discovery, "/hci1")])
  }

  @Test("switched off and on it listens again; so it does when bluetoothd comes back")
  func back() {
    _ = (handle(.wanted(.discovery)), handle(.service(isThere: true)))
    #expect(handle(.adapters([Self.on])) == [.start(.discovery, "/hci0")])
    _ = handle(.started(.done))
    _ = handle(.adapters([Self.busy]))
    let off = Adapter("/hci0", isPowered: false)
    #expect(handle(.adapters([off])) == [.fail("the Bluetooth adapter is off")])
    #expect(handle(.adapters([Self.on])) == [.start(.discovery, "/hci0")])
    #expect(handle(.started(.done)) == [.found])
    #expect(handle(.service(isThere: false)) == [.fail("bluetoothd does not run")])
    #expect(handle(.service(isThere: true)) == [])
    #expect(handle(.adapters([Self.on])) == [.start(.discovery, "/hci0")])
  }

  @Test("a discovery that others end begins anew")
  func ended() {
    _ = (handle(.wanted(.discovery)), handle(.service(isThere: true)), handle(.adapters([Self.on])))
    #expect(handle(.started(.done)) == [.found])
    // The discovery has not begun yet.
    #expect(handle(.adapters([Self.on])) == [])
    #expect(handle(.adapters([Self.busy])) == [])
    #expect(handle(.adapters([Self.on])) == [.start(.discovery, "/hci0")])
  }

  @Test("what fails is tried again after a pause")
  func again() {
    _ = (handle(.wanted(.discovery)), handle(.service(isThere: true)), handle(.adapters([Self.on])))
    #expect(handle(.started(.failed("not ready"))) == [.fail("BlueZ: not ready")])
    #expect(handle(.adapters([Self.on])) == [] && handle(.timer) == [])
    bench.now = bench.now + .seconds(5)
    #expect(bench.machine.wakesAt == bench.now)
    #expect(handle(.timer) == [.start(.discovery, "/hci0")])
    #expect(handle(.started(.failed("not ready"))) == [])
  }
}
