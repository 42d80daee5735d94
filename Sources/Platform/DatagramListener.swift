internal import CLinux
internal import Glibc

/// A UDP port, listened at on one address and no other.
package final class DatagramListener {
  /// Where a datagram came from.
  package struct Sender: Hashable, Sendable {
    fileprivate let bytes: [UInt8]
    package let name: String

    /// Whether both are programs of one machine.
    package func isNeighbour(of other: Self) -> Bool { host == other.host }

    private var host: ArraySlice<UInt8> {
      // An IPv4 address follows the port, one of IPv6 also what its flow is called.
      bytes.count == MemoryLayout<sockaddr_in6>.size ? bytes[8..<24] : bytes[4..<8]
    }
  }

  private let descriptor: Descriptor
  private var watch: EventLoop.Watch?
  private let received: (Sender, UnsafeRawBufferPointer) -> Void
  /// The sender of the last datagram: names are made once.
  private var last: Sender?

  /// `address` is written in numbers; a group's is joined.
  package init(
    address: String, port: Int, on loop: EventLoop,
    received: @escaping (Sender, UnsafeRawBufferPointer) -> Void
  ) throws(SystemError) {
    self.received = received
    descriptor = try NetworkAddress.socket(
      address, port: port, SOCK_DGRAM, for: "cannot listen at \(address) port \(port)"
    ) { place, number in
      place.keepToItsFamily(number)
      // Many may listen to a group; an address is one's own.
      var yes: Int32 = 1
      if place.isGroup { setsockopt(number, SOL_SOCKET, SO_REUSEADDR, &yes, 4) }
      return place.bind(number) == 0 && (!place.isGroup || place.join(number))
    }
    watch = try EventLoop.Watch(descriptor, for: .read, on: loop) { [unowned self] _ in readOne() }
  }

  /// As many people may write an address, this is none that is asked of anybody.
  package static func isAddress(_ text: String) -> Bool {
    NetworkAddress.numeric(text, port: 1) != nil
  }

  /// A program of this machine that listens at `address` hears what another one sends to `host`. This machine has the
  /// address, or it is a group's or a network's, where a socket may be bound to it.
  package static func hears(datagramsTo host: String, at address: String) -> Bool {
    guard let sent = NetworkAddress.numeric(host, port: 0),
      let heard = NetworkAddress.numeric(address, port: 0), sent.family == heard.family
    else { return false }
    if sent.bytes == heard.bytes { return true }
    guard heard.isAny, case let number = sent.makeSocket(SOCK_DGRAM), number >= 0 else {
      return false
    }
    let socket = Descriptor(owning: number)
    return sent.bind(socket.number) == 0
  }

  private func readOne() {
    withUnsafeTemporaryAllocation(byteCount: 65536, alignment: 8) { buffer in
      var address = sockaddr_storage()
      var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
      let count = withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          recvfrom(descriptor.number, buffer.baseAddress, buffer.count, 0, $0, &size)
        }
      }
      guard count > 0 else { return }
      let bytes = withUnsafeBytes(of: &address) { Array($0.prefix(Int(size))) }
      let sender = last?.bytes == bytes ? last : Sender(bytes: bytes, name: Self.name(of: bytes))
      last = sender
      guard let sender else { return }
      received(sender, UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
  }

  private static func name(of bytes: [UInt8]) -> String {
    var host = [CChar](repeating: 0, count: 64)
    var port = [CChar](repeating: 0, count: 8)
    let result = bytes.withUnsafeBytes { raw in
      raw.withMemoryRebound(to: sockaddr.self) {
        getnameinfo(
          $0.baseAddress, socklen_t(raw.count), &host, socklen_t(host.count), &port,
          socklen_t(port.count), NI_NUMERICHOST | NI_NUMERICSERV)
      }
    }
    guard result == 0 else { return "unknown" }
    let names = [host, port].map { name in
      String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
    return "\(names[0]) port \(names[1])"
  }
}

extension NetworkAddress {
  /// Where the address itself lies in a `sockaddr`.
  private var isWide: Bool { family == AF_INET6 }
  private var address: ArraySlice<UInt8> { isWide ? bytes[8..<24] : bytes[4..<8] }

  /// All addresses of this machine are meant.
  fileprivate var isAny: Bool { address.allSatisfy { $0 == 0 } }

  fileprivate var isGroup: Bool {
    guard let first = address.first else { return false }
    return isWide ? first == 0xFF : (224...239).contains(first)
  }

  /// On the interface that an IPv6 address names, else on the one that leads there.
  fileprivate func join(_ socket: Int32) -> Bool {
    // As struct ipv6_mreq and ip_mreq: the group, then the interface.
    let request = Array(address) + (isWide ? bytes[24..<28] : [0, 0, 0, 0])
    let option = isWide ? IPV6_JOIN_GROUP : IP_ADD_MEMBERSHIP
    let level = Int32(isWide ? IPPROTO_IPV6 : IPPROTO_IP)
    return setsockopt(socket, level, option, request, socklen_t(request.count)) == 0
  }
}
