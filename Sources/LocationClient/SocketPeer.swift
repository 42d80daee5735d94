import Glibc

/// The other ends of Unix sockets, by the kernel's socket diagnosis.
enum SocketPeer {
  /// 0 where there is no other end; nil where the kernel cannot be asked.
  static func inode(of socket: UInt32) -> UInt32? {
    let link = Glibc.socket(AF_NETLINK, Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue), diagnosis)
    guard link >= 0 else { return nil }
    defer { close(link) }
    let question = question(about: socket)
    guard send(link, question, question.count, 0) == question.count else { return nil }
    // The kernel answers before send returns.
    var answer = [UInt8](repeating: 0, count: 512)
    let count = recv(link, &answer, answer.count, Int32(MSG_DONTWAIT))
    guard count >= headSize else { return nil }
    answer.removeLast(answer.count - count)
    let kind: UInt16 = number(in: answer, at: 4)
    guard kind == byFamily else {
      let error: UInt32 = number(in: answer, at: headSize)
      return kind == errorKind && Int32(bitPattern: error) == -ENOENT ? 0 : nil
    }
    return peer(in: answer)
  }

  // <linux/sock_diag.h>, <linux/unix_diag.h> and <linux/netlink.h>.
  private static let diagnosis: Int32 = 4
  private static let byFamily: UInt16 = 20
  private static let errorKind: UInt16 = 2
  private static let isRequest: UInt16 = 1
  private static let showPeer: UInt32 = 4
  private static let peerAttribute: UInt16 = 2
  private static let headSize = 16
  private static let answerSize = 16

  private static func question(about socket: UInt32) -> [UInt8] {
    let family = UInt32(AF_UNIX)
    let rest: [UInt32] = [
      0, 0,  // of any number, to the kernel
      family, .max, socket, showPeer, .max, .max,
    ]
    let length = UInt32(headSize - 8 + rest.count * 4)
    var bytes = withUnsafeBytes(of: length) { Array($0) }
    for word in [byFamily, isRequest] { withUnsafeBytes(of: word) { bytes += $0 } }
    for word in rest { withUnsafeBytes(of: word) { bytes += $0 } }
    return bytes
  }

  private static func peer(in answer: [UInt8]) -> UInt32 {
    var place = headSize + answerSize
    while place + 4 <= answer.count {
      let length = Int(number(in: answer, at: place) as UInt16)
      guard length >= 4 else { return 0 }
      if number(in: answer, at: place + 2) == peerAttribute {
        return number(in: answer, at: place + 4)
      }
      place += (length + 3) & ~3
    }
    return 0
  }

  /// 0 beyond the end.
  private static func number<Number: FixedWidthInteger>(
    in bytes: [UInt8], at place: Int
  ) -> Number {
    let size = MemoryLayout<Number>.size
    guard place >= 0, place + size <= bytes.count else { return 0 }
    return bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place, as: Number.self) }
  }
}
