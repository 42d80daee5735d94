/// Why no adapter listens for beacons or is one, where a person can mend it. Its words are told to clients.
package enum BluetoothTrouble: String, CaseIterable, Sendable {
  case noService = "bluetoothd does not run"
  case noAdapter = "there is no Bluetooth adapter"
  case blocked = "the Bluetooth adapter is blocked"
  case off = "the Bluetooth adapter is off"
}
