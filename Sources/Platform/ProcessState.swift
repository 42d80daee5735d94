/// The words of `/proc/PID/stat`.
struct ProcessState {
  var command: String
  var lives: Bool
  var hasTerminal: Bool
  /// 0 where it has none that we may see.
  var parent: Int32?
  var mark: ProcessMark?

  init?(_ text: [UInt8]) {
    // The name is in parentheses and may have some itself.
    guard let start = text.firstIndex(of: UInt8(ascii: "(")),
      let end = text.lastIndex(of: UInt8(ascii: ")")), start < end
    else { return nil }
    command = String(decoding: text[(start + 1)..<end], as: UTF8.self)
    let words = text[(end + 1)...].split(separator: UInt8(ascii: " "))
    guard words.count > 6, let terminal = Self.number(words[4]), let flags = Self.number(words[6])
    else { return nil }
    let hasEnded = ["Z", "X", "x"].contains { words[0].elementsEqual($0.utf8) }
    let isEnding = flags & 0x4 != 0
    lives = !hasEnded && !isEnding
    hasTerminal = terminal != 0
    parent = Self.number(words[1]).flatMap(Int32.init(exactly:))
    let number = Self.number(text[..<start].prefix { $0 != UInt8(ascii: " ") })
    guard words.count > 19, let pid = number.flatMap(Int32.init(exactly:)),
      let startTime = Self.number(words[19]).flatMap(UInt64.init(exactly:))
    else { return }
    mark = ProcessMark(pid: pid, startTime: startTime)
  }

  private static func number(_ word: ArraySlice<UInt8>) -> Int64? {
    Int64(String(decoding: word, as: UTF8.self))
  }
}

/// The words of `/proc/PID/status`.
struct ProcessStatus {
  /// The one that counts.
  var uid: UInt32
  /// Its numbers, from outside to inside: one for each namespace that it is in.
  var numberCount = 1

  init?(_ text: [UInt8]) {
    var uid: UInt32?
    for line in text.split(separator: UInt8(ascii: "\n")) {
      if line.starts(with: "Uid:".utf8) {
        let words = line.split(separator: UInt8(ascii: "\t"))
        uid = words.count > 2 ? UInt32(String(decoding: words[2], as: UTF8.self)) : nil
      } else if line.starts(with: "NSpid:".utf8) {
        numberCount = line.split(separator: UInt8(ascii: "\t")).count - 1
        break
      }
    }
    guard let uid else { return nil }
    self.uid = uid
  }
}
