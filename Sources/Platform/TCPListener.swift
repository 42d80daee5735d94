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
  package var number: Int32 { descriptor.number }

  fileprivate init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }

  /// `address` is written in numbers.
  package init(address: String, port: Int) throws(SystemError) {
    descriptor = try NetworkAddress.socket(
      address, port: port, SOCK_STREAM, for: "cannot listen at \(address) port \(port)"
    ) { place, number in
      var yes: Int32 = 1
      setsockopt(number, SOL_SOCKET, SO_REUSEADDR, &yes, 4)
      place.keepToItsFamily(number)
      return place.bind(number) == 0 && listen(number, 128) == 0
    }
  }

  /// The address and the port, as `127.0.0.1:2322` and `[::1]:2322`.
  package var name: String { descriptor.boundName() ?? "?" }

  /// The port that it has, where any was asked for.
  package var port: UInt16 { descriptor.boundPort() ?? 0 }
}

/// A socket that hands over connections.
package protocol ConnectionListener: AnyObject {
  var number: Int32 { get }
}

extension ConnectionListener {
  /// Hands over each connection that waits, while there is room. The watch keeps the listener.
  package func watch(
    on loop: EventLoop, while hasRoom: @escaping () -> Bool = { true },
    _ body: @escaping (consuming Descriptor) -> Void, failed: @escaping (SystemError) -> Void
  ) throws(SystemError) -> EventLoop.Watch {
    try EventLoop.Watch(number, for: .read, on: loop) { [self] _ in
      acceptAll(while: hasRoom, body, failed: failed)
    }
  }

  /// A bound per turn, so that a crowd at the door does not keep others waiting.
  private func acceptAll(
    while hasRoom: () -> Bool, _ body: (consuming Descriptor) -> Void,
    failed: (SystemError) -> Void
  ) {
    for _ in 0..<32 where hasRoom() {
      let accepted = linux_accept(number)
      guard accepted >= 0 else {
        let refused = errno
        if refused != EAGAIN && refused != EINTR && refused != ECONNABORTED {
          failed(SystemError("cannot accept a connection", refused))
        }
        return
      }
      body(Descriptor(owning: accepted))
    }
  }
}
