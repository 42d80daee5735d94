import Foundation
import Glibc
import LocationModel
import TestSupport
import Testing

/// A locationd-share of the test's own, at a port of its own, beside a daemon. It ends with the test.
final class RunningShare {
  let daemon: RunningDaemon
  let port: Int
  let program: Program
  /// The name of this user's programs at its doors.
  let app = "gpsd:" + (getpwuid(getuid()).map { String(cString: $0.pointee.pw_name) } ?? "")

  init(
    _ daemon: RunningDaemon, _ configuration: String = "", port: Int? = nil,
    host: String = "127.0.0.1", in place: [String] = []
  ) throws {
    self.daemon = daemon
    let port = try port ?? RealGpsd.freePort()
    self.port = port
    try daemon.write("[Share]\n\(configuration)\n", to: "share.conf")
    let command = [
      Program.path("locationd-share"), "--config", daemon.folder.appending(path: "share.conf").path,
      "--daemon", daemon.socket, "--gpsd", "\(host):\(port)",
    ]
    program = try Program(place + command)
    while try !program.line().contains("is ready") {}
  }

  func connect(port other: Int? = nil) throws -> WordClient { try WordClient(port: other ?? port) }

  /// An administrator lets this user's programs know, as soon as the daemon has seen one.
  func grant(_ name: String? = nil) throws {
    let granted = try eventually(within: patience) {
      try self.daemon.control("grant", name ?? self.app, "always").exit() == 0
    }
    try #require(granted)
  }
}

extension RunningDaemon {
  /// A daemon whose receiver is a recording of a drive, five epochs a second, again and again.
  static func replaying(
    _ files: [String: String] = [:], seesGroups: Bool = false
  ) throws -> RunningDaemon {
    try RunningDaemon(
      ["replay://{folder}/drive.nmea?rate=5&loop=1"],
      files: ["drive.nmea": Recording.drive(seconds: 600)].merging(files) { $1 },
      flags: ["--in-use", "connected"], seesGroups: seesGroups)
  }
}

/// The daemon's receiver runs, as one of its clients wants a place.
func isNeeded(by daemon: RunningDaemon) throws -> Bool {
  let status = try daemon.connect().ask("status")["result"]
  return status?["sources"]?.array?.first?["state"]?.string == "running"
}

/// A program at a port of the share's, byte for byte.
final class WordClient {
  private(set) var descriptor: Int32
  private(set) var text = ""

  init(port: Int) throws {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    address.sin_port = UInt16(port).bigEndian
    descriptor = try Self.connected(to: address, AF_INET)
  }

  /// By IPv6.
  init(port6 port: Int) throws {
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(AF_INET6)
    address.sin6_addr = in6addr_loopback
    address.sin6_port = UInt16(port).bigEndian
    descriptor = try Self.connected(to: address, AF_INET6)
  }

  private static func connected<Address>(to address: Address, _ family: Int32) throws -> Int32 {
    let descriptor = socket(family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    let result = withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<Address>.size))
      }
    }
    try #require(result == 0, "\(String(cString: strerror(errno)))")
    return descriptor
  }

  init(path: String) throws {
    let client = try SocketClient(path: path)
    descriptor = dup(client.descriptor)
  }

  deinit { end() }

  func end() {
    if descriptor >= 0 { close(descriptor) }
    descriptor = -1
  }

  @discardableResult
  func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
  }

  /// False once the other side has gone.
  @discardableResult
  func read() -> Bool {
    var bytes = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
      if count > 0 {
        text += String(decoding: bytes[..<count], as: UTF8.self)
      } else {
        return count < 0 && errno == EAGAIN
      }
    }
  }

  func hears(_ words: String, within seconds: Double = patience) -> Bool {
    eventually(within: seconds) {
      self.read()
      return self.text.contains(words)
    }
  }

  func isClosed(within seconds: Double = patience) -> Bool {
    eventually(within: seconds) { !self.read() }
  }

  func forget() { text = "" }

  /// The client was told something that a receiver says.
  var knows: Bool {
    ["\"TPV\"", "\"SKY\"", "\"ATT\"", "\"GST\"", "$G", "activated", "\"lat\""].contains {
      text.contains($0)
    }
  }
}

/// A socket that takes datagrams at the path.
func datagramSocket(at path: String) throws -> Int32 {
  let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
  let bound = withUnsafePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
    }
  }
  try #require(bound == 0)
  return descriptor
}
