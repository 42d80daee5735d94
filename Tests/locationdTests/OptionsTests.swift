import Console
import DBus
import Foundation
import LocationCore
import LocationModel
import Platform
import Testing

@testable import locationd

@Suite("SourceURL") struct SourceURLTests {
  @Test("a recording has a path, a rate and a loop")
  func replay() throws {
    var recording = SourceURL.Recording(path: "/a b/c%.nmea")
    #expect(try SourceURL("replay:///a%20b/c%25.nmea") == .replay(recording))
    recording.rate = 2.5
    recording.loops = true
    #expect(try SourceURL("replay:///a%20b/c%25.nmea?rate=2.5&loop=1") == .replay(recording))
  }

  @Test("clients see a recording's name, not where it lies")
  func name() throws {
    #expect(try SourceURL("replay:///home/me/secret/walk.nmea").name == "replay:walk.nmea")
  }

  @Test("a fixed place has two to four numbers")
  func fixed() throws {
    let seoul = Coordinate(latitude: 37.5665, longitude: 126.978)
    #expect(try SourceURL("static:37.5665,126.978") == .fixed(.init(coordinate: seoul)))
    #expect(
      try SourceURL("static:37.5665,126.978,38,4.5")
        == .fixed(.init(coordinate: seoul, altitude: 38, accuracy: 4.5)))
  }

  @Test("a gpsd has a host, and may have a port and a device")
  func gpsd() throws {
    #expect(try SourceURL("gpsd://localhost") == .gpsd(.init(host: "localhost")))
    #expect(try SourceURL("gpsd://[::1]:1234") == .gpsd(.init(host: "::1", port: 1234)))
    let one = SourceURL.Gpsd(host: "192.0.2.7", device: "/dev/ttyUSB0")
    #expect(try SourceURL("gpsd://192.0.2.7/dev/ttyUSB0") == .gpsd(one))
    #expect(try SourceURL("gpsd://192.0.2.7/dev/ttyUSB0").name == "gpsd:/dev/ttyUSB0")
  }

  @Test("a serial line has a path and a speed, or is any")
  func tty() throws {
    #expect(try SourceURL("nmea:///dev/gnss0") == .tty(.init(patterns: ["/dev/gnss0"])))
    #expect(
      try SourceURL("nmea:///dev/ttyS0?baud=auto") == .tty(.init(patterns: ["/dev/ttyS0"])))
    #expect(
      try SourceURL("nmea:///dev/ttyS0?baud=4800")
        == .tty(.init(patterns: ["/dev/ttyS0"], speed: 4800)))
    #expect(
      try SourceURL("nmea:auto")
        == .tty(.init(patterns: Receivers.patterns, isAny: true, mustBeKnown: true)))
    #expect(
      try SourceURL("nmea:auto?match=/dev/ttyAMA*&baud=9600")
        == .tty(.init(patterns: ["/dev/ttyAMA*"], isAny: true, speed: 9600)))
  }

  @Test("datagrams are listened for at an address in numbers")
  func datagrams() throws {
    #expect(
      try SourceURL("nmea+udp://127.0.0.1:10110")
        == .datagrams(.init(address: "127.0.0.1", port: 10110)))
    #expect(try SourceURL("nmea+udp://[::1]:1") == .datagrams(.init(address: "::1", port: 1)))
  }

  @Test(
    "what is no source is refused with a word on what would be one",
    arguments: [
      "", "gps", "http://x", "replay://", "replay:///", "replay://file", "replay:///a?rate=0",
      "replay:///a?rate=fast", "replay:///a?speed=1", "replay:///a%2", "replay:///a%00",
      "static:", "static:1", "static:91,0", "static:1,2,3,0", "static:1,2,3,1e-320",
      "static:1,2,3,4,5", "static:nan,1",
      "static:1,,2", "static:1,2,inf", "gpsd://", "gpsd://:2947", "gpsd://a:0", "gpsd://a:b",
      "gpsd://::1", "gpsd://a:1:2", "nmea:automatic", "nmea:auto?match=ttyUSB0",
      "nmea:///dev/ttyS0?baud=fast", "nmea:///dev/ttyS0?match=/dev/a", "nmea+udp://localhost:1",
      "nmea+udp://:1", "nmea+udp://127.0.0.1", "nmea+tcp://a",
    ])
  func refused(text: String) {
    #expect(throws: Unusable.self) { try SourceURL(text) }
  }
}

@Suite("Options") struct OptionsTests {
  private func reader(_ words: [String]) throws -> ConfigurationReader<Configuration> {
    var arguments = Arguments(words)
    let program = try Locationd(&arguments)
    try arguments.nothingElse()
    return program.reader
  }

  private func read(_ words: String...) throws -> (Configuration, [ConfigurationMistake]) {
    try reader(words).read()
  }

  @Test("values follow their flag, after a space or a sign")
  func values() throws {
    let (options, _) = try read(
      "--socket", "/a", "--log-level=debug", "--source", "static:1,2", "--source=static:3,4",
      "--in-use", "connected", "--state=/s")
    #expect(options.socket == "/a" && options.state == "/s")
    #expect(options.logLevel == .debug)
    #expect(options.sources?.count == 2)
    #expect(options.useRule == .connected)
    #expect(try read("--source", "none").0.sources == [])
    #expect(try read("--bus=none").0.bus == nil)
    #expect(try read("--bus", "session").0.bus == .session)
  }

  @Test("flags win over files, and what no flag says is left to the files")
  func overFiles() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "locationd-\(UUID())")
    let file = folder.appending(path: "c").path
    try FileManager.default.createDirectory(
      atPath: "\(file).d", withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data("[Sources]\nSource=static:1,2\n[Daemon]\nSocket=/a\n".utf8)
      .write(to: URL(filePath: file))
    try Data("[Daemon]\nLogLevel=debug\n".utf8).write(to: URL(filePath: "\(file).d/1.conf"))

    let (plain, none) = try read("--config", file)
    #expect(none.isEmpty)
    #expect(plain.sources == [try SourceURL("static:1,2")])
    #expect(plain.socket == "/a")
    #expect(plain.logLevel == .debug)

    let (flagged, _) = try read(
      "--config", file, "--socket=/b", "--log-level=error", "--source=static:3,4")
    #expect(flagged.sources == [try SourceURL("static:3,4")])
    #expect(flagged.socket == "/b")
    #expect(flagged.logLevel == .error)
  }

  @Test("without any, the files are those of the machine, and need not be there")
  func standardFiles() throws {
    let files = try reader([]).files
    #expect(files.path == "/etc/locationd/locationd.conf")
    #expect(files.vendors == ["/usr/lib/locationd", "/usr/local/lib/locationd"])
    #expect(
      try reader(["--config", "/c"]).files == ConfigurationFiles(path: "/c", mustExist: true))
  }

  @Test(
    "what is not understood is refused",
    arguments: [
      ["--fast"], ["x"], ["--socket"], ["--config"], ["--log-level", "loud"], ["--source", "gps"],
      ["--bus", "tcp:host=a"], ["--bus"], ["--in-use", "never"],
    ])
  func refused(arguments: [String]) {
    #expect {
      try reader(arguments)
    } throws: {
      ($0 as? Failure)?.code == .usage
    }
  }
}
