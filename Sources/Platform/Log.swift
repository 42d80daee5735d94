internal import Glibc

/// Lines for the journal, or for whoever started the program in a terminal. Shared, so that its level
/// changes for all.
package final class Log {
  /// As syslog numbers them.
  package enum Level: Int, CaseIterable, Comparable, Sendable {
    case error = 3
    case warning = 4
    case notice = 5
    case info = 6
    case debug = 7

    package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }

    package init?(name: String) {
      guard let level = Self.allCases.first(where: { "\($0)" == name }) else { return nil }
      self = level
    }
  }

  package var level: Level
  package var isVerbose: Bool { level == .debug }
  /// The journal reads a priority at the start of each line; a person does not want to.
  private let showsPriority: Bool
  /// Makes one line of a text that others may have written part of.
  private let plain: (String) -> String

  package init(level: Level, plain: @escaping (String) -> String) {
    self.level = level
    self.plain = plain
    showsPriority = isatty(STDERR_FILENO) == 0
  }

  package func error(_ text: @autoclosure () -> String) { write(.error, text) }
  package func warning(_ text: @autoclosure () -> String) { write(.warning, text) }
  package func notice(_ text: @autoclosure () -> String) { write(.notice, text) }
  package func info(_ text: @autoclosure () -> String) { write(.info, text) }
  package func debug(_ text: @autoclosure () -> String) { write(.debug, text) }

  private func write(_ level: Level, _ text: () -> String) {
    guard level <= self.level else { return }
    // One write per line: what others write does not come between.
    let bytes = Array(((showsPriority ? "<\(level.rawValue)>" : "") + plain(text()) + "\n").utf8)
    _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
  }
}
