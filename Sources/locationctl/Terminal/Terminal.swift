import Console
import Glibc
import LocationClient
import Platform

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

  /// A line that is typed there, or its beginning where it has no end; nil where nobody types any more.
  static func readLine(from terminal: Int32) -> String? {
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while line.count < 4096 {
      let count = read(terminal, &byte, 1)
      if count < 0, errno == EINTR { continue }
      if count <= 0, line.isEmpty { return nil }
      if count <= 0 || byte == UInt8(ascii: "\n") { break }
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
  private static let pipe: (reading: Int32, writing: Int32) = {
    let ends = (try? Descriptor.pipe()) ?? (reading: -1, writing: -1)
    for end in [ends.reading, ends.writing] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    return ends
  }()

  /// From here on signals come as bytes.
  static func begin() {
    _ = pipe
    for number in [SIGINT, SIGTERM, SIGHUP, SIGWINCH] {
      signal(number) { number in
        var byte = UInt8(truncatingIfNeeded: number)
        _ = write(Interrupts.pipe.writing, &byte, 1)
      }
    }
  }

  /// Waits until one of these can be read, and tells which can. Nil where a signal came that is to end the program.
  static func wait(for descriptors: [Int32], milliseconds: Int32 = -1) -> [Bool]? {
    var ready = (descriptors + [pipe.reading]).map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    poll(&ready, nfds_t(ready.count), milliseconds)
    let isEnding = ready.popLast()?.revents != 0 && readEnding()
    return isEnding ? nil : ready.map { $0.revents != 0 }
  }

  private static func readEnding() -> Bool {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(pipe.reading, &bytes, bytes.count)
    return count > 0 && bytes[..<count].contains { Int32($0) != SIGWINCH }
  }
}

extension Speech {
  // The person's language where a terminal shows it; scripts and the journal are told in English.
  static var ofOutput: Speech { Terminal.isOutput ? Speech(UserLocale.tag) : .english }
  static var ofErrors: Speech { Output.areComplaintsRead ? Speech(UserLocale.tag) : .english }
}
