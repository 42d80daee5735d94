/// A program of a user, which owns its permission.
package struct App: Hashable, Sendable {
  package var uid: UInt32
  /// `KIND:NAME`, as the kernel and systemd tell programs apart.
  package var name: String

  package init(uid: UInt32, name: String) {
    self.uid = uid
    self.name = name
  }
}

extension App {
  /// Only the name tells; a caller is known better.
  var isSandboxed: Bool {
    switch AppName(name)?.kind {
    // Root's in a container, too.
    case .flatpak, .snap, .gpsd, nil: true
    default: false
    }
  }
}

extension Caller {
  package var owner: App { App(uid: uid, name: app) }

  /// Root's program, or the daemon's own user's.
  func isTrusted(by daemon: UInt32) -> Bool {
    switch entry {
    case .own: (uid == 0 || uid == daemon) && confinement == .none
    case .shared: uid == 0 && confinement == .none
    case .line: false
    }
  }

  /// Confined, and of no name: what its user's other programs may do is not for it.
  var isAnonymous: Bool { kind == .user && confinement != .none }

  /// Nobody sits in front of it.
  var isService: Bool { isSystemService || kind == .unit || kind == .userunit }
}

extension App: CustomStringConvertible {
  package var description: String { "\(name) (uid \(uid))" }
}

extension App: Comparable {
  package static func < (a: App, b: App) -> Bool { (a.name, a.uid) < (b.name, b.uid) }
}
