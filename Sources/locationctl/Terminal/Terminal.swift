import Glibc

/// The terminal a person looks at.
enum Terminal {
  /// Whether standard output can show a panel: a terminal that moves its cursor.
  static var canShowPanel: Bool {
    isatty(STDOUT_FILENO) == 1 && environment("TERM").map { $0 != "dumb" } ?? false
  }

  /// Whether a person reads standard output as it comes.
  static var isOutput: Bool { isatty(STDOUT_FILENO) == 1 }

  static var hasColour: Bool { environment("NO_COLOR") == nil }

  static var columns: Int { width ?? 80 }

  static var rows: Int {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 2 else { return 24 }
    return Int(size.ws_row)
  }

  /// Nil where standard output is no terminal, or one that does not say.
  static var width: Int? {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  /// The terminal, opened, if this program has it to itself: a person started it there and waits for it.
  static var inForeground: Int32? {
    let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    guard terminal >= 0 else { return nil }
    if tcgetpgrp(terminal) == getpgrp() { return terminal }
    close(terminal)
    return nil
  }

  /// A line that is typed there; nil where nobody types any more.
  static func readLine(from terminal: Int32) -> String? {
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while line.count < 4096 {
      let count = read(terminal, &byte, 1)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return nil }
      if byte == UInt8(ascii: "\n") { break }
      line.append(byte)
    }
    return String(decoding: line, as: UTF8.self)
  }

  private static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }
}

/// Ctrl-C, the end of the terminal and its new size, as bytes to wait for.
enum Interrupts {
  /// The reading and the writing end.
  private static let pipe: (read: Int32, write: Int32) = {
    var ends: [Int32] = [-1, -1]
    guard Glibc.pipe(&ends) == 0 else { return (-1, -1) }
    for end in ends {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
    return (ends[0], ends[1])
  }()

  /// From here on signals come as bytes; what there is to wait on.
  static func begin() -> Int32 {
    let descriptor = pipe.read
    for number in [SIGINT, SIGTERM, SIGHUP, SIGWINCH] {
      signal(number) { number in
        var byte = UInt8(truncatingIfNeeded: number)
        _ = write(Interrupts.pipe.write, &byte, 1)
      }
    }
    return descriptor
  }

  /// Whether one of those that came is to end the program.
  static func readEnding() -> Bool {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(pipe.read, &bytes, bytes.count)
    return count > 0 && bytes[..<count].contains { Int32($0) != SIGWINCH }
  }
}
