/// Callers at locationd-share's doors: the kernel tells the user of their socket and its control group, and no process.
extension Caller {
  static let shareUnit = "locationd-share.service"

  /// `isRemote`: the socket was made in a session that a person at another machine has. `userName` names a program
  /// that its control group does not.
  package init(
    shared facts: ProcessFacts, on machine: Machine, isRemote: Bool = false,
    userName: @autoclosure () -> String
  ) {
    let name = userName()
    self.init(facts, on: machine, userName: name)
    entry = .shared
    socket = nil
    let place = facts.seen.flatMap { CgroupPlace($0.cgroup) }
    if uid == 0, confinement != .none || isRemote || place.map(\.forwards) ?? true {
      // The caller is in a container, or may speak for another machine: it may do what this name may, no more.
      app = "\(AppName.Kind.gpsd):\(name)"
      confinement = .unknown
    } else if uid != 0, kind == .user, confinement == .none {
      app = "\(AppName.Kind.gpsd):\(name)"
    }
  }

  /// All that read where an administrator's line has the share tell everyone.
  package init(lineOf share: Caller) {
    self = share
    app = "\(AppName.Kind.unit):\(Self.shareUnit)"
    entry = .line
  }

  /// The caller is locationd-share itself: without systemd, an unconfined program of root or the daemon's user.
  package func isShare(on machine: Machine, daemon: UInt32) -> Bool {
    machine.hasSystemd
      ? unit == .system(Self.shareUnit)
      : (uid == 0 || uid == daemon) && confinement == .none
  }
}

extension CgroupPlace {
  /// Its sockets may be those of somebody else's program: ports of containers, tunnels.
  fileprivate var forwards: Bool {
    Self.forwarders.contains { unit.hasPrefix($0) }
  }

  private static let forwarders = [
    "docker.", "containerd.", "podman", "libvirtd.", "lxc", "lxd", "incus", "cri-o.", "crio.",
    "k3s",
    "kubelet.", "snap.docker.", "snap.lxd.", "ssh.", "sshd.", "ssh@", "sshd@", "dropbear",
    "autossh",
    "tailscaled.", "cloudflared", "frp", "chisel", "ngrok", "systemd-socket-proxyd", "inetd.",
    "openbsd-inetd.", "xinetd.", "rinetd.", "socat", "redir", "stunnel", "nginx.", "haproxy.",
  ]
}
