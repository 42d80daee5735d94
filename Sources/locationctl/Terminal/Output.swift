import Console
import Glibc
import LocationModel

/// Standard output and standard error.
enum Output {
  /// Lines for people. What others have named in them begins no line and moves no cursor.
  static func write(_ lines: [String]) throws(Failure) {
    try draw(text(lines))
  }

  static func write(_ line: String) throws(Failure) { try write([line]) }

  /// The same to a terminal, wherever standard output goes.
  static func write(_ lines: [String], to terminal: Int32) {
    Array(text(lines).utf8).withUnsafeBytes { _ = put($0, terminal) }
  }

  /// A prompt leaves the cursor behind it.
  private static func text(_ lines: [String]) -> String {
    lines.map { $0 == "> " ? $0 : $0.plain() + "\n" }.joined()
  }

  /// Lines that belong together. What is too long for the terminal goes on further in: where others
  /// have named so much in a line, none of it begins one.
  static func report(_ lines: [String]) throws(Failure) {
    guard let columns = Terminal.width else { return try write(lines) }
    try write(lines.flatMap { $0.plain().folded(to: columns, indent: 8) })
  }

  static func write(_ json: JSON) throws(Failure) { try draw(json.text + "\n") }

  /// Text with terminal sequences of our own; names in it are made plain before.
  static func draw(_ text: String) throws(Failure) {
    var buffer = TextBuffer(capacity: text.utf8.count)
    buffer.append(text)
    try write(buffer.bytes)
  }

  /// JSON, or text that is plain already.
  static func write(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
    guard !put(bytes, STDOUT_FILENO) else { return }
    // The reader of a pipe may have seen enough: then all is done.
    if errno == EPIPE { exit(0) }
    throw Failure(.failed, String(cString: strerror(errno)))
  }

  static func complain(_ text: String) {
    Array("locationctl: \(text.plain())\n".utf8).withUnsafeBytes { _ = put($0, STDERR_FILENO) }
  }

  /// A line of a terminal that changes: words of our own, while the answers go elsewhere.
  static func show(progress words: String) {
    Array("\r\u{1B}[2K\(words)".utf8).withUnsafeBytes { _ = put($0, STDERR_FILENO) }
  }

  /// True where a person reads standard error.
  static var areComplaintsRead: Bool { isatty(STDERR_FILENO) == 1 }

  /// True where a person reads standard error, and the answers go elsewhere.
  static var canShowProgress: Bool { areComplaintsRead && !Terminal.isOutput }

  private static func put(_ bytes: UnsafeRawBufferPointer, _ descriptor: Int32) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = Glibc.write(descriptor, bytes.baseAddress.map { $0 + sent }, bytes.count - sent)
      if count > 0 { sent += count } else if errno != EINTR { return false }
    }
    return true
  }
}

extension String {
  /// The same in lines of at most so many columns, broken between words where that goes.
  func wrapped(to columns: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in split(separator: " ") {
      if !line.isEmpty, line.columns + 1 + String(word).columns > columns {
        lines.append(line)
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    return (lines + [line]).flatMap { $0.folded(to: columns, indent: 0) }
  }

  /// The same in lines of so many columns, all but the first set in.
  func folded(to columns: Int, indent: Int) -> [String] {
    guard columns > indent else { return [self] }
    let margin = String(repeating: " ", count: indent)
    var lines: [String] = []
    var line = ""
    var width = 0
    for character in self {
      let more = String(character).columns
      if width + more > columns {
        lines.append(line)
        line = margin
        width = indent
      }
      line.append(character)
      width += more
    }
    return lines + [line]
  }
}
