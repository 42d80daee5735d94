import Foundation
import Glibc
import LocationModel
import TestSupport
import Testing

/// A program that watches, and prints what it hears.
func reader(at port: Int) -> [String] {
  let script = """
    import socket
    s = socket.create_connection(("127.0.0.1", \(port)))
    s.sendall(b'?WATCH={"enable":true,"json":true,"nmea":true};')
    for line in s.makefile(): print(line, end="", flush=True)
    """
  return ["/usr/bin/python3", "-c", script]
}

@Suite(
  "Root at the share's doors", .serialized,
  .enabled(if: Cgroup.roots[.unified] != nil, "only root makes control groups of the kernel's"))
struct ShareRootTests {
  /// Each with a grant of nobody: root's own exemption is all that could let it know.
  @Test(
    "is undecided in a container, and where it forwards others' ports",
    arguments: [
      "/system.slice/docker-0af3.scope", "/machine.slice/libpod-0af3.scope/container",
      "/system.slice/ssh.service", "/system.slice/docker.service", "/locationd-test",
    ])
  func undecided(folder: String) throws {
    try expect("gpsd:root", in: folder, isTold: false)
  }

  @Test(
    "is trusted in a unit or a session of this machine",
    arguments: [
      ("/system.slice/cron.service", "unit:cron.service"),
      ("/user.slice/user-0.slice/session-3.scope", "user:root"),
    ])
  func trusted(folder: String, app: String) throws {
    try expect(app, in: folder, isTold: true)
  }

  @Test(
    "is undecided behind a port that a forwarder of root's leads to the share, whoever comes there")
  func forwarded() throws {
    let share = try share()
    let port = try RealGpsd.freePort()
    let group = try Cgroup("/system.slice/ssh.service")
    let forwarder = try Program(group.command(Self.forwarder(from: port, to: share.port)))
    while try !forwarder.line().contains("leads") {}
    let client = try share.connect(port: port)
    client.send("?WATCH={\"enable\":true,\"json\":true,\"nmea\":true};?POLL;")
    #expect(client.hears("\"POLL\"") && !client.knows)
    #expect(try apps(share).contains("gpsd:root"))
    // As an administrator says, all that come there are told.
    try share.grant("gpsd:root")
    #expect(client.hears("\"lat\":"))
    #expect(try share.daemon.control("revoke", "gpsd:root").exit() == 0)
    #expect(client.isClosed())
    withExtendedLifetime(group) {}
  }

  private func share() throws -> RunningShare {
    try RunningShare(.replaying(seesGroups: true))
  }

  private func apps(_ share: RunningShare) throws -> [String] {
    let clients = try share.daemon.connect().ask("status")["result"]?["clients"]?.array ?? []
    return clients.compactMap { $0["app"]?.string }
  }

  private func expect(_ app: String, in folder: String, isTold: Bool) throws {
    let share = try share()
    let group = try Cgroup(folder)
    let program = try Program(group.command(reader(at: share.port)))
    while try !program.line().contains("\"WATCH\"") {}
    #expect(try eventually(within: patience) { try self.apps(share).contains(app) })
    if isTold {
      while try !program.line().contains("\"lat\":") {}
    } else {
      program.signal(SIGTERM)
      #expect(try !program.text().text.contains("\"TPV\""))
    }
    withExtendedLifetime(group) {}
  }

  private static func forwarder(from port: Int, to other: Int) -> [String] {
    let script = """
      import socket, threading
      def lead(one, other):
          try:
              while text := one.recv(65536): other.sendall(text)
          except OSError: pass
          try: other.shutdown(socket.SHUT_RDWR)
          except OSError: pass
      listener = socket.create_server(("127.0.0.1", \(port)))
      print("leads", flush=True)
      while True:
          one, other = listener.accept()[0], socket.create_connection(("127.0.0.1", \(other)))
          threading.Thread(target=lead, args=(one, other)).start()
          threading.Thread(target=lead, args=(other, one)).start()
      """
    return ["/usr/bin/python3", "-c", script]
  }
}
