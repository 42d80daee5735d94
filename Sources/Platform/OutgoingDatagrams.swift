internal import CLinux
internal import Glibc

/// Datagrams to one address of the network. What cannot be sent is lost.
package final class OutgoingDatagrams {
  private let descriptor: Descriptor

  /// `address` is written in numbers; a group's or a whole network's, too.
  package init(address: String, port: Int) throws(SystemError) {
    descriptor = try NetworkAddress.socket(
      address, port: port, SOCK_DGRAM, for: "cannot send to \(address) port \(port)"
    ) { place, number in
      var yes: Int32 = 1
      setsockopt(number, SOL_SOCKET, SO_BROADCAST, &yes, 4)
      return place.connect(number) == 0
    }
  }

  package func send(_ bytes: UnsafeRawBufferPointer) { _ = descriptor.send(bytes) }
}

/// Datagrams to a Unix socket, by its path each time: its owner may make it anew.
package final class UnixDatagrams {
  private let path: String
  private let descriptor: Descriptor

  package init(to path: String) throws(SystemError) {
    self.path = path
    let number = socket(
      AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    guard number >= 0 else { throw SystemError("cannot make a socket") }
    descriptor = Descriptor(owning: number)
  }

  package func send(_ bytes: [UInt8]) throws(SystemError) {
    let number = descriptor.number
    let result = try withAddress(of: path) { address, size in
      Int32(sendto(number, bytes, bytes.count, Int32(MSG_NOSIGNAL), address, size))
    }
    guard result >= 0 else { throw SystemError(path) }
  }
}
