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

  @Test("a socket of the name http is served as HTTP, beside the one of places' own words")
  func http() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "given-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let socket = folder.appending(path: "s").path
    let (port, unused) = (try RealGpsd.freePort(), try RealGpsd.freePort())
    let configuration = folder.appending(path: "places.conf")
    try "[Places]\nHTTP=127.0.0.1:\(unused)\n".write(
      to: configuration, atomically: true, encoding: .utf8)
    let program = try Program([
      "systemd-socket-activate", "--listen=\(socket)", "--listen=127.0.0.1:\(port)",
      "--fdname=places:http", Program.path("locationd-places"), "--config", configuration.path,
      "--data", folder.path, "--bus", "none",
    ])
    defer { program.signal(SIGKILL) }
    let status = [Program.path("locationctl"), "places", "status", "--json"]
    let environment = ["LOCATIOND_PLACES_SOCKET": socket]
    var said = ""
    let listens = try eventually(within: patience) {
      let (text, exit) = try Program(status, environment: environment).text()
      said = text
      return exit == 0
    }
    #expect(listens && said.contains("127.0.0.1:\(port)"), "\(said)")
    #expect(!said.contains("\(unused)"))
    let web = try WebConnection(port: UInt16(port))
    web.send("GET /status HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    #expect(web.isClosed() && web.text.hasPrefix("HTTP/1.1 500"), "\(web.text)")
    program.signal(SIGTERM)
    #expect(try program.exit(within: patience) == 0)
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
