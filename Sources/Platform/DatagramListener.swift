internal import CLinux
internal import Glibc

/// A UDP port, listened at on one address and no other.
package final class DatagramListener {
  /// Where a datagram came from.
  package struct Sender: Hashable, Sendable {
    fileprivate let bytes: [UInt8]
    package let name: String
  }

  private let descriptor: Descriptor
  private var watch: EventLoop.Watch?
  private let received: (Sender, UnsafeRawBufferPointer) -> Void
  /// Of the last datagram: names are made once.
  private var last: Sender?

  /// `address` is written in numbers; a group's is joined.
  package init(
    address: String, port: Int, on loop: EventLoop,
    received: @escaping (Sender, UnsafeRawBufferPointer) -> Void
  ) throws(SystemError) {
    let attempt = "cannot listen at \(address) port \(port)"
    self.received = received
    guard let place = NetworkAddress.numeric(address, port: port) else {
      throw SystemError(attempt, EADDRNOTAVAIL)
    }
    let number = socket(
      place.family,
      Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    guard number >= 0 else { throw SystemError(attempt) }
    descriptor = Descriptor(owning: number)
    var yes: Int32 = 1
    if place.family == AF_INET6 { setsockopt(number, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &yes, 4) }
    let group = place.bytes.withUnsafeBytes { linux_join_group(number, $0.baseAddress, 0) }
    // Many may listen to a group; an address is one's own.
    if group != 0 { setsockopt(number, SOL_SOCKET, SO_REUSEADDR, &yes, 4) }
    let bound = place.bytes.withUnsafeBytes { raw in
      raw.withMemoryRebound(to: sockaddr.self) {
        bind(number, $0.baseAddress, socklen_t(raw.count))
      }
    }
    guard bound == 0 else { throw SystemError(attempt) }
    if group != 0 {
      let joined = place.bytes.withUnsafeBytes { linux_join_group(number, $0.baseAddress, 1) }
      guard joined > 0 else { throw SystemError(attempt) }
    }
    watch = try EventLoop.Watch(descriptor, for: .read, on: loop) { [unowned self] _ in readOne() }
  }

  /// As many people may write an address, this is none that is asked of anybody.
  package static func isAddress(_ text: String) -> Bool {
    NetworkAddress.numeric(text, port: 1) != nil
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
  /// One that is written in numbers; nobody is asked.
  fileprivate static func numeric(_ text: String, port: Int) -> NetworkAddress? {
    var hints = addrinfo()
    hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
    hints.ai_socktype = Int32(SOCK_DGRAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(text, "\(port)", &hints, &list) == 0 else { return nil }
    defer { freeaddrinfo(list) }
    return all(in: list).first
  }
}
