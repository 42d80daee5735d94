internal import CLinux
internal import Glibc

/// An address of the network, as the kernel takes it.
struct NetworkAddress: Sendable {
  let family: Int32
  let bytes: [UInt8]

  /// The address is written in numbers: no resolver is asked.
  static func numeric(_ text: String, port: Int) -> NetworkAddress? {
    var hints = addrinfo()
    hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(text, "\(port)", &hints, &list) == 0 else { return nil }
    defer { freeaddrinfo(list) }
    return all(in: list).first
  }

  static func all(in list: UnsafeMutablePointer<addrinfo>?) -> [NetworkAddress] {
    sequence(first: list) { $0?.pointee.ai_next }.prefix { $0 != nil }.compactMap { entry in
      guard let info = entry?.pointee, let address = info.ai_addr else { return nil }
      let raw = UnsafeRawBufferPointer(start: address, count: Int(info.ai_addrlen))
      return NetworkAddress(family: info.ai_family, bytes: Array(raw))
    }
  }
}

// MARK: - Its sockets

extension NetworkAddress {
  /// A non-blocking socket for the address, or a negative number.
  func makeSocket(_ type: __socket_type) -> Int32 {
    Glibc.socket(family, Int32(type.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
  }

  /// A non-blocking socket for an address that is written in numbers. `attempt` is said where there is none.
  static func socket(
    _ address: String, port: Int, _ type: __socket_type, for attempt: String,
    _ use: (NetworkAddress, Int32) -> Bool
  ) throws(SystemError) -> Descriptor {
    guard let place = numeric(address, port: port) else {
      throw SystemError(attempt, EADDRNOTAVAIL)
    }
    let number = place.makeSocket(type)
    guard number >= 0 else { throw SystemError(attempt) }
    let descriptor = Descriptor(owning: number)
    guard use(place, number) else { throw SystemError(attempt) }
    return descriptor
  }

  /// IPv6 without IPv4: each address is listened at by a socket of its own.
  func keepToItsFamily(_ number: Int32) {
    guard family == AF_INET6 else { return }
    var yes: Int32 = 1
    setsockopt(number, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &yes, 4)
  }

  func bind(_ number: Int32) -> Int32 { withAddress { Glibc.bind(number, $0, $1) } }

  func connect(_ number: Int32) -> Int32 { withAddress { Glibc.connect(number, $0, $1) } }

  private func withAddress(_ body: (UnsafePointer<sockaddr>?, socklen_t) -> Int32) -> Int32 {
    bytes.withUnsafeBytes { raw in
      raw.withMemoryRebound(to: sockaddr.self) { body($0.baseAddress, socklen_t(raw.count)) }
    }
  }
}
