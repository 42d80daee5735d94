internal import CLinux
internal import CSystemd
internal import Glibc
internal import LocationModel

/// Lines for the journal, or for whoever started the program in a terminal: plain ones, since others may have
/// written part of the text. Shared, so that its level changes for all.
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
  /// Our errors go to the journal, which takes fields as well and reads a priority at the start of each
  /// line. A terminal, a file or a pipe gets neither.
  private let isJournal: Bool

  package init(level: Level) {
    self.level = level
    isJournal = Self.isConnectedToJournal
  }

  package func error(_ text: @autoclosure () -> String) { write(.error, text) }
  package func warning(_ text: @autoclosure () -> String) { write(.warning, text) }
  package func notice(_ text: @autoclosure () -> String) { write(.notice, text) }
  package func info(_ text: @autoclosure () -> String) { write(.info, text) }
  package func debug(_ text: @autoclosure () -> String) { write(.debug, text) }

  /// An event that programs look for: `id` is that of its kind, and `fields` are written beside the text.
  package func event(
    _ level: Level, _ text: String, id: String, _ fields: [(name: String, value: String)]
  ) {
    guard level <= self.level else { return }
    guard isJournal else { return write(level) { text } }
    let all =
      [
        ("MESSAGE", text.plain()), ("PRIORITY", "\(level.rawValue)"), ("MESSAGE_ID", id),
      ] + fields.map { ($0.name, $0.value.plain()) }
    let buffers = all.map { Array("\($0.0)=\($0.1)".utf8) }
    let bytes = buffers.flatMap { $0 }
    bytes.withUnsafeBytes { all in
      var start = 0
      var parts = buffers.map { buffer in
        defer { start += buffer.count }
        return iovec(
          iov_base: UnsafeMutableRawPointer(mutating: all.baseAddress.map { $0 + start }),
          iov_len: buffer.count)
      }
      if sd_journal_sendv(&parts, Int32(parts.count)) < 0 { write(level) { text } }
    }
  }

  /// systemd says which stream it has connected to the journal.
  private static var isConnectedToJournal: Bool {
    guard let text = getenv("JOURNAL_STREAM").map({ String(cString: $0) }) else { return false }
    var entry = stat()
    guard fstat(STDERR_FILENO, &entry) == 0 else { return false }
    return text == "\(entry.st_dev):\(entry.st_ino)"
  }

  private func write(_ level: Level, _ text: () -> String) {
    guard level <= self.level else { return }
    // One write per line: what others write does not come between.
    let bytes = Array(((isJournal ? "<\(level.rawValue)>" : "") + text().plain() + "\n").utf8)
    _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
  }
}
