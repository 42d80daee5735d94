import Console
import Glibc
import LocationModel
import Platform

/// `locationd-places` as it imports and removes: a child, whose progress is shown on one line of a terminal, or
/// now and then in a pipe. Ctrl-C ends it.
enum PlacesProgram {
  /// Where the service keeps what is imported.
  private static let data = "/var/lib/locationd-places"

  static func run(_ arguments: [String]) throws(Failure) {
    guard geteuid() == 0 || access(data, W_OK) == 0 else {
      throw Failure(.denied, "imports are root's: 'sudo locationctl places …'")
    }
    Interrupts.begin()
    let child = try InstalledProgram("locationd-places").start(
      arguments, output: .pipe, errors: .pipe)
    let (output, errors) = (LineReader(&child.output), LineReader(&child.errors))
    var isCancelled = false
    var progress = ImportProgress(onTerminal: Terminal.canShowPanel)
    while output.isOpen || errors.isOpen {
      if Interrupts.wait(for: [output.descriptor, errors.descriptor]) == nil {
        // It takes away what it has begun.
        isCancelled = true
        child.signal(SIGTERM)
      }
      for line in output.lines() { try progress.show(line) }
      for line in errors.lines() { try progress.complain(line) }
    }
    try progress.end()
    guard child.wait() != 0 else { return }
    throw Failure(.failed, isCancelled ? "cancelled; nothing of it stays" : "")
  }
}

/// What an import has come to, as people read it.
struct ImportProgress {
  private let onTerminal: Bool
  private var shown: (phase: String, percent: Int64)?
  private var isDrawn = false
  private var pace = ImportPace(at: Double.seconds)

  /// In a pipe a line comes with each phase, and whenever so much more is done.
  private static let stride: Int64 = 25

  init(onTerminal: Bool) { self.onTerminal = onTerminal }

  /// A line of the program: `{"phase":"ways","percent":42}`, or words.
  mutating func show(_ line: String) throws(Failure) {
    guard let json = try? JSON(parsing: line), let phase = json["phase"]?.string,
      let percent = json["percent"]?.integer
    else {
      try end()
      return try Output.write(line)
    }
    let now = (phase: phase.plain(atMost: 30), percent: min(max(percent, 0), 100))
    let left = pace.left(in: now.phase, now.percent, at: Double.seconds) ?? ""
    if onTerminal {
      try Output.draw("\r\u{1B}[2K\(Self.bar(now.phase, now.percent))\(left)")
      isDrawn = true
    } else if isNews(now) {
      try Output.write("\(now.phase) \(now.percent) %\(left)")
    } else {
      return
    }
    shown = now
  }

  private func isNews(_ now: (phase: String, percent: Int64)) -> Bool {
    guard let shown, shown.phase == now.phase else { return true }
    return now.percent != shown.percent
      && (now.percent == 100 || now.percent >= shown.percent + Self.stride)
  }

  static func bar(_ phase: String, _ percent: Int64) -> String {
    let full = Int(percent) * 30 / 100
    let bar = String(repeating: "#", count: full) + String(repeating: "-", count: 30 - full)
    return "\(phase.padded(to: 20)) [\(bar)] \(percent) %"
  }

  mutating func complain(_ line: String) throws(Failure) {
    try end()
    Output.complain(line)
  }

  /// What follows begins a line.
  mutating func end() throws(Failure) {
    if isDrawn { try Output.draw("\n") }
    isDrawn = false
  }
}
