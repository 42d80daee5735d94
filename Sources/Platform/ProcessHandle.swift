internal import CLinux
internal import Glibc

/// A process, held by what is never given to another one, as its number is.
package struct ProcessHandle: ~Copyable {
  /// `/proc/PID`: once the process is gone nothing can be read in there, whoever has its number then.
  private let folder: Descriptor

  private init(_ folder: consuming Descriptor) { self.folder = folder }

  /// The process that connected a socket. Nil where it is gone, or hidden from us.
  package static func of(_ peer: Peer, at socket: borrowing Descriptor) -> ProcessHandle? {
    let process = linux_peer_process(socket.number)
    let refused = errno
    if process >= 0 { return of(peer.pid, Descriptor(owning: process)) }
    // Before Linux 6.5 there is only the number.
    return refused == ENOPROTOOPT ? of(peer.pid, uid: peer.uid) : nil
  }

  /// The process that a descriptor of its own stands for, which has this number as long as it lives.
  package static func of(_ pid: Int32, _ process: consuming Descriptor) -> ProcessHandle? {
    guard pid > 0, let folder = try? Descriptor(folder: "/proc/\(pid)"), !process.hasEnded() else {
      return nil
    }
    return ProcessHandle(folder)
  }

  /// The process of that number now, if it is that user's: of a number alone nobody can say more.
  package static func of(_ pid: Int32, uid: UInt32) -> ProcessHandle? {
    guard pid > 0, let folder = try? Descriptor(folder: "/proc/\(pid)") else { return nil }
    let handle = ProcessHandle(folder)
    guard handle.status()?.uid == uid else { return nil }
    return handle
  }
}

/// The facts of a process that everyone may know.
package struct ProcessSight: Equatable, Sendable {
  /// The text of `/proc/PID/cgroup`.
  package var cgroup: [UInt8]
  /// AppArmor's label.
  package var label: String?
  /// The process's own name.
  package var command: String
  package var hasOwnUsers: Bool
  /// It has another number inside, in a namespace that is not ours.
  package var hasOwnProcesses: Bool
  package var hasTerminal: Bool
  /// Itself, its parent and so on; nil where they cannot all be told.
  package var lineage: [ProcessMark]?
}

extension ProcessHandle {
  /// Nil where it is gone by the end of the look.
  package func look() -> ProcessSight? {
    guard let cgroup = read("cgroup", atMost: 65536), let users = read("uid_map", atMost: 16384),
      let status = status()
    else { return nil }
    let label = read("attr/apparmor/current", atMost: 4096).map {
      String(decoding: $0.prefix { $0 != 0 && $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }
    let lineage = lineage()
    // Last: of one that is ending, older kernels no longer say where it was.
    guard let state = read("stat", atMost: 4096).flatMap(ProcessState.init), state.lives else {
      return nil
    }
    return ProcessSight(
      cgroup: cgroup, label: label, command: state.command, hasOwnUsers: users != Self.ourUsers,
      hasOwnProcesses: status.numberCount > 1, hasTerminal: state.hasTerminal, lineage: lineage)
  }

  package var lives: Bool {
    read("stat", atMost: 4096).flatMap(ProcessState.init)?.lives == true
  }

  func openStat() throws(SystemError) -> Descriptor { try folder.file("stat") }

  /// It has a line of all its groups.
  private func status() -> ProcessStatus? {
    read("status", atMost: 1 << 20).flatMap(ProcessStatus.init)
  }

  private static let ourUsers = try? File.bytes(of: "/proc/self/uid_map", atMost: 16384)

  /// Nil also for what does not end within the limit.
  private func read(_ name: String, atMost limit: Int) -> [UInt8]? {
    guard let bytes = try? File.bytes(of: folder.file(name), name, atMost: limit),
      bytes.count < limit
    else { return nil }
    return bytes
  }
}

extension Descriptor {
  /// Whether the process of this descriptor has ended.
  fileprivate borrowing func hasEnded() -> Bool {
    var wanted = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
    return poll(&wanted, 1, 0) != 0
  }
}
