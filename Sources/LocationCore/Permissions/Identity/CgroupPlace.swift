/// Where systemd has put a process, as the kernel tells it.
///
/// Slices are made by a manager alone; what lies below a service or a scope may be made by whoever
/// runs in it. So only the first unit on the way down is believed, and in the part of a user's own
/// manager, which is below `user@UID.service`, only to be what that user made.
struct CgroupPlace: Equatable, Sendable {
  enum Manager: Equatable, Sendable {
    case system
    /// The manager of this uid.
    case user(UInt32)
  }

  var manager: Manager
  /// A service or a scope.
  var unit: String
  /// The user in whose slice, `/user.slice/user-UID.slice`, the unit of the system's manager lies.
  private(set) var sliceUser: UInt32?

  var isService: Bool { unit.hasSuffix(Self.service) }

  /// From the text of `/proc/PID/cgroup`. Nil where it is in no unit.
  init?(_ text: [UInt8]) {
    guard let path = Self.path(in: text) else { return nil }
    // systemd puts an underscore before a name that the kernel has a use for.
    var folders = path.split(separator: UInt8(ascii: "/")).map {
      $0.first == UInt8(ascii: "_") ? $0.dropFirst() : $0
    }[...]
    // Outside of what we may see, where somebody else's rules hold.
    guard !folders.contains(where: { $0.elementsEqual("..".utf8) }) else { return nil }
    sliceUser = Self.userOfSlice(folders.prefix(2))
    guard let unit = Self.nextUnit(&folders) else { return nil }
    guard let uid = Self.userOfManager(unit) else {
      (manager, self.unit) = (.system, unit)
      return
    }
    guard let own = Self.nextUnit(&folders) else { return nil }
    (manager, self.unit) = (.user(uid), own)
  }

  /// In a session of that user's, or in a unit of that user's manager.
  func isOfUser(_ uid: UInt32) -> Bool {
    guard sliceUser == uid else { return false }
    return switch manager {
    case .system: unit.hasPrefix("session-") && unit.hasSuffix(".scope")
    case .user(let owner): owner == uid
    }
  }

  private static let service = ".service"

  /// In the unified hierarchy, or in systemd's own where that one is not used.
  private static func path(in text: [UInt8]) -> ArraySlice<UInt8>? {
    var named: ArraySlice<UInt8>?
    var unified: ArraySlice<UInt8>?
    for line in text.split(separator: UInt8(ascii: "\n")) {
      let parts = line.split(
        separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3, parts[2].first == UInt8(ascii: "/") else { continue }
      if parts[0].elementsEqual("0".utf8), parts[1].isEmpty { unified = parts[2] }
      if parts[1].elementsEqual("name=systemd".utf8) { named = parts[2] }
    }
    if let unified, unified.count > 1 { return unified }
    return named
  }

  private static func nextUnit(_ folders: inout ArraySlice<ArraySlice<UInt8>>) -> String? {
    folders = folders.drop { $0.suffix(6).elementsEqual(".slice".utf8) }
    guard let folder = folders.popFirst(), let name = String(validating: folder, as: UTF8.self),
      name.hasSuffix(service) || name.hasSuffix(".scope")
    else { return nil }
    return name
  }

  private static func userOfSlice(_ folders: ArraySlice<ArraySlice<UInt8>>) -> UInt32? {
    guard folders.count == 2, let first = folders.first, first.elementsEqual("user.slice".utf8),
      let second = folders.last.flatMap({ String(validating: $0, as: UTF8.self) }),
      second.hasPrefix("user-"), second.hasSuffix(".slice")
    else { return nil }
    return UInt32(second.dropFirst(5).dropLast(6))
  }

  /// The user of the manager `user@UID.service`.
  private static func userOfManager(_ unit: String) -> UInt32? {
    guard unit.hasPrefix("user@"), unit.hasSuffix(service) else { return nil }
    return UInt32(unit.dropFirst(5).dropLast(8))
  }
}
