/// The kernel's facts about a client's process, whichever door it came by.
package struct ProcessFacts: Equatable, Sendable {
  /// As it was when the client connected.
  package var uid: UInt32
  package var pid: Int32
  /// The label of a security module, such as AppArmor.
  package var label: String?
  /// The inode of the daemon's end of the connection.
  package var socket: UInt32?
  /// Nil where the process could not be looked at: it has ended, or is hidden from us.
  package var seen: Seen?

  /// Facts that were read while it certainly was that process.
  package struct Seen: Equatable, Sendable {
    /// The text of `/proc/PID/cgroup`.
    package var cgroup: [UInt8]
    /// The process's own name, which anyone may choose.
    package var command: String
    /// Its users are not the machine's: it is in a container, or a sandbox of some kind.
    package var hasOwnUsers: Bool
    /// It has another number inside: it is in a container, or a sandbox of some kind.
    package var hasOwnProcesses: Bool
    package var hasTerminal: Bool
    /// Itself, its parent and so on; nil where they cannot be told.
    package var lineage: [ProcessID]?

    package init(
      cgroup: [UInt8], command: String, hasOwnUsers: Bool, hasOwnProcesses: Bool,
      hasTerminal: Bool, lineage: [ProcessID]?
    ) {
      self.cgroup = cgroup
      self.command = command
      self.hasOwnUsers = hasOwnUsers
      self.hasOwnProcesses = hasOwnProcesses
      self.hasTerminal = hasTerminal
      self.lineage = lineage
    }
  }

  package init(uid: UInt32, pid: Int32, label: String?, seen: Seen?) {
    self.uid = uid
    self.pid = pid
    self.label = label
    self.seen = seen
  }
}

/// One process for good: whoever is given its number later began later.
package struct ProcessID: Hashable, Sendable {
  package var pid: Int32
  /// In the kernel's ticks since it started.
  package var startTime: UInt64

  package init(pid: Int32, startTime: UInt64) {
    self.pid = pid
    self.startTime = startTime
  }
}

/// The machine as the daemon sees it from where it runs itself.
package struct Machine: Equatable, Sendable {
  /// systemd has put each process into a unit.
  package var hasSystemd: Bool
  /// Containers that the daemon itself is in.
  let containers: Set<[UInt8]>

  /// `cgroup`: the daemon's own `/proc/self/cgroup`.
  package init(hasSystemd: Bool, cgroup: [UInt8]) {
    self.hasSystemd = hasSystemd
    containers = Containers.paths(in: cgroup)
  }
}
