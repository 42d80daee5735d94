import Console
import DBus
import Foundation
import LocationCore
import Platform
import TestSupport
import Testing

@testable import locationd

@Suite("Configuration") struct ConfigurationTests {
  private func read(_ text: String) -> (configuration: Configuration, mistakes: [String]) {
    var configuration = Configuration()
    let mistakes = configuration.apply(ConfigurationText(Array(text.utf8)), of: "f")
    return (configuration, mistakes.map(\.description))
  }

  @Test("noise sets nothing")
  func noise() {
    var dice = Dice(seed: 4)
    for _ in 0..<200 {
      let noise = (0..<1000).map { _ in UInt8.random(in: 0...255, using: &dice) & 0x7F }
      var configuration = Configuration()
      _ = configuration.apply(ConfigurationText(noise), of: "noise")
      #expect(configuration == Configuration())
    }
  }

  @Test("every key sets what it is named after")
  func keys() throws {
    let (configuration, mistakes) = read(
      """
      [Sources]
      Source=static:1,2
      LingerSec=2 min
      [Daemon]
      Socket=/a
      LogLevel=debug
      [Limits]
      ConnectionsPerUser=1
      BytesPerConnection=64K
      BytesPerUser=70000
      ManagersPerUser=4
      WaitingPerUser=5
      [Sources]
      Source=static:3,4
      """)
    #expect(mistakes.isEmpty)
    var expected = Configuration()
    expected.sources = [try SourceURL("static:1,2"), try SourceURL("static:3,4")]
    expected.linger = 120
    expected.socket = "/a"
    expected.logLevel = .debug
    expected.door.connectionsPerUser = 1
    expected.door.bytesPerConnection = 65536
    expected.door.bytesPerUser = 70000
    expected.service.managersPerUser = 4
    expected.service.waitingPerUser = 5
    #expect(configuration == expected)
  }

  @Test("an empty value forgets what was set before")
  func resets() throws {
    let text = Configuration.keys.map { "[\($0.section)]\n\($0.name)=\n" }.joined()
    var configuration = Configuration()
    configuration.sources = [try SourceURL("static:1,2")]
    configuration.linger = 9
    configuration.socket = "/b"
    configuration.logLevel = .error
    configuration.door.bytesPerUser = 1
    #expect(configuration.apply(ConfigurationText(Array(text.utf8)), of: "f").isEmpty)
    #expect(configuration == Configuration())
  }

  @Test("sections and keys may be written large or small, and a bus is a word or an address")
  func words() {
    #expect(read("[limits]\nwaitingperuser=3").configuration.service.waitingPerUser == 3)
    #expect(read("[dbus]\nbus=none").configuration.bus == nil)
    #expect(read("[DBus]\nBus=session").configuration.bus == .session)
    #expect(read("[dbus]\nBus=unix:path=/b").configuration.bus == .address("unix:path=/b"))
  }

  @Test("each mistake is told with its line, and what is right holds")
  func mistakes() {
    let (configuration, mistakes) = read(
      """
      Key=1
      [Sources]
      Sorce=static:1,2
      Source=gps
      LingerSec=4
      [Nowhere]
      Source=static:1,2
      What=ever
      [Limits]
      nonsense
      """)
    #expect(mistakes.map { $0.prefix(5) } == ["f:1: ", "f:3: ", "f:4: ", "f:6: ", "f:10:"])
    #expect(configuration.linger == 4)
    #expect(configuration.sources == nil)
  }

  @Test(
    "a value that makes no sense is refused",
    arguments: [
      "[Sources]\nLingerSec=-1", "[Sources]\nLingerSec=fast", "[Sources]\nLingerSec=3601",
      "[Sources]\nLingerSec=1M", "[Sources]\nLingerSec=99999999999999999999",
      "[Sources]\nLingerSec=9223372036854775807min", "[Sources]\nLingerSec=٣", "[Daemon]\nSocket=a",
      "[Daemon]\nSocket=/\(String(repeating: "a", count: 107))", "[Daemon]\nLogLevel=loud",
      "[Limits]\nConnectionsPerUser=0", "[Limits]\nBytesPerUser=1K", "[Limits]\nBytesPerUser=2G",
      "[Limits]\nManagersPerUser=1s", "[Limits]\nWaitingPerUser=K", "[DBus]\nBus=tcp:host=a",
      "[DBus]\nBus=nonsense", "[DBus]\nBus=unix:",
    ])
  func refused(text: String) {
    let (configuration, mistakes) = read(text)
    #expect(mistakes.count == 1)
    #expect(configuration == Configuration())
  }

  @Test("the file we ship has every key, sets none, and shows what holds without it")
  func shipped() throws {
    let file = URL(filePath: Checkout.path + "/config/locationd.conf")
    let text = try String(contentsOf: file.standardized, encoding: .utf8)
    #expect(read(text).configuration == Configuration())
    #expect(read(text).mistakes.isEmpty)

    let lines = text.split(separator: "\n").map { line in
      line.hasPrefix("#") && !line.hasPrefix("# ") ? line.dropFirst() : line
    }
    let (configuration, mistakes) = read(lines.joined(separator: "\n"))
    #expect(configuration == Configuration())
    #expect(mistakes.isEmpty)
    let names = lines.compactMap { line in
      line.hasPrefix("#") || !line.contains("=") ? nil : line.split(separator: "=")[0]
    }
    #expect(names == Configuration.keys.map { $0.name[...] })
  }

  @Test("a package's drop-in counts, unless one of the same name stands beside the file")
  func vendors() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "locationd-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    func write(_ path: String, _ text: String) throws {
      try FileManager.default.write([path: text], in: folder)
    }
    try write("vendor/c.conf.d/geoclue.conf", "[DBus]\nGeoClue=yes\n")
    try write("vendor/policy.d/10.conf", "[Rule]\nApp=app:a\nAction=deny\n")
    try write("etc/c.conf", "[Sources]\nLingerSec=7\n")
    let files = ConfigurationFiles(
      path: folder.appending(path: "etc/c.conf").path,
      vendors: [folder.appending(path: "vendor").path])
    let (configuration, mistakes) = files.read(Configuration.self)
    #expect(mistakes.isEmpty)
    #expect(configuration.geoclue && configuration.linger == 7)
    #expect(configuration.policy.entries.count == 1)
    try write("etc/c.conf.d/geoclue.conf", "")
    #expect(!files.read(Configuration.self).configuration.geoclue)
  }
}
