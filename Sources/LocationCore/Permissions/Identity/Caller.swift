/// A client's identity, from what the kernel says.
package struct Caller: Equatable, Sendable {
  package enum Confinement: Sendable {
    case none
    /// A flatpak, a snap, or a sandbox that nobody knows.
    case sandbox
    /// The process had gone before it could be looked at, or is hidden: it may have been in a sandbox.
    case unknown
  }

  package enum Unit: Equatable, Sendable {
    case system(String)
    /// A unit of the manager of its own uid.
    case user(String)
  }

  package var uid: UInt32
  package var pid: Int32
  /// `KIND:NAME`.
  package var app: String
  /// Where there may be any, it never administers and is nobody's agent.
  package var confinement = Confinement.none
  /// The service or scope it runs in.
  package var unit: Unit?
  /// It runs below `user-UID.slice` of its own uid, in a session or in the user's manager. Where there is
  /// no systemd, it runs in no unit.
  var isInUserSlice = false
  package var hasTerminal = false
  /// An interpreter, and not told of which script: what is allowed to it is allowed once only.
  package var isShared = false
  /// Itself, its parent and so on; nil where they cannot be told.
  package var lineage: [ProcessID]?
  /// The agent that has been asked about it, whatever it answered.
  package var lookedAtBy: ClientID?
  /// The inode of the daemon's end of its connection; nil where it came otherwise.
  package var socket: UInt32?
  package var entry = Entry.own

  /// The way by which a caller comes in.
  package enum Entry: Hashable, Sendable {
    /// A door of the daemon's.
    case own
    /// A door of locationd-share's, which knows the caller's socket alone.
    case shared
    /// A door without callers: an administrator's line names it, and allows all that read there.
    case line
  }

  package init(uid: UInt32, pid: Int32, app: String) {
    self.uid = uid
    self.pid = pid
    self.app = app
    lineage = [ProcessID(pid: pid, startTime: 0)]
  }
}

extension Caller {
  package var kind: AppName.Kind? { AppName(app)?.kind }

  package var process: ProcessID? { lineage?.first }

  /// The machine's, not a user's: never in use by itself.
  var isSystemService: Bool {
    if case .system(let unit) = unit { unit.hasSuffix(".service") } else { false }
  }
}
