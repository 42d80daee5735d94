import Foundation
import Glibc
import LocationModel
import TestSupport
import Testing

@Suite("NMEA out, and chrony") struct ShareLinesTests {
  private static func replay() throws -> RunningDaemon {
    try RunningDaemon(
      ["replay://{folder}/drive.nmea?rate=5&loop=1"],
      files: ["drive.nmea": Recording.drive(seconds: 600)], flags: ["--in-use", "connected"])
  }

  @Test("programs at NMEA's port and socket hear it as soon as they may know, and nothing before")
  func doors() throws {
    let port = try RealGpsd.freePort()
    let daemon = try Self.replay()
    let path = daemon.folder.appending(path: "nmea").path
    let share = try RunningShare(
      daemon, "NMEA=tcp:\(port) tcp:[::1]:\(port) unix:\(path)\nMode=0666")
    let clients = [
      try share.connect(port: port), try WordClient(port6: port), try WordClient(path: path),
    ]
    let web = try share.connect(port: port)
    web.send("GET / HTTP/1.1\r\n\r\n")
    #expect(web.isClosed() && web.text.isEmpty)
    usleep(1_500_000)
    for client in clients {
      client.read()
      #expect(client.text.isEmpty, "\(client.text)")
    }
    try share.grant()
    for client in clients {
      #expect(client.hears("$GPRMC,") && client.hears("$GPGGA,") && client.hears("$GPVTG,"))
    }
    #expect(try isNeeded(by: daemon))
    #expect(try daemon.control("revoke", share.app).exit() == 0)
    for client in clients { #expect(client.isClosed()) }
    #expect(try eventually(within: patience) { try !isNeeded(by: daemon) }, "the receiver sleeps")
  }

  @Test("without permission programs hear nothing at NMEA's doors, in a thousand tries")
  func denied() throws {
    let port = try RealGpsd.freePort()
    let (line, heard) = try datagrams()
    defer { close(line) }
    let daemon = try Self.replay()
    let path = daemon.folder.appending(path: "nmea").path
    let share = try RunningShare(
      daemon, "NMEA=tcp:\(port) unix:\(path) udp:127.0.0.1:\(heard)\nMode=0666")
    for _ in 0..<20 {
      var clients: [WordClient] = []
      for i in 0..<50 {
        let client = try i % 2 == 0 ? share.connect(port: port) : WordClient(path: path)
        if i % 8 < 4 { client.send("?POLL;$PMTK000*32\r\n") }
        switch i % 10 {
        case 0, 1: shutdown(client.descriptor, Int32(SHUT_WR))
        case 2, 3: client.end()
        default: break
        }
        if client.descriptor >= 0 { clients.append(client) }
      }
      // Meanwhile an administrator's line tells three epochs.
      for _ in 0..<3 { #expect(hears(line)) }
      for client in clients {
        client.read()
        #expect(client.text.isEmpty, "\(client.text)")
      }
    }
  }

  @Test("without a fix, RMC says so each second")
  func noFix() throws {
    let port = try RealGpsd.freePort()
    let daemon = try RunningDaemon(["nmea+tcp://127.0.0.1:9"], flags: ["--in-use", "connected"])
    let share = try RunningShare(daemon, "NMEA=tcp:\(port)")
    let client = try share.connect(port: port)
    usleep(1_500_000)
    client.read()
    #expect(client.text.isEmpty)
    try share.grant()
    #expect(client.hears("$GPRMC,,V,,,,,,,,,,N*53\r\n"))
  }

  @Test("a serial line and an address are told by the administrator's line, which apps lists")
  func everyone() throws {
    let daemon = try Self.replay()
    let path = daemon.folder.appending(path: "tty").path
    let (listener, port) = try datagrams()
    defer { close(listener) }
    let share = try RunningShare(daemon, "NMEA=pty:\(path) udp:127.0.0.1:\(port)\nMode=0640")
    var facts = stat()
    #expect(stat(path, &facts) == 0 && facts.st_mode & 0o7777 == 0o640)
    #expect(hears(listener))
    let line = open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    defer { close(line) }
    #expect(line >= 0 && hears(line))
    let apps = try daemon.control("apps").text().text
    #expect(apps.contains("unit:locationd-share.service"))
    let status = try daemon.control("status").text().text
    #expect(status.contains("everyone at udp:127.0.0.1:\(port)"), "\(status)")
    #expect(try daemon.control("revoke", "unit:locationd-share.service").exit() == 0)
    usleep(300_000)
    var bytes = [UInt8](repeating: 0, count: 65536)
    while recv(listener, &bytes, bytes.count, Int32(MSG_DONTWAIT)) > 0 {}
    usleep(500_000)
    #expect(recv(listener, &bytes, bytes.count, Int32(MSG_DONTWAIT)) < 0)
    withExtendedLifetime(share) {}
  }

  @Test("a recording and a fixed place say chrony nothing, and a live receiver one sample a second")
  func chrony() throws {
    let (listener, port) = try Listener.tcp()
    for source in [
      "replay://{folder}/drive.nmea?rate=1&loop=1", "static:45,7", "nmea+tcp://127.0.0.1:\(port)",
    ] {
      let daemon = try RunningDaemon(
        [source], files: ["drive.nmea": Recording.drive(seconds: 600)],
        flags: ["--in-use", "connected"])
      let path = daemon.folder.appending(path: "chrony").path
      let socket = try datagrams(at: path)
      defer { close(socket) }
      let share = try RunningShare(daemon, "Chrony=\(path)")
      var bytes = [UInt8](repeating: 0, count: 64)
      guard source.hasPrefix("nmea") else {
        #expect(!eventually(within: 5) { recv(socket, &bytes, 64, Int32(MSG_DONTWAIT)) > 0 })
        continue
      }
      let chatter = Chatter(try listener.accept(), every: 0.25)
      defer { chatter.stop() }
      var count = 0
      let came = eventually(within: patience) {
        let size = recv(socket, &bytes, 64, Int32(MSG_DONTWAIT))
        if size > 0 {
          #expect(size == 40)
          count += 1
        }
        return count == 3
      }
      #expect(came)
      let offset = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 16, as: Double.self) }
      #expect(abs(offset) < 5)
      withExtendedLifetime(share) {}
    }
  }

  /// A socket that hears what is sent to a port of its own.
  private func datagrams() throws -> (descriptor: Int32, port: Int) {
    let port = try RealGpsd.freePort()
    let descriptor = socket(
      AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    address.sin_port = UInt16(port).bigEndian
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    try #require(bound == 0)
    return (descriptor, port)
  }

  /// A new epoch is told there.
  private func hears(_ descriptor: Int32) -> Bool {
    var text = ""
    return eventually(within: patience) {
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = Glibc.read(descriptor, &bytes, bytes.count)
      if count > 0 { text += String(decoding: bytes[..<count], as: UTF8.self) }
      return text.contains("$GPRMC,") && text.contains("$GPGGA,")
    }
  }

  private func datagrams(at path: String) throws -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(bound == 0)
    return descriptor
  }
}

@Suite("gpsd's words, told back") struct ShareLoopTests {
  @Test("a source that leads to the share is refused with a sentence")
  func own() throws {
    let port = try RealGpsd.freePort()
    let daemon = try RunningDaemon(
      ["gpsd://127.0.0.1:\(port)", "static:45,7"], flags: ["--in-use", "connected"])
    let share = try RunningShare(daemon, port: port)
    let client = try daemon.connect()
    client.request("startUpdatingLocation")
    let isRefused = try eventually(within: patience) {
      let status = try daemon.connect().ask("status")["result"]
      let reason = status?["sources"]?.array?.first?["reason"]?.string ?? ""
      return reason.contains("is locationd-share's")
    }
    #expect(isRefused)
    withExtendedLifetime(share) {}
  }
}

@Suite("Real clients of gpsd's") struct ShareClientsTests {
  @Test("hear from the share what they hear from a gpsd at the same receiver")
  func same() throws {
    let script = Checkout.path + "/Tests/Servers/receiver-clients.py"
    let (text, exit) = try Program(
      ["/usr/bin/python3", script, Program.folder.path],
      environment: ["PYTHONPATH": Checkout.path + "/.build/receiver-clients"]
    ).text()
    #expect(exit == 0, "\(text)")
    #expect(text.contains("gpspipe -w: "), "\(text)")
  }
}
