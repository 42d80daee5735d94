import Foundation
import Glibc
import LocationModel
import TestSupport
import Testing

@Suite("NMEA out, and chrony") struct ShareLinesTests {
  @Test("programs at NMEA's port and socket hear it as soon as they may know, and nothing before")
  func doors() throws {
    let port = try RealGpsd.freePort()
    let daemon = try RunningDaemon.replaying()
    let path = daemon.folder.appending(path: "nmea").path
    let share = try RunningShare(
      daemon, "NMEA=tcp:\(port) tcp:[::1]:\(port) unix:\(path)\nMode=0666")
    let clients = [
      try share.connect(port: port), try WordClient(port6: port), try WordClient(path: path),
    ]
    let web = try share.connect(port: port)
    web.send("GET / HTTP/1.1\r\n\r\n")
    #expect(web.isClosed() && web.text.isEmpty)
    // Another client keeps the receiver running.
    let other = try daemon.connect()
    other.request("startUpdatingLocation")
    try daemon.waitForFixes()
    for client in clients {
      client.read()
      #expect(client.text.isEmpty, "\(client.text)")
    }
    other.request("stopUpdatingLocation")
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
    let daemon = try RunningDaemon.replaying()
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

  private static let noFix = "$GPRMC,,V,,,,,,,,,,N*53\r\n"

  @Test("without a fix, RMC says so each second: before the first one, and after the last")
  func noFix() throws {
    let (listener, receiver) = try Listener.tcp()
    let port = try RealGpsd.freePort()
    let (line, heard) = try datagrams()
    defer { close(line) }
    let daemon = try RunningDaemon(
      ["nmea+tcp://127.0.0.1:\(receiver)"], flags: ["--in-use", "connected"])
    let share = try RunningShare(daemon, "NMEA=tcp:\(port) udp:127.0.0.1:\(heard)")
    let client = try share.connect(port: port)
    // Meanwhile an administrator's line is told.
    for _ in 0..<2 { #expect(hears(line, [Self.noFix])) }
    client.read()
    #expect(client.text.isEmpty)
    try share.grant()
    #expect(client.hears(Self.noFix))
    let chatter = Chatter(try listener.accept(), every: 0.25)
    defer { chatter.stop() }
    #expect(client.hears(",A,"))
    chatter.stop()
    client.forget()
    var moments: [ContinuousClock.Instant] = []
    while moments.count < 8, client.hears(Self.noFix) {
      moments.append(.now)
      client.forget()
    }
    // The one in the middle: a machine may have much else to do.
    let pauses = zip(moments, moments.dropFirst()).map { $1 - $0 }.sorted()
    try #require(pauses.count == 7)
    #expect(pauses[3] > .milliseconds(800) && pauses[3] < .milliseconds(1500), "\(pauses)")
  }

  @Test("once the fix is lost TPV says so each second, and a poll has no place until the next fix")
  func lost() throws {
    let (listener, receiver) = try Listener.tcp()
    let daemon = try RunningDaemon(
      ["nmea+tcp://127.0.0.1:\(receiver)"], flags: ["--in-use", "connected"])
    let share = try RunningShare(daemon)
    let (client, stranger) = (try share.connect(), try share.connect())
    client.send("?WATCH={\"enable\":true,\"json\":true};")
    try share.grant()
    let speaker = try listener.accept()
    for _ in 0..<2 {
      let chatter = Chatter(speaker, every: 0.25)
      #expect(client.hears("\"lat\":"))
      chatter.stop()
      client.forget()
      let report = #"{"class":"TPV","device":"locationd","mode":1}"#
      #expect(client.hears(report + "\r\n"))
      client.forget()
      client.send("?POLL;")
      #expect(client.hears(#""active":1,"tpv":[\#(report)],"gst":[],"#), "\(client.text)")
      #expect(!client.text.contains("\"lat\""), "\(client.text)")
      client.forget()
    }
    stranger.read()
    #expect(!stranger.knows)
  }

  @Test("HDT and ATT say where a receiver points, if it says so")
  func heading() throws {
    let (listener, receiver) = try Listener.tcp()
    let port = try RealGpsd.freePort()
    let daemon = try RunningDaemon(
      ["nmea+tcp://127.0.0.1:\(receiver)"], flags: ["--in-use", "connected"])
    let share = try RunningShare(daemon, "NMEA=tcp:\(port)")
    let (sentences, reports) = (try share.connect(port: port), try share.connect())
    reports.send("?WATCH={\"enable\":true,\"json\":true};")
    try share.grant()
    let speaker = try listener.accept()
    func hears(_ heading: String, _ sentence: String, _ report: String) -> Bool {
      eventually(within: patience) {
        speaker.say(Recording.epoch(now: Date()) + heading)
        return sentences.hears(sentence, within: 0.1) && reports.hears(report, within: 0.1)
      }
    }
    #expect(hears("", "$GPRMC,", "\"lat\":"))
    #expect(!sentences.text.contains("HDT") && !reports.text.contains("\"ATT\""))
    #expect(hears(Recording.sentence("GPHDT,87.6,T"), "$GPHDT,87.60,T*3C\r\n", "\"heading\":87.6"))
  }

  @Test("a serial line and an address are told by the administrator's line, which apps lists")
  func everyone() throws {
    let daemon = try RunningDaemon.replaying()
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
    // Another client keeps the receiver running.
    let other = try daemon.connect()
    other.request("startUpdatingLocation")
    let isSilent = try eventually(within: patience) {
      var bytes = [UInt8](repeating: 0, count: 65536)
      while recv(listener, &bytes, bytes.count, Int32(MSG_DONTWAIT)) > 0 {}
      while read(line, &bytes, bytes.count) > 0 {}
      try daemon.waitForFixes()
      return recv(listener, &bytes, bytes.count, Int32(MSG_DONTWAIT)) < 0
        && read(line, &bytes, bytes.count) < 0
    }
    #expect(isSilent)
    withExtendedLifetime(share) {}
  }

  @Test(
    "a serial line has nothing that was said before the revocation, nor before the daemon's end")
  func nothingLeft() throws {
    for isRevoked in [true, false] {
      let daemon = try RunningDaemon.replaying()
      let path = daemon.folder.appending(path: "tty").path
      let (listener, port) = try datagrams()
      defer { close(listener) }
      let share = try RunningShare(daemon, "NMEA=pty:\(path) udp:127.0.0.1:\(port)")
      // The serial line has been told as much by then, and no program has read it.
      for _ in 0..<2 { #expect(hears(listener)) }
      if isRevoked {
        #expect(try daemon.control("revoke", "unit:locationd-share.service").exit() == 0)
      } else {
        daemon.program.signal(SIGKILL)
        while try !share.program.line().contains("locationd is lost") {}
      }
      // The share comes to a new program after what it was told before.
      let client = try share.connect()
      client.send("?VERSION;")
      #expect(client.hears("\"VERSION\""))
      let line = open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
      defer { close(line) }
      var bytes = [UInt8](repeating: 0, count: 4096)
      #expect(line >= 0 && read(line, &bytes, bytes.count) < 0)
    }
  }

  @Test("a revoked line is told nothing of what had been on the way to a share that stood still")
  func revokedWhileStopped() throws {
    let daemon = try RunningDaemon.replaying()
    let (listener, port) = try datagrams()
    defer { close(listener) }
    let share = try RunningShare(daemon, "NMEA=udp:127.0.0.1:\(port)")
    #expect(hears(listener))
    share.program.signal(SIGSTOP)
    defer { share.program.signal(SIGCONT) }
    try #require(eventually(within: patience) { ShareTests.isStopped(share.program) })
    try daemon.waitForFixes(3)
    #expect(try daemon.control("revoke", "unit:locationd-share.service").exit() == 0)
    var bytes = [UInt8](repeating: 0, count: 65536)
    while recv(listener, &bytes, bytes.count, Int32(MSG_DONTWAIT)) > 0 {}
    share.program.signal(SIGCONT)
    // The daemon's answer about a program comes after all that was on the way.
    let client = try share.connect()
    client.send("?VERSION;")
    #expect(client.hears("\"VERSION\""))
    #expect(recv(listener, &bytes, bytes.count, Int32(MSG_DONTWAIT)) < 0)
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
      let socket = try datagramSocket(at: path)
      defer { close(socket) }
      let (line, heard) = try datagrams()
      defer { close(line) }
      let share = try RunningShare(daemon, "Chrony=\(path)\nNMEA=udp:127.0.0.1:\(heard)")
      var bytes = [UInt8](repeating: 0, count: 64)
      guard source.hasPrefix("nmea") else {
        // Meanwhile another line is told: of a live receiver as many epochs would be three samples.
        for _ in 0..<(source.hasPrefix("replay") ? 5 : 1) { #expect(hears(line)) }
        #expect(recv(socket, &bytes, 64, Int32(MSG_DONTWAIT)) < 0)
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
  private func hears(_ descriptor: Int32, _ words: [String] = ["$GPRMC,", "$GPGGA,"]) -> Bool {
    var text = ""
    return eventually(within: patience) {
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = Glibc.read(descriptor, &bytes, bytes.count)
      if count > 0 { text += String(decoding: bytes[..<count], as: UTF8.self) }
      return words.allSatisfy { text.contains($0) }
    }
  }
}

@Suite("Real clients of gpsd's") struct ShareClientsTests {
  @Test("hear from the share what they hear from a gpsd at the same receiver")
  func same() throws {
    let script = Checkout.path + "/Tests/Servers/receiver-clients.py"
    let packages = Checkout.path + "/.build/receiver-clients"
    let (text, exit) = try Program(
      ["/usr/bin/python3", script, Program.folder.path], environment: ["PYTHONPATH": packages]
    ).text()
    #expect(exit == 0, "\(text)")
    // Debian's are here wherever gpsd is; `make test` fetches PyPI's.
    try #require(FileManager.default.fileExists(atPath: packages))
    let ofDebian = [
      "gpspipe -w", "gpspipe -r", "gpspipe -R", "gpscsv", "gpxlogger", "cgps", "python3-gps",
      "gpspipe -w, its GST", "gpspipe -w, its ATT", "gpsd at gpsd://",
    ]
    let ofPyPI = ["gpsdclient", "gps3", "gpsd-py3"]
    for name in ofDebian + ofPyPI {
      let isCompared = text.split(separator: "\n").contains {
        $0.hasPrefix("\(name): ") && $0.contains(" places, ")
      }
      #expect(isCompared, "\(name): \(text)")
    }
  }
}
