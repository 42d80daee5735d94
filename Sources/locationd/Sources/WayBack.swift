import LocationModel
import Platform

/// A way from the share back to the daemon.
enum WayBack {
  /// A socket of the daemon's is at the other end.
  case socket(UInt32)
  /// A connection of the daemon's came to the Unix socket at this path.
  case path(String)
  /// Datagrams go to this address.
  case datagrams(host: String, port: Int)
  /// A serial line that is none is at this path.
  case terminal(String)

  /// The way of a program's connection at one of the share's doors, if the program may be the daemon.
  init?(from peer: ConnectionPeer?, of connection: borrowing Descriptor) {
    switch peer {
    case .here(let socket): self = .socket(socket.inode)
    case .unix:
      guard (try? connection.peer())?.pid == Process.pid, let path = connection.boundPath() else {
        return nil
      }
      self = .path(path)
    case .closed, .elsewhere, nil: return nil
    }
  }

  /// The way of an administrator's line, as the share names it; nil for another kind.
  init?(line place: String) {
    if let path = place.dropping(prefix: "pty:") {
      self = .terminal(String(path))
    } else if let address = place.dropping(prefix: "udp:"), let end = try? HostPort(address),
      let port = end.port
    {
      self = .datagrams(host: end.host, port: port)
    } else {
      return nil
    }
  }
}
