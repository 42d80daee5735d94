/// What the kernel says of whoever wants something, by whichever door they came.
package struct ProcessFacts: Equatable, Sendable {
  /// Of the moment they connected.
  package var uid: UInt32
  package var pid: Int32
  /// What a security module calls them, such as AppArmor.
  package var label: String?
  /// Nil where the process could not be looked at: it has ended, or is hidden from us.
  package var seen: Seen?

  /// What was read while it certainly was that process.
  package struct Seen: Equatable, Sendable {
    /// The text of `/proc/PID/cgroup`.
    package var cgroup: [UInt8]
    /// What it calls itself, which anyone may choose.
    package var command: String
    /// Its users are not the machine's: it is in a container, or a sandbox of some kind.
    package var hasOwnUsers: Bool
    package var hasTerminal: Bool

    package init(cgroup: [UInt8], command: String, hasOwnUsers: Bool, hasTerminal: Bool) {
      self.cgroup = cgroup
      self.command = command
      self.hasOwnUsers = hasOwnUsers
      self.hasTerminal = hasTerminal
    }
  }

  package init(uid: UInt32, pid: Int32, label: String?, seen: Seen?) {
    self.uid = uid
    self.pid = pid
    self.label = label
    self.seen = seen
  }
}
