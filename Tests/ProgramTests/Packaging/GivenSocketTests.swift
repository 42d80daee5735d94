import Foundation
import Glibc
import TestSupport
import Testing

@Suite("A socket given by systemd") struct GivenSocketTests {
  @Test("it is served, whatever the configuration says, and is left alone at the end")
  func given() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "given-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let socket = folder.appending(path: "s").path
    let program = try Program([
      "systemd-socket-activate", "--listen=\(socket)", Program.path("locationd"),
      "--config", "/dev/null", "--socket", folder.appending(path: "unused").path,
      "--source", "static:45,7", "--bus", "none",
    ])
    let get = [Program.path("locationctl"), "get", "--json", "--socket", socket]
    // The file is there a moment before somebody listens.
    let listens = try eventually(within: patience) { try Program(get).exit() == 0 }
    #expect(listens)
    let mode = try FileManager.default.attributesOfItem(atPath: socket)[.posixPermissions] as? Int
    let (text, exit) = try Program(get).text()
    #expect(exit == 0)
    #expect(text.contains(#""latitude":45"#))
    #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "unused").path))
    program.signal(SIGTERM)
    #expect(try program.exit(within: patience) == 0)
    #expect(
      try FileManager.default.attributesOfItem(atPath: socket)[.posixPermissions] as? Int == mode)
  }

  @Test("something that is no such socket is not taken for one")
  func noSocket() throws {
    let (text, exit) = try Program([
      "sh", "-c",
      "LISTEN_FDS=1 LISTEN_PID=$$ exec \(Program.path("locationd")) --config /dev/null 3</dev/null",
    ]).text()
    #expect(exit == 1)
    #expect(text.contains("Unix stream socket"))
  }
}
