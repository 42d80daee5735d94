internal import CLinux
internal import CSystemd
internal import Glibc

/// Sockets that the service manager made for us, each by its name.
package enum GivenSockets {
  package static func all() throws(SystemError) -> [(name: String, listener: StreamListener)] {
    let attempt = "cannot take the sockets of the service manager"
    var names: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    let count = try SystemError.check(sd_listen_fds_with_names(1, &names), attempt)
    defer {
      for i in 0..<Int(count) { free(names?[i]) }
      free(names)
    }
    var all: [(name: String, listener: StreamListener)] = []
    for i in 0..<count {
      let descriptor = Descriptor(owning: SD_LISTEN_FDS_START + i)
      let listening: Int32 = 1
      guard
        sd_is_socket(descriptor.number, 0, Int32(SOCK_STREAM.rawValue), listening) > 0,
        fcntl(descriptor.number, F_SETFL, O_NONBLOCK) >= 0
      else { throw SystemError("\(attempt): they are to be stream sockets", EINVAL) }
      let name = names?[Int(i)].map { String(cString: $0) } ?? ""
      all.append((name, StreamListener(descriptor)))
    }
    return all
  }
}

/// A socket of the network that listens, at one address.
package final class StreamListener: ConnectionListener {
  private let descriptor: Descriptor

  fileprivate init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }

  /// `address` is written in numbers.
  package init(address: String, port: Int) throws(SystemError) {
    let attempt = "cannot listen at \(address) port \(port)"
    guard let place = NetworkAddress.numeric(address, port: port) else {
      throw SystemError(attempt, EADDRNOTAVAIL)
    }
    let number = place.makeSocket(SOCK_STREAM)
    guard number >= 0 else { throw SystemError(attempt) }
    descriptor = Descriptor(owning: number)
    var yes: Int32 = 1
    setsockopt(number, SOL_SOCKET, SO_REUSEADDR, &yes, 4)
    if place.family == AF_INET6 { setsockopt(number, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &yes, 4) }
    guard place.bind(number) == 0, listen(number, 128) == 0 else { throw SystemError(attempt) }
  }

  /// Hands over each connection that waits.
  package func watch(
    on loop: EventLoop, _ body: @escaping (consuming Descriptor) -> Void,
    failed: @escaping (SystemError) -> Void
  ) throws(SystemError) -> EventLoop.Watch {
    try EventLoop.Watch(descriptor, for: .read, on: loop) { [self] _ in
      acceptAll(at: descriptor.number, body, failed: failed)
    }
  }
}

/// A socket that hands over connections.
package protocol ConnectionListener: AnyObject {
  func watch(
    on loop: EventLoop, _ body: @escaping (consuming Descriptor) -> Void,
    failed: @escaping (SystemError) -> Void
  ) throws(SystemError) -> EventLoop.Watch
}

/// A bound per turn, so that a crowd at the door does not keep others waiting.
func acceptAll(
  at listener: Int32, _ body: (consuming Descriptor) -> Void, failed: (SystemError) -> Void
) {
  for _ in 0..<32 {
    let number = linux_accept(listener)
    guard number >= 0 else {
      let refused = errno
      if refused != EAGAIN && refused != EINTR && refused != ECONNABORTED {
        failed(SystemError("cannot accept a connection", refused))
      }
      return
    }
    body(Descriptor(owning: number))
  }
}
