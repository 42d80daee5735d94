import Foundation
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

  @Test(
    "what is no source is refused with a word on what would be one",
    arguments: [
      "", "gps", "http://x", "replay://", "replay:///", "replay://file", "replay:///a?rate=0",
      "replay:///a?rate=fast", "replay:///a?speed=1", "replay:///a%2", "replay:///a%00",
      "static:", "static:1", "static:91,0", "static:1,2,3,0", "static:1,2,3,4,5", "static:nan,1",
      "static:1,,2", "static:1,2,inf",
    ])
  func refused(text: String) {
    #expect(throws: SourceURL.Unusable.self) { try SourceURL(text) }
  }
}

@Suite("Options") struct OptionsTests {
  private func options(_ arguments: String...) throws -> Options? {
    guard case .run(let options) = try Options.parse(arguments) else { return nil }
    return options
  }

  @Test("values follow their flag, after a space or a sign")
  func values() throws {
    let options = try #require(
      try options(
        "--socket", "/a", "--log-level=debug", "--source", "static:1,2", "--source=static:3,4"))
    #expect(options.socket == "/a")
    #expect(options.logLevel == .debug)
    #expect(options.sources.count == 2)
    #expect(try self.options("--bus=none")?.read().configuration.bus == nil)
    #expect(try self.options("--bus", "session")?.read().configuration.bus == .session)
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

    let (plain, none) = try #require(try options("--config", file)).read()
    #expect(none.isEmpty)
    #expect(plain.sources == [try SourceURL("static:1,2")])
    #expect(plain.socket == "/a")
    #expect(plain.logLevel == .debug)

    let (flagged, _) = try #require(
      try options(
        "--config", file, "--socket=/b", "--log-level=error", "--source=static:3,4")
    ).read()
    #expect(flagged.sources == [try SourceURL("static:3,4")])
    #expect(flagged.socket == "/b")
    #expect(flagged.logLevel == .error)
  }

  @Test("without any, the files are those of the machine, and need not be there")
  func standardFiles() throws {
    let files = try #require(try options()).files
    #expect(files == ConfigurationFiles(path: "/etc/locationd/locationd.conf", mustExist: false))
    #expect(ConfigurationFiles(path: "/nowhere/c").read().mistakes.isEmpty)
    #expect(
      ConfigurationFiles(path: "/nowhere/c", mustExist: true).read().mistakes.map(\.description)
        == ["/nowhere/c: No such file or directory"])
  }

  @Test(
    "what is not understood is refused",
    arguments: [
      ["--fast"], ["x"], ["--socket"], ["--config"], ["--log-level", "loud"], ["--source", "gps"],
      ["--bus", "tcp:host=a"], ["--bus"],
    ])
  func refused(arguments: [String]) {
    #expect(throws: Options.UsageError.self) { try Options.parse(arguments) }
  }
}
