import Foundation
import Glibc
import LocationModel
import Testing

/// A service of places of the test's own.
final class RunningPlaces {
  let folder = FileManager.default.temporaryDirectory.appending(path: "places-\(UUID())")
  private(set) var program: Program
  var socket: String { folder.appending(path: "s").path }

  init(_ configuration: String = "", bus: PrivateBus? = nil, _ more: [String] = []) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appending(path: "places.conf")
    try configuration.write(to: file, atomically: true, encoding: .utf8)
    program = try Program(
      [
        Program.path("locationd-places"), "--config", file.path, "--socket",
        folder.appending(path: "s").path, "--data", folder.path, "--bus", bus?.address ?? "none",
      ] + more)
    while try !program.line().contains("listens") {}
  }

  /// One that has the world's data, where it has been made.
  static func ofWorld() throws -> RunningPlaces {
    let world = PrivateBus.house.appending(path: ".build/places/world.sqlite")
    try #require(FileManager.default.fileExists(atPath: world.path), "'make places' makes it")
    return try RunningPlaces("", ["--data", world.deletingLastPathComponent().path])
  }

  deinit {
    program.signal(SIGKILL)
    try? FileManager.default.removeItem(at: folder)
  }

  func connect() throws -> PlacesPeer { try PlacesPeer(socket) }
  func ask(_ method: String, _ parameters: JSON = [:]) throws -> JSON {
    try connect().ask(method, parameters)
  }
}

/// A connection to it.
final class PlacesPeer {
  let descriptor: Int32
  private var pending: [UInt8] = []

  init(_ path: String) throws {
    descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(result == 0, "\(String(cString: strerror(errno)))")
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
  }

  deinit { close(descriptor) }

  /// How much of it is taken in the time.
  @discardableResult
  func send(_ text: String, within seconds: Double = patience) -> Int {
    let bytes = Array(text.utf8)
    var sent = 0
    _ = eventually(within: seconds) {
      bytes.withUnsafeBytes { raw in
        let count = Glibc.send(
          self.descriptor, raw.baseAddress.map { $0 + sent }, raw.count - sent, Int32(MSG_NOSIGNAL))
        if count > 0 { sent += count }
        return sent == raw.count || count < 0 && errno != EAGAIN
      }
    }
    return sent
  }

  func line(within seconds: Double = patience) throws -> JSON {
    let reached = eventually(within: seconds) {
      if self.pending.contains(0x0A) { return true }
      var bytes = [UInt8](repeating: 0, count: 65536)
      let count = read(self.descriptor, &bytes, bytes.count)
      if count > 0 { self.pending += bytes[..<count] }
      return self.pending.contains(0x0A)
    }
    let end = try #require(reached ? pending.firstIndex(of: 0x0A) : nil, "no line came")
    defer { pending.removeFirst(end + 1) }
    return try JSON(parsing: String(decoding: pending[..<end], as: UTF8.self))
  }

  func ask(_ method: String, _ parameters: JSON = [:], id: Int64 = 1) throws -> JSON {
    let request: JSON = [
      "jsonrpc": "2.0", "id": .integer(id), "method": .string(method), "params": parameters,
    ]
    send(request.text + "\n")
    return try line()
  }
}

/// A web server that speaks as Nominatim and Photon do, or badly.
final class PlaceServer {
  private let program: Program
  let port: Int
  private(set) var requests: [JSON] = []

  init(_ how: String = "", certificate: String? = nil) throws {
    let script = PrivateBus.house.appending(path: "Tests/Servers/places.py").path
    program = try Program(["python3", script, how] + (certificate.map { [$0] } ?? []))
    port = try #require(Int(try program.line()))
  }

  deinit { program.signal(SIGKILL) }

  /// The requests so far.
  func listen() -> [JSON] {
    while let line = program.waitingLine() {
      if let json = try? JSON(parsing: line) { requests.append(json) }
    }
    return requests
  }
}
