import Foundation
import Glibc
import LocationModel
import Synchronization
import TestSupport
import Testing

/// A real gpsd on a port of its own, as its users run it. It ends with the test.
final class RealGpsd {
  let port: Int
  let program: Program

  /// It reads its devices from the start, or with `onDemand` only while somebody watches.
  init(_ devices: [String], port: Int, onDemand: Bool = false, verbosity: Int = 0) throws {
    self.port = port
    var command = ["/usr/sbin/gpsd", "-N", "-D", "\(verbosity)", "-S", "\(port)"]
    if !onDemand { command.append("-n") }
    program = try Program(command + devices)
  }

  /// Gives it a device as udev does with each receiver that is plugged in, but without gpsdctl: where
  /// gpsd does not listen yet, that starts another, which stays. False where it does not.
  func take(_ device: String, from control: String) -> Bool {
    guard let line = Speaker(to: control) else { return false }
    line.say("+\(device)\r\n")
    var reply: [UInt8] = []
    return eventually(within: patience) {
      var bytes = [UInt8](repeating: 0, count: 64)
      let count = recv(line.descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
      if count > 0 { reply += bytes[..<count] }
      return count == 0 || reply.contains(0x0A)
    } && reply.starts(with: Array("OK".utf8))
  }

  func kill() throws {
    program.signal(SIGKILL)
    _ = try program.exit()
  }

  /// Whether it has said so in its log by now.
  func says(_ text: String) throws -> Bool {
    let end = Date(timeIntervalSinceNow: patience)
    while Date() < end {
      if try program.line().contains(text) { return true }
    }
    return false
  }

  /// A port that nobody listens at, below those that the kernel gives to whoever wants any: nobody
  /// takes it in between.
  static func freePort() throws -> Int {
    let port = ports.withLock { last in
      repeat { last += 1 } while !Listener.isFree(port: last) && last < 32_000
      return last
    }
    try #require(port < 32_000)
    return port
  }

  /// Elsewhere for each run of the tests.
  private static let ports = Mutex(10_000 + Int(getpid()) * 97 % 20_000)
}

/// Somebody else who watches a gpsd: what it says to all.
final class Watcher {
  private let descriptor: Int32
  private var pending: [UInt8] = []

  /// Nil where nobody listens yet.
  init?(port: Int) {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    address.sin_port = UInt16(port).bigEndian
    let result = withUnsafePointer(to: &address) { [descriptor] in
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    let request = Array("?WATCH={\"enable\":true,\"json\":true};\n".utf8)
    guard result == 0, write(descriptor, request, request.count) == request.count else {
      return nil
    }
  }

  deinit { close(descriptor) }

  /// Its words until now.
  func reports() -> [JSON] { lines().compactMap { try? JSON(parsing: $0) } }

  func lines() -> [String] {
    var bytes = [UInt8](repeating: 0, count: 65536)
    while case let count = read(descriptor, &bytes, bytes.count), count > 0 {
      pending += bytes[..<count]
    }
    var lines: [String] = []
    while let end = pending.firstIndex(of: 0x0A) {
      lines.append(String(decoding: pending[..<end], as: UTF8.self))
      pending.removeFirst(end + 1)
    }
    return lines
  }

  /// A report that has a place and a time.
  static func isFix(_ report: JSON) -> Bool {
    report["class"] == "TPV" && report["mode"]?.integer ?? 0 >= 2 && report["time"] != nil
      && report["lat"] != nil && report["lon"] != nil
  }
}

/// Says an epoch of now again and again, as a receiver does, whether or not anybody listens.
final class Chatter: Sendable {
  private let isOver = Mutex(false)

  init(_ speaker: Speaker, every seconds: Double) {
    let descriptor = fcntl(speaker.descriptor, F_DUPFD_CLOEXEC, 0)
    Thread.detachNewThread { [self] in
      while !isOver.withLock({ $0 }) {
        let bytes = Array(Recording.epoch(now: Date()).utf8)
        _ = write(descriptor, bytes, bytes.count)
        usleep(UInt32(seconds * 1e6))
      }
      close(descriptor)
    }
  }

  func stop() { isOver.withLock { $0 = true } }
}

extension Program {
  /// The time of all its threads, in seconds.
  var processorTime: Double {
    get throws {
      var clock: clockid_t = 0
      try #require(clock_getcpuclockid(pid, &clock) == 0)
      var time = timespec()
      try #require(clock_gettime(clock, &time) == 0)
      return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
  }
}
