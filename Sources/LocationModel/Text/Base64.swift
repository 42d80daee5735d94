/// Bytes as letters of JSON's strings (RFC 4648, chapter 4).
package enum Base64 {
  private static let letters = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  package static func text(of bytes: [UInt8]) -> String {
    let size = (bytes.count + 2) / 3 * 4
    return String(unsafeUninitializedCapacity: size) { text in
      var place = 0
      for start in stride(from: 0, to: bytes.count, by: 3) {
        let rest = min(bytes.count - start, 3)
        let word = (0..<3).reduce(UInt32(0)) {
          $0 << 8 | ($1 < rest ? UInt32(bytes[start + $1]) : 0)
        }
        for i in 0..<4 {
          text[place] =
            i > rest ? UInt8(ascii: "=") : letters[Int(word >> (18 - 6 * UInt32(i)) & 63)]
          place += 1
        }
      }
      return place
    }
  }
}
