import Foundation
import LocationModel
import TestSupport
import Testing

@Suite("Sockets of the share that systemd gives") struct ShareGivenTests {
  /// A share that is started by the first connection at one of its doors, with further lines of its own.
  private final class Given {
    let daemon: RunningDaemon
    let given: Int
    private let program: Program

    init(
      _ door: String, _ configuration: String, gpsd: Int? = nil, given: Int? = nil
    ) throws {
      daemon = try RunningDaemon(flags: ["--in-use", "connected"])
      self.given = try given ?? RealGpsd.freePort()
      try daemon.write("[Share]\n\(configuration)\n", to: "share.conf")
      program = try Program(
        [
          "systemd-socket-activate", "--listen=127.0.0.1:\(self.given)", "--fdname=\(door)",
          Program.path("locationd-share"), "--config",
          daemon.folder.appending(path: "share.conf").path, "--daemon", daemon.socket,
        ] + (gpsd.map { ["--gpsd", "127.0.0.1:\($0)"] } ?? []))
      while try !program.line().contains("Listening") {}
    }

    /// The daemon has been told of a program at that door.
    func isKnown(_ door: String) throws -> Bool {
      let status = try daemon.connect().ask("status")["result"]
      return status?["clients"]?.array?.contains { $0["name"] == .string(door) } == true
    }

    /// The ports at which it listens, beside those that are given.
    func ports() throws -> [Int] {
      let (text, exit) = try Program(["ss", "-Htlnp"]).text()
      try #require(exit == 0)
      return text.split(separator: "\n").filter { $0.contains("pid=\(program.pid),") }
        .compactMap { $0.split(separator: " ")[3].split(separator: ":").last.flatMap { Int($0) } }
        .filter { $0 != given }
    }

    /// The first program comes.
    func start() throws -> WordClient {
      let client = try WordClient(port: given)
      while try !program.line().contains("is ready") {}
      return client
    }
  }

  @Test("are missed where no line names another door: the journal says so")
  func none() throws {
    for (line, isOpen) in [
      ("", false), ("Allow=10.0.0.0/8", false), ("NMEA=udp:127.0.0.1:9", true),
    ] {
      let daemon = try RunningDaemon()
      try daemon.write("[Share]\n\(line)\n", to: "share.conf")
      let program = try Program([
        Program.path("locationd-share"), "--config",
        daemon.folder.appending(path: "share.conf").path, "--daemon", daemon.socket,
      ])
      var lines: [String] = []
      while lines.last?.contains("is ready") != true { lines.append(try program.line()) }
      #expect(lines.contains { $0.contains("no door is open") } != isOpen, "\(lines)")
    }
  }

  @Test("NMEA's alone opens no port of gpsd's, nor another one that no line names")
  func closed() throws {
    let share = try Given("nmea", "")
    let first = try share.start()
    #expect(try share.ports() == [])
    #expect(try eventually(within: patience) { try share.isKnown("NMEA") })
    withExtendedLifetime(first) {}
  }

  @Test(
    "NMEA's does not keep it from gpsd's port, nor from further lines of tcp:, if a line names them"
  )
  func nmea() throws {
    let (port, other) = (try RealGpsd.freePort(), try RealGpsd.freePort())
    let share = try Given("nmea", "NMEA=tcp:\(other)", gpsd: port)
    let first = try share.start()
    let client = try WordClient(port: port)
    #expect(client.hears("\"VERSION\""))
    #expect(try share.ports().sorted() == [port, other].sorted())
    withExtendedLifetime(first) {}
  }

  @Test("NMEA's stands for a line of tcp: at its own address")
  func sameAddress() throws {
    let port = try RealGpsd.freePort()
    let share = try Given("nmea", "NMEA=tcp:\(port)", given: port)
    let first = try share.start()
    #expect(try share.ports() == [])
    #expect(try eventually(within: patience) { try share.isKnown("NMEA") })
    withExtendedLifetime(first) {}
  }

  @Test(
    "gpsd's stands for its port, whatever Gpsd= says, and tcp: is listened at",
    arguments: ["yes", "no"])
  func gpsd(word: String) throws {
    let other = try RealGpsd.freePort()
    let share = try Given("gpsd", "Gpsd=\(word)\nNMEA=tcp:\(other)")
    #expect(try share.start().hears("\"VERSION\""))
    #expect(try share.ports() == [other])
  }

  @Test("are served where somebody else has another port that it would listen at")
  func taken() throws {
    let (listener, port) = try Listener.tcp()
    let share = try Given("nmea", "", gpsd: port)
    let client = try share.start()
    #expect(try eventually(within: patience) { try share.isKnown("NMEA") })
    withExtendedLifetime((listener, client)) {}
  }
}
