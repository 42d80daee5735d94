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

    init(_ door: String, _ configuration: String, gpsd: Int) throws {
      daemon = try RunningDaemon(flags: ["--in-use", "connected"])
      given = try RealGpsd.freePort()
      try daemon.write("[Share]\n\(configuration)\n", to: "share.conf")
      program = try Program([
        "systemd-socket-activate", "--listen=127.0.0.1:\(given)", "--fdname=\(door)",
        Program.path("locationd-share"), "--config",
        daemon.folder.appending(path: "share.conf").path, "--daemon", daemon.socket,
        "--gpsd", "127.0.0.1:\(gpsd)",
      ])
      while try !program.line().contains("Listening") {}
    }

    /// The first program comes.
    func start() throws -> WordClient {
      let client = try WordClient(port: given)
      while try !program.line().contains("is ready") {}
      return client
    }
  }

  @Test("NMEA's stands for tcp: alone, and gpsd's port is listened at")
  func nmea() throws {
    let (port, other) = (try RealGpsd.freePort(), try RealGpsd.freePort())
    let share = try Given("nmea", "NMEA=tcp:\(other)", gpsd: port)
    let first = try share.start()
    let client = try WordClient(port: port)
    #expect(client.hears("\"VERSION\""))
    #expect(Listener.isFree(port: other))
    withExtendedLifetime(first) {}
  }

  @Test("gpsd's stands for its port alone, and tcp: is listened at")
  func gpsd() throws {
    let (port, other) = (try RealGpsd.freePort(), try RealGpsd.freePort())
    let share = try Given("gpsd", "NMEA=tcp:\(other)", gpsd: port)
    #expect(try share.start().hears("\"VERSION\""))
    _ = try WordClient(port: other)
    #expect(Listener.isFree(port: port))
  }

  @Test("are served where somebody else has another port that it would listen at")
  func taken() throws {
    let (listener, port) = try Listener.tcp()
    let share = try Given("nmea", "", gpsd: port)
    let client = try share.start()
    let isKnown = try eventually(within: patience) {
      let status = try share.daemon.connect().ask("status")["result"]
      return status?["clients"]?.array?.contains { $0["name"] == "NMEA" } == true
    }
    #expect(isKnown)
    withExtendedLifetime((listener, client)) {}
  }
}
