import Console
import Glibc
import LocationModel

/// `locationd-places` as it imports and removes: a child, whose progress is shown on one line of a terminal, or
/// now and then in a pipe. Ctrl-C ends it.
enum PlacesProgram {
  /// Where the service keeps what is imported.
  private static let data = "/var/lib/locationd-places"

  static func run(_ arguments: [String]) throws(Failure) {
    guard geteuid() == 0 || access(data, W_OK) == 0 else {
      throw Failure(.denied, "imports are root's: 'sudo locationctl places …'")
    }
    let program = try InstalledProgram.path("locationd-places")
    let interrupts = Interrupts.begin()
    var child = try Child(program, arguments)
    var progress = ImportProgress(onTerminal: Terminal.canShowPanel)
    while child.isOpen {
      if child.wait(or: interrupts), Interrupts.readEnding() { child.cancel() }
      let (said, complained) = child.read()
      for line in said { try progress.show(line) }
      for line in complained { try progress.complain(line) }
    }
    try progress.end()
    let status = child.end()
    guard status != 0 else { return }
    throw Failure(.failed, child.isCancelled ? "cancelled; nothing of it stays" : "")
  }
}

/// What an import has come to, as people read it.
struct ImportProgress {
  private let onTerminal: Bool
  private var shown: (phase: String, percent: Int64)?
  private var isDrawn = false

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
    if onTerminal {
      try Output.draw("\r\u{1B}[2K\(Self.bar(now.phase, now.percent))")
      isDrawn = true
    } else if isNews(now) {
      try Output.write("\(now.phase) \(now.percent) %")
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

/// A program whose two outputs are read line by line.
private struct Child {
  private let pid: pid_t
  private let output: LineReader
  private let errors: LineReader
  private(set) var isCancelled = false

  init(_ program: String, _ arguments: [String]) throws(Failure) {
    guard let (output, outputEnd) = Self.pipe(), let (errors, errorsEnd) = Self.pipe() else {
      throw Failure(.failed, String(cString: strerror(errno)))
    }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, outputEnd, 1)
    posix_spawn_file_actions_adddup2(&actions, errorsEnd, 2)
    let words = ([program] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var pid: pid_t = 0
    let result = posix_spawn(&pid, program, &actions, nil, words, environ)
    close(outputEnd)
    close(errorsEnd)
    self.output = LineReader(output)
    self.errors = LineReader(errors)
    self.pid = pid
    guard result == 0 else {
      throw Failure(.failed, "\(program) cannot be started: \(String(cString: strerror(result)))")
    }
  }

  /// The reading and the writing end.
  private static func pipe() -> (Int32, Int32)? {
    var ends: [Int32] = [-1, -1]
    guard Glibc.pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    return (ends[0], ends[1])
  }

  var isOpen: Bool { output.isOpen || errors.isOpen }

  /// True where a signal may have come.
  func wait(or interrupts: Int32) -> Bool {
    var ready = [output.descriptor, errors.descriptor, interrupts].map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    poll(&ready, nfds_t(ready.count), -1)
    return ready[2].revents != 0
  }

  /// Whole lines that have come.
  func read() -> (said: [String], complained: [String]) {
    (output.lines(), errors.lines())
  }

  /// Asks it to end, which takes away what it has begun.
  mutating func cancel() {
    isCancelled = true
    kill(pid, SIGTERM)
  }

  /// Its exit status, when it has ended.
  func end() -> Int32 {
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    return status
  }
}
