/// A host and its port, as an address on the network has them; an IPv6 address stands in brackets.
package struct HostPort: Equatable, Sendable {
  package enum Fault: Error, Equatable, CustomStringConvertible {
    case host
    case port(String)

    package var description: String {
      switch self {
      case .host: "there is no host"
      case .port(let text): "'\(text)' is no port"
      }
    }
  }

  /// Without brackets.
  package var host: String
  package var port: Int?

  package init(_ authority: Substring) throws(Fault) {
    var host = authority
    var rest: Substring = ""
    if authority.hasPrefix("[") {
      guard let end = authority.firstIndex(of: "]") else { throw .host }
      host = authority[..<end].dropFirst()
      rest = authority[end...].dropFirst()
    } else if let colon = authority.firstIndex(of: ":") {
      host = authority[..<colon]
      rest = authority[colon...]
    }
    guard !host.isEmpty, host.utf8.count <= 253, rest.isEmpty || rest.hasPrefix(":"),
      host.utf8.allSatisfy({
        Self.isPlain($0) || $0 == UInt8(ascii: ":") && authority.hasPrefix("[")
      })
    else { throw .host }
    self.host = String(host)
    guard !rest.isEmpty else { return }
    let digits = rest.dropFirst()
    guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(digits),
      (1...65535).contains(number)
    else {
      throw .port(String(rest.dropFirst()))
    }
    port = number
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"),
      UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
