import Foundation
import Glibc
import LocationModel
import TestSupport
import Testing

@Suite("Receivers") struct ReceiverTests {
  /// Says epochs until the client hears of one; returns that one.
  private func firstFix(_ speaker: Speaker, _ client: SocketClient) throws -> Location {
    var location: Location?
    var epochs = Recording.epochs(Int(patience)).makeIterator()
    let isHeard = try eventually(within: patience) {
      if let epoch = epochs.next() { speaker.say(epoch) }
      location = try client.location(within: 1)
      return location != nil
    }
    #expect(isHeard)
    return try #require(location)
  }

  @Test("on a serial line: its fixes come, and the line is taken raw, at the speed asked for")
  func tty() throws {
    let (speaker, path) = try makePty()
    let daemon = try RunningDaemon(["nmea://\(path)?baud=38400"])
    let client = try daemon.connect()
    _ = try client.ask("startUpdatingLocation")
    let location = try firstFix(speaker, client)
    #expect(location.source == "nmea:\(path)")
    #expect(!location.simulated)
    #expect(abs(location.coordinate.latitude - 45) < 0.01)
    #expect(location.speed.map { abs($0 - 10) < 0.01 } == true)

    var settings = termios()
    tcgetattr(speaker.descriptor, &settings)
    #expect(settings.c_lflag & tcflag_t(ICANON | ECHO) == 0)
    #expect(cfgetispeed(&settings) == speed_t(B38400))
  }

  @Test("a fix leaves with the last sentence of its epoch, not with the next epoch")
  func atOnce() throws {
    let (speaker, path) = try makePty()
    let daemon = try RunningDaemon(["nmea://\(path)"])
    let client = try daemon.connect()
    _ = try client.ask("startUpdatingLocation")
    // Sentences before the line is open are lost.
    _ = try firstFix(speaker, client)
    let noon = try #require(Timestamp(iso8601: "2026-11-20T12:00:00Z"))
    var waits: [Double] = []
    for (second, epoch) in Recording.epochs(Int(patience) + 20).enumerated().suffix(20) {
      let effort = try Effort(of: daemon.program)
      speaker.say(epoch)
      // More than one may have been said until the line was open.
      var told = noon
      while told - noon < .seconds(second) {
        told = try #require(try client.location(within: patience)).timestamp
      }
      waits.append(try effort.seconds)
    }
    // By the seventh it knows how this receiver's epochs end. If it waited for a silence, it would each time.
    #expect(waits.dropFirst(6).sorted()[7] < 0.1, "\(waits)")
  }

  @Test("wrong and missing checksums are not believed, and are counted")
  func checksums() throws {
    let (speaker, path) = try makePty()
    let daemon = try RunningDaemon(["nmea://\(path)?baud=9600"])
    let client = try daemon.connect()
    _ = try client.ask("startUpdatingLocation")
    let counted = try eventually(within: patience) {
      // Sentences before the line is open are lost.
      for epoch in Recording.epochs(1) {
        speaker.say(epoch.replacingOccurrences(of: "45", with: "46"))
        speaker.say(String(epoch.split(separator: "*")[0]) + "\r\n")
      }
      let counters = try client.ask("status")["result"]?["sources"]?.array?[0]["counters"]
      return counters?["refused"]?["badChecksum"]?.integer ?? 0 >= 5
        && counters?["refused"]?["missingChecksum"]?.integer ?? 0 >= 4
    }
    #expect(counted)
    #expect(try client.ask("location")["result"] == [:])
    #expect(abs(try firstFix(speaker, client).coordinate.latitude - 45) < 0.01)
  }

  @Test(
    "one whose time stands still or is missing is told all the same, and status says so",
    arguments: [
      ("120000.00", "standing", "the receiver's clock stands still"),
      ("", "timeless", "the receiver says no time"),
    ])
  func timeFault(time: String, counter: String, remark: String) throws {
    let (speaker, path) = try makePty()
    let daemon = try RunningDaemon(["nmea://\(path)?baud=9600"])
    let client = try daemon.connect()
    _ = try client.ask("startUpdatingLocation")
    var metres = 0.0
    var told = 0
    let isSaid = try eventually(within: patience) {
      metres += 2
      let place = String(format: "45%09.6f,N,00700.000000,E", metres / 1853.25)
      speaker.say(
        Recording.sentence("GPRMC,\(time),A,\(place),3.89,0.0,201126,,,A")
          + Recording.sentence("GPGGA,\(time),\(place),1,09,0.9,240.0,M,48.0,M,,"))
      if try client.location(within: 0.5) != nil { told += 1 }
      let source = try client.ask("status")["result"]?["sources"]?.array?[0]
      return told >= 4 && source?["counters"]?[counter]?.integer ?? 0 >= 3
        && source?["remark"]?.string == remark
    }
    #expect(isSaid)
  }

  @Test("over TCP, and again after the connection is lost")
  func tcp() throws {
    let (listener, port) = try Listener.tcp()
    var found: UnsafeMutablePointer<addrinfo>?
    defer { if let found { freeaddrinfo(found) } }
    // Without /etc/hosts there may be nobody to ask for a name.
    let host = getaddrinfo("localhost", nil, nil, &found) == 0 ? "localhost" : "127.0.0.1"
    let daemon = try RunningDaemon(["nmea+tcp://\(host):\(port)"])
    let client = try daemon.connect()
    _ = try client.ask("startUpdatingLocation")
    for _ in 0..<2 {
      #expect(try firstFix(try listener.accept(), client).source == "nmea+tcp:\(host):\(port)")
    }
  }

  @Test("a name that is not known is a failure like others, and nobody waits for it")
  func unknownName() throws {
    // A machine may have no name server at all: one try of a second.
    let daemon = try RunningDaemon(
      ["nmea+tcp://receiver.invalid:10110"],
      environment: ["RES_OPTIONS": "timeout:1 attempts:1"])
    let client = try daemon.connect()
    client.request("startUpdatingLocation")
    #expect(try client.ask("status")["result"] != nil)
    _ = try client.event("didFail", within: patience)
    let source = try client.ask("status")["result"]?["sources"]?.array?[0]
    #expect(source?["reason"]?.string?.contains("receiver.invalid") == true)
  }

  @Test("behind a Unix socket, and let go of when nobody needs it")
  func unix() throws {
    let daemon = try RunningDaemon(["nmea+unix://{folder}/gps"])
    let listener = try Listener.unix(daemon.folder.appending(path: "gps").path)
    let client = try daemon.connect()
    _ = try client.ask("startUpdatingLocation")
    let speaker = try listener.accept()
    _ = try firstFix(speaker, client)
    _ = try client.ask("stopUpdatingLocation")
    let released = eventually(within: patience) {
      var byte: UInt8 = 0
      return recv(speaker.descriptor, &byte, 1, Int32(MSG_DONTWAIT)) == 0
    }
    #expect(released)
  }

  @Test("whatever comes down the line, the daemon lives, stays small, and believes none of it")
  func noise() throws {
    let (listener, port) = try Listener.tcp()
    let daemon = try RunningDaemon(["nmea+tcp://127.0.0.1:\(port)"])
    let client = try daemon.connect()
    _ = try client.ask("startUpdatingLocation")
    let speaker = try listener.accept()
    let before = try daemon.program.heldMemory
    var dice = Dice(seed: 5)
    let noise = (0..<65536).map { _ in UInt8.random(in: 0...255, using: &dice) }
    for mask: UInt8 in [0, 0x80, 0x20] {
      let bytes = noise.map { $0 | mask }
      for _ in 0..<100 { speaker.say(bytes) }
    }
    _ = try firstFix(speaker, client)
    #expect(try daemon.program.heldMemory - before < 1000)
  }
}
