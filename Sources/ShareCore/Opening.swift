/// The first bytes of a connection: a web page can make a browser send them to any port of this machine.
package struct Opening: Equatable, Sendable {
  package enum Verdict: Equatable, Sendable {
    /// The opening may still become anything.
    case open
    case usual
    /// A browser, or another program of the web.
    case foreign
  }

  private var bytes: [UInt8] = []
  package private(set) var verdict = Verdict.open

  package init() {}

  /// The most that tells one from the other.
  private static let most = 8
  private static let methods = [
    "GET ", "POST ", "PUT ", "HEAD ", "OPTIONS ", "DELETE ", "CONNECT ", "TRACE ", "PATCH ", "PRI ",
  ].map { Array($0.utf8) }
  /// Handshakes of TLS 1.x and of STUN, in which browsers ask for calls.
  private static let handshakes: [[UInt8]] = [[0x16, 0x03], [0x00]]

  package mutating func read(_ more: UnsafeRawBufferPointer) {
    guard verdict == .open else { return }
    bytes.append(contentsOf: more.prefix(Self.most - bytes.count))
    let all = Self.methods + Self.handshakes
    if all.contains(where: { bytes.starts(with: $0.prefix(Self.most)) }) {
      verdict = .foreign
    } else if !all.contains(where: { $0.starts(with: bytes) }) {
      verdict = .usual
    }
  }
}
