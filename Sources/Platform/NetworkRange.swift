internal import Glibc

/// The addresses of a network, as `192.168.1.0/24` or `fd00::/8` name them.
package struct NetworkRange: Equatable, Sendable {
  /// As it was written.
  package let name: String
  private let bytes: [UInt8]
  private let length: Int

  package init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count <= 2, let bytes = Self.bytes(of: String(parts[0])) else { return nil }
    self.bytes = bytes
    name = text
    guard parts.count == 2 else {
      length = bytes.count * 8
      return
    }
    guard let length = Int(parts[1]), (0...bytes.count * 8).contains(length) else { return nil }
    self.length = length
  }

  private static func bytes(of text: String) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 16)
    if inet_pton(AF_INET, text, &bytes) == 1 { return Array(bytes.prefix(4)) }
    return inet_pton(AF_INET6, text, &bytes) == 1 ? bytes : nil
  }

  /// `host`: four bytes or sixteen. Its packets leave this machine nowhere.
  package static func isLoopback(_ host: [UInt8]) -> Bool {
    host.count == 4 ? host[0] == 127 : host.last == 1 && host.dropLast().allSatisfy { $0 == 0 }
  }

  /// `host`: four bytes or sixteen.
  package func contains(_ host: [UInt8]) -> Bool {
    guard host.count == bytes.count else { return false }
    for bit in 0..<length where (host[bit / 8] ^ bytes[bit / 8]) & (0x80 >> UInt8(bit % 8)) != 0 {
      return false
    }
    return true
  }
}
