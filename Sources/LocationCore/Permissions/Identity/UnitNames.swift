/// The app's name by that of its unit. A user's own programs may make any such name in their user's
/// manager: there it is believed by courtesy, and only of that user.
extension AppName {
  init?(of place: CgroupPlace) {
    let unit = place.unit
    if let snap = Self.snap(inUnit: unit) {
      self.init(.snap, snap)
      return
    }
    guard case .user = place.manager else {
      guard place.isService, !Self.isMadeUp(unit) else { return nil }
      self.init(.unit, unit)
      return
    }
    if let flatpak = Self.flatpak(in: unit) {
      self.init(.flatpak, flatpak)
    } else if let app = Self.desktopApp(in: unit) ?? Self.activated(in: unit) {
      self.init(.app, app)
    } else {
      guard place.isService, !Self.isMadeUp(unit), !Self.launchers.contains(unit) else {
        return nil
      }
      self.init(.userunit, unit)
    }
  }

  /// These start other programs, which stay in their unit.
  private static let launchers: Set<String> = ["dbus.service", "dbus-broker.service"]

  /// `app-flatpak-ID-NUMBER.scope`, where flatpak puts both a sandbox and its proxy to the bus; without
  /// `app-` from older ones.
  private static func flatpak(in unit: String) -> String? {
    guard unit.hasSuffix(".scope") else { return nil }
    var parts = unit.dropLast(6).split(separator: "-", omittingEmptySubsequences: false)[...]
    if parts.first == "app" { parts = parts.dropFirst() }
    guard parts.count == 3, parts.first == "flatpak" else { return nil }
    return unescaped(parts[parts.startIndex + 1])
  }

  /// `app[-LAUNCHER]-ID-RANDOM.scope` or `app[-LAUNCHER]-ID[@RANDOM].service`, as systemd asks desktops
  /// to name them.
  private static func desktopApp(in unit: String) -> String? {
    guard unit.hasPrefix("app-") else { return nil }
    var parts: [Substring]
    if unit.hasSuffix(".scope") {
      parts = unit.dropFirst(4).dropLast(6).split(
        separator: "-", omittingEmptySubsequences: false)
      if parts.count > 1 { parts.removeLast() }
    } else {
      let stem = unit.dropFirst(4).dropLast(8).prefix { $0 != "@" }
      parts = stem.split(separator: "-", omittingEmptySubsequences: false)
      // Before systemd 248.
      if parts.count > 1, parts.last == "autostart" { parts.removeLast() }
    }
    if parts.count > 1 { parts.removeFirst() }
    return unescaped(parts.joined(separator: "-")[...])
  }

  /// `dbus-:1.2-NAME@3.service`, made by the bus to start an app, whose name is its ID; the numbers are
  /// others each time.
  private static func activated(in unit: String) -> String? {
    guard unit.hasPrefix("dbus-:"), unit.hasSuffix(".service") else { return nil }
    let parts = unit.dropLast(8).split(separator: "-", maxSplits: 2)
    guard parts.count == 3 else { return nil }
    return unescaped(parts[2].prefix { $0 != "@" })
  }

  /// `snap.NAME.APP-UUID.scope`, `snap.NAME.SERVICE.service` and the like.
  private static func snap(inUnit unit: String) -> String? {
    snap(inTag: unescaped(unit[...]) ?? "")
  }

  /// `snap.NAME.APP` and the like, as labels have it too.
  static func snap(inTag tag: String) -> String? {
    let parts = tag.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count >= 3, parts[0] == "snap" else { return nil }
    // A component of the snap follows a plus.
    let name = parts[1].prefix { $0 != "+" }
    let isName = name.utf8.allSatisfy {
      switch $0 {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
      // The latter before the key of one of several instances.
      case UInt8(ascii: "-"), UInt8(ascii: "_"): true
      default: false
      }
    }
    return isName && !name.isEmpty ? String(name) : nil
  }

  /// Whether a service of that name is the same program's tomorrow, and that program's alone.
  static func isLasting(_ unit: String) -> Bool {
    unit.hasSuffix(".service") && !isMadeUp(unit) && !launchers.contains(unit)
  }

  /// Made up by systemd-run or the bus for this one time; tomorrow it may be another program's.
  private static func isMadeUp(_ unit: String) -> Bool {
    if unit.hasPrefix("dbus-:") { return true }
    guard unit.hasPrefix("run-"), let letter = unit.dropFirst(4).first, "rup".contains(letter)
    else { return false }
    return unit.dropFirst(5).dropLast(8).allSatisfy { $0.isHexDigit || $0 == "-" || $0 == "i" }
  }

  /// systemd writes `\x2d` for a dash that is part of a name.
  private static func unescaped(_ text: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "\\"), rest.first == UInt8(ascii: "x"), rest.count >= 3,
        let digits = Substring(rest.dropFirst().prefix(2)).description as String?,
        let value = UInt8(digits, radix: 16)
      {
        bytes.append(value)
        rest = rest.dropFirst(3)
      } else {
        bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
