import LocationModel
import Platform
import TrackCore

extension Specifiers {
  /// The names of this machine.
  static var here: Specifiers {
    Specifiers(
      machine: Process.machineID(for: application), host: Process.wholeHostName,
      instance: Process.unit.flatMap(Specifiers.instance),
      // Where systemd puts them, for --check by a person.
      credentials: Process.credentialsFolder ?? "/run/credentials/locationd-tracker.service")
  }

  /// 6f0c59b1d3e84a27b95d4c1e8a7f3062
  private static let application: Process.UUIDBytes = (
    0x6F, 0x0C, 0x59, 0xB1, 0xD3, 0xE8, 0x4A, 0x27, 0xB9, 0x5D, 0x4C, 0x1E, 0x8A, 0x7F, 0x30, 0x62
  )
}
