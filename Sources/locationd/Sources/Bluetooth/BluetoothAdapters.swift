import DBus
import ReceiverCore

/// bluetoothd and its adapters, whose list is asked for when it comes and when one changes.
final class BluetoothAdapters {
  private let bus: BusConnection
  private let hear: (BusMessage) -> Void
  private let handler: (BluetoothMachine.Input) -> Void
  private var subscriptions: [BusSubscription] = []
  /// bluetoothd's unique name.
  private(set) var owner: String?
  private var call: BusCall?
  private var listsAgain = false

  /// `hear`: takes in the signals about anything but adapters.
  init(
    on bus: BusConnection, hear: @escaping (BusMessage) -> Void = { _ in },
    handler: @escaping (BluetoothMachine.Input) -> Void
  ) {
    self.bus = bus
    self.hear = hear
    self.handler = handler
  }

  var isFollowed: Bool { !subscriptions.isEmpty }

  func follow() throws(BusError) {
    subscriptions = [
      try bus.listen(to: BluetoothWords.name, .properties()) { [unowned self] in
        if case .signal(let signal) = $0 { handle(signal) }
      },
      try bus.listen(
        to: BluetoothWords.name, BusSubscription.Filter(interface: BluetoothWords.manager)
      ) { [unowned self] in
        switch $0 {
        case .owner(let owner): note(owner)
        case .signal(let signal): handle(signal)
        }
      },
    ]
  }

  /// A list that was asked for is not awaited any more.
  func rest() {
    subscriptions = []
    forgetCall()
  }

  private func note(_ owner: String?) {
    self.owner = owner
    forgetCall()
    handler(.service(isThere: owner != nil))
    if owner != nil { list() }
  }

  private func handle(_ signal: BusMessage) {
    BluetoothWords.isAboutAdapter(signal) ? list() : hear(signal)
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

  private func forgetCall() {
    call = nil
    listsAgain = false
  }
}
