import Foundation
import Glibc
import LocationModel
import TestSupport
import Testing

@Suite("Sources that lead to the share") struct ShareLoopTests {
  private static let gpsds = "is locationd-share's"
  private static let nmeas = "it is locationd-share, which has from here"

  @Test(
    "are refused with a sentence, at each connect",
    arguments: [
      ("gpsd://127.0.0.1:{port}", "Gpsd=yes", gpsds),
      ("gpsd://localhost:{port}", "Gpsd=yes", gpsds),
      ("gpsd://[::1]:{port}", "Gpsd=yes", gpsds),
      ("nmea+tcp://127.0.0.1:{port}", "NMEA=tcp:{port}", nmeas),
      ("nmea+tcp://localhost:{port}", "NMEA=tcp:127.0.0.1:{port}", nmeas),
      ("nmea+tcp://[::1]:{port}", "NMEA=tcp:[::1]:{port}", nmeas),
      ("nmea+unix://{folder}/nmea", "NMEA=unix:{folder}/nmea", nmeas),
    ])
  func connections(source: String, line: String, sentence: String) throws {
    let port = try RealGpsd.freePort()
    func filled(_ text: String) -> String { text.replacing("{port}", with: "\(port)") }
    let daemon = try RunningDaemon(
      [filled(source), "static:45,7"], flags: ["--in-use", "connected"])
    let isGpsds = source.hasPrefix("gpsd")
    let share = try RunningShare(
      daemon, filled(line), port: isGpsds ? port : nil,
      host: source.contains("[::1]") && isGpsds ? "[::1]" : "127.0.0.1")
    let client = try daemon.connect()
    client.request("startUpdatingLocation")
    for _ in 0..<2 {
      let isRefused = try eventually(within: patience) {
        let status = try daemon.connect().ask("status")["result"]
        let reason = status?["sources"]?.array?.first?["reason"]?.string ?? ""
        return reason.contains(sentence)
      }
      #expect(isRefused)
      // At the next connect, the same.
      client.request("stopUpdatingLocation")
      client.request("startUpdatingLocation")
    }
    withExtendedLifetime(share) {}
  }

  @Test(
    "have a line that they would hear told nothing",
    arguments: [
      ("nmea+udp://127.0.0.1:{port}", "udp:127.0.0.1:{port}"),
      ("nmea+udp://0.0.0.0:{port}", "udp:127.0.0.1:{port}"),
      ("nmea+udp://0.0.0.0:{port}", "udp:127.255.255.255:{port}"),
      ("nmea+udp://[::]:{port}", "udp:[::1]:{port}"),
      ("nmea+udp://239.7.7.7:{port}", "udp:239.7.7.7:{port}"),
      ("nmea://{folder}/tty", "pty:{folder}/tty"),
    ])
  func lines(source: String, line: String) throws {
    let port = try RealGpsd.freePort()
    func filled(_ text: String) -> String { text.replacing("{port}", with: "\(port)") }
    let daemon = try RunningDaemon(
      [filled(source), "static:45,7"], flags: ["--in-use", "connected"])
    let share = try RunningShare(daemon, filled("NMEA=\(line)"))
    let place = filled(line).replacing("{folder}", with: daemon.folder.path)
    while try !share.program.line().contains("\(place) is not told: A source of locationd's hears")
    {}
    #expect(try !Self.isTold(place, by: daemon))
  }

  @Test("that come with a new configuration have the line ended, and no other line")
  func later() throws {
    let (port, other) = (try RealGpsd.freePort(), try RealGpsd.freePort())
    let daemon = try RunningDaemon(
      [], files: ["locationd.conf": "[Sources]\nSource=static:45,7\n"],
      flags: ["--in-use", "connected"])
    let lines = [port, other].map { "udp:127.0.0.1:\($0)" }
    let share = try RunningShare(daemon, "NMEA=\(lines[0]) \(lines[1])")
    for line in lines {
      #expect(try eventually(within: patience) { try Self.isTold(line, by: daemon) })
    }
    try daemon.write(
      "[Sources]\nSource=static:45,7\nSource=nmea+udp://127.0.0.1:\(port)\n", to: "locationd.conf")
    daemon.program.signal(SIGHUP)
    while try !daemon.program.line().contains("\(lines[0]) is not told") {}
    #expect(try eventually(within: patience) { try !Self.isTold(lines[0], by: daemon) })
    #expect(try Self.isTold(lines[1], by: daemon))
    withExtendedLifetime(share) {}
  }

  private static func isTold(_ line: String, by daemon: RunningDaemon) throws -> Bool {
    let clients = try daemon.connect().ask("status")["result"]?["clients"]?.array
    return clients?.contains { $0["name"]?.string == "everyone at \(line)" } == true
  }
}
