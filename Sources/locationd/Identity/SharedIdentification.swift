import LocationCore
import LocationModel
import Platform

// The program at the other end of a connection that locationd-share has handed over.
extension Identifier {
  func isShare(_ caller: Caller) -> Bool { caller.isShare(on: machine, daemon: Process.uid) }

  /// `peer`: what the kernel said, asked once: of a socket that is closed later it tells another user.
  func identify(
    _ peer: ConnectionPeer?, of connection: borrowing Descriptor, by share: Caller,
    _ hasAgent: (UInt32) -> Bool
  ) throws(Refusal) -> Caller {
    switch peer {
    case .here(let socket):
      let group = socket.group.flatMap { groups.path(of: $0) }
      var facts = ProcessFacts(uid: socket.uid, pid: 0, label: nil, seen: nil)
      facts.seen = group.map {
        ProcessFacts.Seen(
          cgroup: Array("0::\($0)".utf8), command: "", hasOwnUsers: false, hasOwnProcesses: false,
          hasTerminal: false, lineage: nil)
      }
      // Root's sshd may forward a port to whoever is at the other end.
      let isRemote = socket.uid == 0 && group.map(LoginSession.isRemote(group:)) ?? false
      var caller = Caller(
        shared: facts, on: machine, isRemote: isRemote, userName: users.name(of: socket.uid))
      // No unit tells an agent from the program that it would answer for.
      if !machine.hasSystemd, hasAgent(socket.uid) {
        caller.lineage = SocketHolder.lineage(of: socket.inode, uid: socket.uid)?.map {
          ProcessID(pid: $0.pid, startTime: $0.startTime)
        }
      }
      return caller
    case .unix:
      guard let peer = try? connection.peer() else { throw Self.unknownPeer }
      let process = ProcessHandle.of(peer, at: connection)
      let facts = ProcessFacts(uid: peer.uid, pid: peer.pid, label: peer.label, process)
      return Caller(shared: facts, on: machine, userName: users.name(of: peer.uid))
    case .elsewhere: return Caller(lineOf: share)
    case .closed, nil: throw Self.unknownPeer
    }
  }

  private static let unknownPeer = Refusal(
    .denied, "The kernel does not tell whose connection it is; its program may have closed it.")
}
