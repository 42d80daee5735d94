import Foundation
import Glibc
import TestSupport
import Testing

@Suite(
  "Other machines at the share's doors", .serialized,
  .enabled(if: getuid() == 0 && !AsRoot.isInside, "only root makes networks"))
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

  @Test(
    "are told by an administrator's line alone, which status and apps name, until it is revoked")
  func allowed() throws {
    for allow in ["", "Allow=10.0.0.0/16", "Allow=192.168.0.0/16 10.77.0.0/24"] {
      let daemon = try RunningDaemon(
        ["replay://{folder}/drive.nmea?rate=5&loop=1"],
        files: ["drive.nmea": Recording.drive(seconds: 600)], flags: ["--in-use", "connected"])
      let file = daemon.folder.appending(path: "other")
      let share = try RunningShare(
        daemon, "NMEA=tcp:10.77.0.1:10110\n\(allow)",
        in: ["unshare", "--net", "sh", "-c", Self.network, "sh", file.path])
      let other = try String(contentsOf: file, encoding: .utf8).dropLast()
      let script = """
        import socket
        s = socket.create_connection(("10.77.0.1", 10110))
        for line in s.makefile(): print(line, end="", flush=True)
        """
      let program = try Program(
        ["nsenter", "-t", String(other), "-n", "/usr/bin/python3", "-c", script])
      guard allow.contains("10.77") else {
        #expect(try program.text() == ("", 0))
        continue
      }
      while try !program.line().hasPrefix("$GPRMC,") {}
      let status = try daemon.control("status").text().text
      #expect(status.contains("everyone at other machines"), "\(status)")
      #expect(try daemon.control("apps").text().text.contains("unit:locationd-share.service"))
      #expect(try daemon.control("revoke", "unit:locationd-share.service").exit() == 0)
      // Its connection is cut.
      _ = try program.exit()
      withExtendedLifetime(share) {}
    }
  }
}
