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
    #expect(handle(.service(isThere: true)) == [] && handle(.adapters([Self.on])) == [])
    #expect(handle(.wanted(true)) == [.listen("/hci0")])
    #expect(handle(.answered(trouble: nil)) == [.found])
    #expect(handle(.adapters([Self.busy])) == [])
    #expect(handle(.wanted(false)) == [.stop("/hci0")])
    #expect(handle(.adapters([Self.on])) == [])
    // While it is being started, too.
    #expect(handle(.wanted(true)) == [.listen("/hci0")])
    #expect(handle(.wanted(false)) == [.stop("/hci0")])
    #expect(handle(.answered(trouble: nil)) == [])
  }

  @Test("an adapter that is off, blocked or gone is waited for, and said once")
  func absent() {
    #expect(handle(.wanted(true)) == [])
    #expect(handle(.service(isThere: false)) == [.fail("bluetoothd does not run")])
    #expect(handle(.service(isThere: true)) == [])
    #expect(handle(.adapters([])) == [.fail("there is no Bluetooth adapter")])
    #expect(handle(.adapters([])) == [])
    let off = Adapter("/hci0", isPowered: false)
    #expect(handle(.adapters([off])) == [.fail("the Bluetooth adapter is off")])
    let blocked = Adapter("/hci0", isPowered: false, isBlocked: true)
    #expect(handle(.adapters([blocked])) == [.fail("the Bluetooth adapter is blocked")])
    #expect(handle(.adapters([off, Adapter("/hci1", isPowered: true)])) == [.listen("/hci1")])
  }

  @Test("switched off and on it listens again; so it does when bluetoothd comes back")
  func back() {
    _ = (handle(.wanted(true)), handle(.service(isThere: true)))
    #expect(handle(.adapters([Self.on])) == [.listen("/hci0")])
    _ = handle(.answered(trouble: nil))
    _ = handle(.adapters([Self.busy]))
    let off = Adapter("/hci0", isPowered: false)
    #expect(handle(.adapters([off])) == [.fail("the Bluetooth adapter is off")])
    #expect(handle(.adapters([Self.on])) == [.listen("/hci0")])
    #expect(handle(.answered(trouble: nil)) == [.found])
    #expect(handle(.service(isThere: false)) == [.fail("bluetoothd does not run")])
    #expect(handle(.service(isThere: true)) == [])
    #expect(handle(.adapters([Self.on])) == [.listen("/hci0")])
  }

  @Test("a discovery that others end begins anew")
  func ended() {
    _ = (handle(.wanted(true)), handle(.service(isThere: true)), handle(.adapters([Self.on])))
    #expect(handle(.answered(trouble: nil)) == [.found])
    // The discovery has not begun yet.
    #expect(handle(.adapters([Self.on])) == [])
    #expect(handle(.adapters([Self.busy])) == [])
    #expect(handle(.adapters([Self.on])) == [.listen("/hci0")])
  }

  @Test("what fails is tried again after a pause")
  func again() {
    _ = (handle(.wanted(true)), handle(.service(isThere: true)), handle(.adapters([Self.on])))
    #expect(handle(.answered(trouble: "not ready")) == [.fail("BlueZ: not ready")])
    #expect(handle(.adapters([Self.on])) == [] && handle(.timer) == [])
    bench.now = bench.now + .seconds(5)
    #expect(bench.machine.wakesAt == bench.now)
    #expect(handle(.timer) == [.listen("/hci0")])
    #expect(handle(.answered(trouble: "not ready")) == [])
  }
}
