/// What users are called, from the machine's own list alone.
///
/// A name server is never asked: it may take its time, and while it is away the same user would have
/// another name, to which none of what was allowed belongs. Users of such a server are numbers here.
package enum UserNames {
  package static func name(of uid: UInt32, in path: String = "/etc/passwd") -> String {
    find(uid, in: path) ?? "\(uid)"
  }

  private static func find(_ uid: UInt32, in path: String) -> String? {
    guard let text = try? File.bytes(of: path, atMost: 1 << 20) else { return nil }
    let number = Array("\(uid)".utf8)
    return text.withUnsafeBufferPointer { text in
      for line in text.split(separator: UInt8(ascii: "\n")) where line.contains(number) {
        let words = line.split(
          separator: UInt8(ascii: ":"), maxSplits: 3, omittingEmptySubsequences: false)
        guard words.count == 4, words[2].elementsEqual(number), !words[0].isEmpty else { continue }
        return String(validating: words[0], as: UTF8.self)
      }
      return nil
    }
  }
}
