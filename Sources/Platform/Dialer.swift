internal import CLinux
internal import Glibc
import LocationModel

/// Connects to a network address or a Unix socket without making anyone wait.
package final class Dialer {
  package typealias Body = (consuming Descriptor) -> Void

  private let loop: EventLoop
  private let name: String
  private let connected: Body
  private let failed: (SystemError) -> Void
  private var rest: [NetworkAddress] = []
  private var lookup: Resolver.Lookup?
  private var later: EventLoop.Later?
  private var descriptor: Descriptor?
  private var watch: EventLoop.Watch?
  private var patience: EventLoop.Timer?

  /// The time that an address may take to answer.
  private static let longest: Duration = .seconds(4)

  private init(
    _ name: String, on loop: EventLoop, connected: @escaping Body,
    failed: @escaping (SystemError) -> Void
  ) {
    self.name = name
    self.loop = loop
    self.connected = connected
    self.failed = failed
  }

  /// Calls one of the two later, never at once, unless it is let go of first.
  package convenience init(
    host: String, port: Int, with resolver: Resolver, connected: @escaping Body,
    failed: @escaping (SystemError) -> Void
  ) throws(SystemError) {
    let loop = resolver.loop
    self.init("\(host):\(port)", on: loop, connected: connected, failed: failed)
    patience = try EventLoop.Timer(slack: .milliseconds(100), on: loop) { [unowned self] in
      tryNext(SystemError(name, ETIMEDOUT))
    }
    if let address = NetworkAddress.numeric(host, port: port) {
      rest = [address]
      let later = try EventLoop.Later(on: loop) { [unowned self] in
        tryNext(SystemError(name, ENOENT))
      }
      later.set()
      self.later = later
      return
    }
    lookup = try resolver.resolve(host, port: port) { [unowned self] result in
      switch result {
      case .success(let addresses):
        rest = addresses
        tryNext(SystemError("cannot find \(name)", ENOENT))
      case .failure(let error): failed(error)
      }
    }
  }

  /// The inode of the socket that it connects now; the other end may have accepted it already.
  package var socketInode: UInt32? { descriptor?.socketInode() }

  /// Tries the addresses of a name one after the other.
  private func tryNext(_ error: SystemError) {
    watch = nil
    descriptor = nil
    patience?.set(nil)
    guard !rest.isEmpty else { return failed(error) }
    let address = rest.removeFirst()
    let number = address.makeSocket(SOCK_STREAM)
    guard number >= 0 else { return tryNext(SystemError(name)) }
    keepAlive(number)
    descriptor = Descriptor(owning: number)
    let result = address.connect(number)
    guard result == 0 || errno == EINPROGRESS else { return tryNext(SystemError(name)) }
    waitUntilWritable()
  }

  /// A peer that vanished without a word is noticed after half a minute.
  private func keepAlive(_ number: Int32) {
    for (level, option, value) in [
      (SOL_SOCKET, SO_KEEPALIVE, 1), (Int32(IPPROTO_TCP), TCP_KEEPIDLE, 15),
      (Int32(IPPROTO_TCP), TCP_KEEPINTVL, 5), (Int32(IPPROTO_TCP), TCP_KEEPCNT, 3),
    ] as [(Int32, Int32, Int32)] {
      var value = value
      setsockopt(number, level, option, &value, 4)
    }
  }

  private func waitUntilWritable() {
    guard let number = descriptor?.number else { return }
    patience?.set(Clock.boottime + Self.longest)
    do throws(SystemError) {
      watch = try EventLoop.Watch(number, for: .write, on: loop) { [unowned self] _ in
        var error: Int32 = 0
        var size = socklen_t(4)
        getsockopt(number, SOL_SOCKET, SO_ERROR, &error, &size)
        if error == 0 { succeed() } else { tryNext(SystemError(name, error)) }
      }
    } catch {
      failed(error)
    }
  }

  private func succeed() {
    watch = nil
    patience?.set(nil)
    guard let descriptor = descriptor.take() else { return }
    connected(descriptor)
  }
}

extension Descriptor {
  /// Connects to a Unix socket, which takes no time.
  package static func connected(to path: String) throws(SystemError) -> Descriptor {
    let number = try makeUnixSocket()
    let descriptor = Descriptor(owning: number)
    let result = try withAddress(of: path) { connect(number, $0, $1) }
    guard result == 0 else { throw SystemError(path) }
    return descriptor
  }
}
