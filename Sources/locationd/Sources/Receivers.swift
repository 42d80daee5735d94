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
  static func whyNot(_ path: String, _ claims: [Claim], isAny: Bool) -> String? {
    for claim in claims where DeviceHolder.areSame(claim.path, path) {
      if let reason = claim.whyNot(isAny: isAny) { return reason }
    }
    if let holder = DeviceHolder.name(of: path, among: others) {
      return holder == "gpsd" ? Claim.isGpsds : "\(holder) has it"
    }
    guard isAny, let name = path.split(separator: "/").last,
      let driver = File.lastOfLink("/sys/class/tty/\(name)/device/driver"), modems.contains(driver)
    else { return nil }
    return "it is a modem's; name it if it is a receiver all the same"
  }

  /// The complaint about a device that is taken. Only root sees what root's programs have open; that they
  /// run, everybody sees.
  static var taken: String {
    let running = DeviceHolder.running(among: others).sorted().joined(separator: " or ")
    return "another program has it" + (running.isEmpty ? "" : ", perhaps \(running)")
  }
}
