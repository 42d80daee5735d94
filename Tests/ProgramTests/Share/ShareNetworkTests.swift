import Foundation
import Glibc
import LocationModel
import TestSupport
import Testing

@Suite("Other machines at the share's doors", .serialized, .asRoot)
struct ShareNetworkTests {
  /// The share's network has another machine in it, a process whose number is in the file.
  private static let network = """
    other=$1; shift
    ip link set lo up
    setpriv --pdeathsig KILL unshare --net sleep 600 &
    while [ "$(readlink /proc/$!/ns/net)" = "$(readlink /proc/$$/ns/net)" ]; do sleep 0.02; done
    ip link add here type veth peer name there netns $! &&
    ip addr add 10.77.0.1/24 dev here && ip link set here up &&
    nsenter -t $! -n sh -c 'ip addr add 10.77.0.2/24 dev there && ip link set there up' &&
    echo $! >"$other" && exec "$@"
    """

  private static let line = "unit:locationd-share.service"

  /// A share at an address that another machine reaches.
  private struct Reached {
    let share: RunningShare
    private let other: String

    init(_ allow: String) throws {
      let daemon = try RunningDaemon.replaying()
      let file = daemon.folder.appending(path: "other")
      share = try RunningShare(
        daemon, Self.configuration(allow),
        in: ["unshare", "--net", "sh", "-c", ShareNetworkTests.network, "sh", file.path])
      other = try String(String(contentsOf: file, encoding: .utf8).dropLast())
    }

    private static func configuration(_ allow: String) -> String {
      "NMEA=tcp:10.77.0.1:10110\n\(allow)"
    }

    /// A program of the other machine, which prints what it hears.
    func program() throws -> Program {
      let script = """
        import socket
        s = socket.create_connection(("10.77.0.1", 10110))
        for line in s.makefile(): print(line, end="", flush=True)
        """
      return try Program(["nsenter", "-t", other, "-n", "/usr/bin/python3", "-c", script])
    }

    func reload(_ allow: String) throws {
      try share.daemon.write("[Share]\n\(Self.configuration(allow))\n", to: "share.conf")
      share.program.signal(SIGHUP)
    }

    /// The lines of these networks are named to those who look, and no others.
    func names(_ networks: [String]) throws -> Bool {
      try eventually(within: patience) {
        let clients = try share.daemon.connect().ask("status")["result"]?["clients"]?.array ?? []
        let names = clients.compactMap { $0["name"]?.string }
        return names.filter { $0.hasPrefix("everyone") } == networks.map { "everyone at \($0)" }
      }
    }
  }

  @Test("are told by an administrator's line alone, until it is revoked")
  func allowed() throws {
    for allow in ["", "Allow=10.0.0.0/16", "Allow=192.168.0.0/16 10.77.0.0/24"] {
      let reached = try Reached(allow)
      let program = try reached.program()
      guard allow.contains("10.77") else {
        #expect(try program.text() == ("", 0))
        continue
      }
      while try !program.line().hasPrefix("$GPRMC,") {}
      #expect(try reached.share.daemon.control("revoke", Self.line).exit() == 0)
      // Its connection is cut.
      _ = try program.exit()
    }
  }

  @Test("come where a network is new, and are let go where one is taken away and read again")
  func reloaded() throws {
    let reached = try Reached("Allow=10.0.0.0/16")
    #expect(try reached.program().text() == ("", 0))
    try reached.reload("Allow=10.77.0.0/24")
    #expect(try reached.names(["10.77.0.0/24"]))
    let program = try reached.program()
    while try !program.line().hasPrefix("$GPRMC,") {}
    try reached.reload("Allow=10.77.9.0/24")
    _ = try program.exit()
    #expect(try reached.names(["10.77.9.0/24"]))
    #expect(try reached.program().text() == ("", 0))
  }

  @Test("have their networks named by status and apps before a program comes, and no receiver runs")
  func named() throws {
    let reached = try Reached("Allow=10.0.0.0/16 fd00::/8")
    let daemon = reached.share.daemon
    #expect(try reached.names(["10.0.0.0/16", "fd00::/8"]))
    let status = try daemon.control("status").text().text
    #expect(status.contains("everyone at 10.0.0.0/16"), "\(status)")
    let apps = try daemon.control("apps").text().text
    #expect(apps.contains(Self.line), "\(apps)")
    for network in ["10.0.0.0/16", "fd00::/8"] {
      #expect(apps.contains("\n  tells everyone at \(network)\n"), "\(apps)")
    }
    #expect(try !isNeeded(by: daemon))
  }
}
