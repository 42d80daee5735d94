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
  }

  @Test(
    "what is not understood is refused",
    arguments: [["--fast"], ["x"], ["--socket"], ["--log-level", "loud"], ["--source", "gps"]])
  func refused(arguments: [String]) {
    #expect(throws: Options.UsageError.self) { try Options.parse(arguments) }
  }
}
