import DBus
import ReceiverCore

/// The list of bluetoothd's adapters, which is asked for when it comes and when one changes.
final class BluetoothAdapters {
  private let bus: BusConnection
  private let handler: (BluetoothMachine.Input) -> Void
  private var call: BusCall?
  private var listsAgain = false

  init(on bus: BusConnection, handler: @escaping (BluetoothMachine.Input) -> Void) {
    self.bus = bus
    self.handler = handler
  }

  /// bluetoothd has this unique name now, or none.
  func note(_ owner: String?) {
    rest()
    handler(.service(isThere: owner != nil))
    if owner != nil { list() }
  }

  /// Lists once at a time, and once more where something has changed meanwhile.
  func list() {
    guard call == nil else {
      listsAgain = true
      return
    }
    listsAgain = false
    call = bus.request(
      BluetoothWords.name, "/", BluetoothWords.manager, "GetManagedObjects", starts: false
    ) { [unowned self] answer in
      call = nil
      switch answer {
      case .success(let reply): handler(.adapters(BluetoothWords.adapters(in: reply)))
      case .failure(let error): handler(.unlisted(error.message))
      }
      if listsAgain { list() }
    }
  }

  /// Nothing is listed that was asked for.
  func rest() {
    call = nil
    listsAgain = false
  }
}
