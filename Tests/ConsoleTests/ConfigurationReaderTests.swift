import Console
import Foundation
import Platform
import TestSupport
import Testing

private struct Settings: Configurable, Equatable {
  var names = ""
  var logLevel = Log.Level.info

  static var keys: [ConfigurationKey<Settings>] {
    [
      .init("A", "Name") { text, _, settings in settings.names += text },
      .init("A", "LogLevel", \.logLevel, .logLevel),
    ]
  }
}

@Suite("ConfigurationReader") struct ConfigurationReaderTests {
  /// What is read of files in a folder of their own; the folder's path is left out.
  private func read(
    _ files: [String: String], _ options: String..., vendors: [String] = []
  ) throws -> (settings: Settings, mistakes: [String]) {
    let folder = FileManager.default.temporaryDirectory.appending(path: "console-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.write(files, in: folder)
    var arguments = Arguments(options.map { $0.replacing("{}", with: folder.path) })
    let reader = try ConfigurationReader<Settings>(
      ConfigurationFiles(
        path: folder.path + "/c", vendors: vendors.map { "\(folder.path)/\($0)" }), &arguments)
    try arguments.nothingElse()
    let (settings, mistakes) = reader.read()
    return (settings, mistakes.map { "\($0)".replacing(folder.path, with: "") })
  }

  @Test("drop-ins follow the file in the order of their names, a folder's over its vendor's")
  func order() throws {
    let (settings, mistakes) = try read(
      [
        "c": "[A]\nName=1", "c.d/20.conf": "[A]\nName=3", "c.d/3.conf": "[A]\nName=4",
        "v/c.d/10.conf": "[A]\nName=2", "v/c.d/3.conf": "[A]\nName=x",
        "c.d/notes": "[A]\nName=x", "c.d/.hidden.conf": "[A]\nName=x",
      ], vendors: ["v", "w"])
    #expect(settings.names == "1234")
    #expect(mistakes.isEmpty)
  }

  @Test("a file that is named must be there, the usual one need not")
  func missing() throws {
    #expect(try read([:]).mistakes.isEmpty)
    #expect(
      try read([:], "--config", "{}/other").mistakes == ["/other: No such file or directory"])
    #expect(
      try read(["other": "[A]\nName=1"], "--config={}/other", "--check").settings.names == "1")
    #expect(try read(["c/x": ""]).mistakes == ["/c: Is a directory"])
  }

  @Test("a file that is too long is told, not half read")
  func long() throws {
    let text = "[A]\nName=1\n" + String(repeating: "#\n", count: ConfigurationText.largestFile / 2)
    let (settings, mistakes) = try read(["c": text, "c.d/1.conf": "[A]\nName=2"])
    #expect(settings.names == "2")
    #expect(mistakes == ["/c:1: the file has over 262144 bytes"])
  }

  @Test("options go before the files, each time they are read")
  func options() throws {
    var arguments = Arguments([] as [String])
    var reader = try ConfigurationReader<Settings>(
      ConfigurationFiles(path: "/nowhere/c"), &arguments)
    reader.set { $0.names = "option" }
    for _ in 0..<2 { #expect(reader.read().configuration.names == "option") }
  }

  @Test("what is read again is used only without a mistake")
  func reload() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "console-\(UUID())")
    defer { try? FileManager.default.removeItem(at: file) }
    var arguments = Arguments(["--config", file.path])
    let reader = try ConfigurationReader<Settings>(ConfigurationFiles(path: "/nowhere"), &arguments)
    var used: [String] = []
    for text in ["Name=1", "Nmae=2", "Name=3"] {
      try Data("[A]\n\(text)\nLogLevel=error\n".utf8).write(to: file)
      reader.reload(Log(level: .error)) { used.append($0.names) }
    }
    #expect(used == ["1", "3"])
  }
}
