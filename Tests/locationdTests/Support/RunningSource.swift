import CLinux
import Glibc
import LocationCore
import LocationModel
import Platform
import ReceiverCore
import TestSupport
import Testing

@testable import locationd

/// A source on a loop of its own, and what it told.
final class RunningSource {
  let loop: EventLoop
  private(set) var source: (any Source)?
  private(set) var told: [String] = []
  private(set) var fixes: [Fix] = []

  init(
    _ make: (SourceContext) throws -> any Source
  ) throws {
    loop = try EventLoop()
    let resolver = try Resolver(on: loop)
    let context = SourceContext(id: SourceID(0), loop: loop, resolver: resolver) {
      [unowned self] input in
      switch input {
      case .reading(_, .fix(let fix)): fixes.append(fix)
      case .found: told.append("found")
      case .failed(_, let reason): told.append("failed: \(reason)")
      default: break
      }
    }
    source = try make(context)
    source?.open(for: .all)
  }

  deinit { source?.close() }

  var details: SourceDetails { source?.details ?? SourceDetails() }

  /// Turns the loop until it is so; false where time is up first.
  func turn(within seconds: Double = patience, until isSo: () throws -> Bool) throws -> Bool {
    let end = Clock.boottime + .seconds(seconds)
    while try !isSo() {
      guard Clock.boottime < end else { return false }
      try loop.turn(within: .milliseconds(5))
    }
    return true
  }
}

/// A TCP port on which somebody pretends to be something.
final class Pretender {
  let listener: Int32
  let port: Int
  private(set) var callers: [Int32] = []

  init() throws {
    listener = socket(
      AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &address) { [listener] in
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, size) == 0 && listen(listener, 8) == 0
          && getsockname(listener, $0, &size) == 0
      }
    }
    port = Int(UInt16(bigEndian: address.sin_port))
    try #require(result)
  }

  deinit {
    for caller in callers { close(caller) }
    close(listener)
  }

  /// Takes whoever has called by now; says how many ever did.
  func answer() -> Int {
    while case let caller = linux_accept(listener), caller >= 0 { callers.append(caller) }
    return callers.count
  }

  /// To the last caller.
  func say(_ text: String) {
    guard let caller = callers.last else { return }
    _ = text.utf8.withContiguousStorageIfAvailable {
      send(caller, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
  }

  /// The last caller's words until now.
  func heard() -> String {
    var bytes = [UInt8](repeating: 0, count: 4096)
    guard let caller = callers.last else { return "" }
    let count = recv(caller, &bytes, bytes.count, 0)
    return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : ""
  }
}
