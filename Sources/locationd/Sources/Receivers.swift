import Platform

/// Which devices may be receivers, and which are others' business.
enum Receivers {
  /// Where receivers appear, as far as their names tell.
  static let patterns = ["/dev/ttyUSB*", "/dev/ttyACM*", "/dev/gnss*"]

  private static let others: Set<String> = ["gpsd", "ModemManager"]
  /// Kernel drivers whose serial lines are a modem's.
  private static let modems: Set<String> = [
    "option1", "option", "qcserial", "sierra", "hso", "sierra_net",
  ]

  /// Why a device is left alone; nil where it may be opened. Nothing is asked of the device itself.
  /// `gpsds`: the devices that gpsds have said are theirs.
  static func whyNot(_ path: String, gpsds: [String], isAny: Bool) -> String? {
    if gpsds.contains(where: { DeviceHolder.areSame($0, path) }) { return isGpsds }
    if let holder = DeviceHolder.name(of: path, among: others) {
      return holder == "gpsd" ? isGpsds : "\(holder) has it"
    }
    guard isAny, let name = path.split(separator: "/").last,
      let driver = File.lastOfLink("/sys/class/tty/\(name)/device/driver"), modems.contains(driver)
    else { return nil }
    return "it is a modem's; name it if it is a receiver all the same"
  }

  private static let isGpsds = "gpsd has it; a source gpsd://localhost reads it there"

  /// Where the gpsds that run on this machine are asked.
  static var gpsdPorts: [Int] {
    DeviceHolder.commandLines(of: "gpsd").map { words in
      let given =
        words.firstIndex(of: "-S").flatMap { words.dropFirst($0 + 1).first }
        ?? words.first { $0.hasPrefix("-S") }?.dropFirst(2).description
      return given.flatMap { Int($0) } ?? SourceURL.Gpsd.usualPort
    }
  }

  /// Of a device that is taken. What root's programs have open, only root sees; that they run, all do.
  static var taken: String {
    let running = DeviceHolder.running(among: others).sorted().joined(separator: " or ")
    return "another program has it" + (running.isEmpty ? "" : ", perhaps \(running)")
  }
}
