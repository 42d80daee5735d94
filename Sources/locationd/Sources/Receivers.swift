import LocationModel
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
  /// Beginnings of the USB numbers, VENDOR:PRODUCT, of receivers: u-blox's, those of Garmin, SiRF,
  /// Septentrio and NovAtel, who make nothing else, and MediaTek's.
  private static let numbers = [
    "1546:01a", "091e:", "1163:", "152a:", "09d7:", "0e8d:3329", "0e8d:3331",
  ]
  /// Words in what a USB device calls itself.
  private static let words = ["gps", "gnss", "glonass", "u-blox", "ublox", "nmea", "galileo"]

  /// Why a device is left alone; nil where it may be opened. Nothing is asked of the device itself.
  static func whyNot(_ path: String, _ claims: [Claim], _ line: SourceURL.Line) -> String? {
    for claim in claims where DeviceHolder.areSame(claim.path, path) {
      if let reason = claim.whyNot(isAny: line.isAny) { return reason }
    }
    if let holder = DeviceHolder.name(of: path, among: others) {
      return holder == "gpsd" ? Claim.isGpsds : "\(holder) has it"
    }
    guard line.isAny, let name = path.split(separator: "/").last.map(String.init) else {
      return nil
    }
    if let driver = File.lastOfLink("\(system)/class/tty/\(name)/device/driver"),
      modems.contains(driver)
    {
      return "it is a modem's; name it if it is a receiver all the same"
    }
    if line.mustBeKnown, !isKnown(name) {
      return "it does not say that it is a receiver; if it is one, Source=nmea://\(path) names it"
    }
    return nil
  }

  private static let system = "/sys"

  /// Whether a device says that it is a receiver: by its name, or by what its USB device says of itself.
  static func isKnown(_ name: String, in system: String = Receivers.system) -> Bool {
    if name.hasPrefix("gnss") { return true }
    // The tty is of an interface, and that of the device; a serial port lies between.
    let folder = "\(system)/class/tty/\(name)/device"
    for up in ["", "/..", "/../.."] {
      let place = folder + up
      if let vendor = text(place + "/idVendor"), let product = text(place + "/idProduct") {
        return numbers.contains { "\(vendor):\(product)".hasPrefix($0) }
          || ["/product", "/manufacturer"].contains { isReceiver(text(place + $0)) }
      }
      if isReceiver(text(place + "/interface")) { return true }
    }
    return false
  }

  private static func isReceiver(_ text: String?) -> Bool {
    guard let text = text?.lowercased() else { return false }
    return words.contains { text.hasText($0) }
  }

  private static func text(_ path: String) -> String? {
    guard let bytes = try? File.bytes(of: path, atMost: 256) else { return nil }
    return String(decoding: bytes.filter { $0 != 0x0A }, as: UTF8.self)
  }

  /// The complaint about a device that is taken. Only root sees what root's programs have open; that they
  /// run, everybody sees.
  static var taken: String {
    let running = DeviceHolder.running(among: others).sorted().joined(separator: " or ")
    return running.isEmpty
      ? "another program has it" : "another program has it, perhaps \(running)"
  }
}
