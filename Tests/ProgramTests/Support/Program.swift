import Foundation
import Glibc
import TestSupport
import Testing

/// A real program, running. It ends with the test.
final class Program {
  let pid: pid_t
  private let output: Int32
  /// A slice: what is taken from its front moves nothing.
  private var pending: ArraySlice<UInt8> = []
  /// The last line that was asked for.
  private var before: [UInt8] = []
  private var status: Int32?

  private static let shipped = ProcessInfo.processInfo.environment["LOCATIOND_PROGRAMS"]
  static let areShipped = shipped != nil

  /// The programs that `make test` built, or those beside the tests.
  static let folder: URL = {
    if let shipped { return URL(filePath: shipped) }
    return URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appending(path: "../debug").standardizedFileURL
  }()

  static func path(_ name: String) -> String { folder.appending(path: name).path }

  /// A copy to be run, made by another process: one written here would be held open for writing by
  /// whatever another test starts meanwhile, and the kernel runs no such file.
  static func copy(_ program: String, to path: String) throws {
    let copying = try Program(["install", "-m", "755", program, path])
    let (said, exit) = try copying.text()
    try #require(exit == 0, "\(said)")
  }

  /// `output`: the end of a pipe or terminal to read from, if it is not to be a pipe of its own.
  init(
    _ command: [String], environment: [String: String] = [:], terminal: Int32? = nil
  ) throws {
    let ends = terminal == nil ? try Self.pipe() : (read: -1, write: -1)
    let end = terminal ?? ends.write
    pid = try spawn(command, environment: environment, streams: [0: nil, 1: end, 2: end])
    if terminal == nil { close(ends.write) }
    output = ends.read
  }

  /// That nothing else inherits which another test starts just now, and so would hold open: there is
  /// no pipe2 here.
  private static func pipe() throws -> (read: Int32, write: Int32) {
    let path = FileManager.default.temporaryDirectory.appending(path: "pipe-\(UUID())").path
    try #require(mkfifo(path, 0o600) == 0)
    defer { unlink(path) }
    let read = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    let write = open(path, O_WRONLY | O_CLOEXEC)
    try #require(read >= 0 && write >= 0)
    // F_SETPIPE_SZ: a daemon that is attacked says much, and waits where nobody reads it.
    _ = fcntl(write, 1031, 1 << 20)
    return (read, write)
  }

  deinit {
    if status == nil {
      Glibc.kill(pid, SIGKILL)
      waitpid(pid, nil, 0)
    }
    if output >= 0 { close(output) }
  }

  /// Nobody's, where it has ended: its number may be another's.
  func signal(_ number: Int32) { if status == nil { Glibc.kill(pid, number) } }

  /// Whether it has ended. Its figures are there until its exit is asked for.
  var hasEnded: Bool {
    status != nil || (try? stateOfProcess()) == "Z"
  }

  private func stateOfProcess() throws -> Substring? {
    let text = try kernelText("/proc/\(pid)/stat")
    return text.split(separator: ")").last?.split(separator: " ").first
  }

  /// Its exit code, or minus the signal that ended it.
  func exit(within seconds: Double = patience) throws -> Int32 {
    if let status { return status }
    let reached = eventually(within: seconds) {
      var raw: Int32 = 0
      guard waitpid(self.pid, &raw, WNOHANG) == self.pid else { return false }
      self.status = raw & 0x7F == 0 ? (raw >> 8) & 0xFF : -(raw & 0x7F)
      return true
    }
    try #require(reached, "it did not end")
    return try #require(status)
  }

  /// The next line it prints on either output.
  func line(within seconds: Double = patience) throws -> String {
    var hasEnded = false
    let reached = eventually(within: seconds) {
      if self.pending.contains(0x0A) { return true }
      hasEnded = self.readMore() == 0
      return hasEnded || self.pending.contains(0x0A)
    }
    let end = try #require(
      reached ? pending.firstIndex(of: 0x0A) : nil,
      """
      \(hasEnded ? "it says no more" : "no line came"); \
      what it said last: \(String(decoding: before + pending, as: UTF8.self))
      """)
    before = Array(pending[...end])
    pending = pending[(end + 1)...]
    return String(decoding: before.dropLast(), as: UTF8.self)
  }

  /// A line that is there already.
  func waitingLine() -> String? {
    if !pending.contains(0x0A) { while readMore() > 0 {} }
    guard let end = pending.firstIndex(of: 0x0A) else { return nil }
    defer { pending = pending[(end + 1)...] }
    return String(decoding: pending[..<end], as: UTF8.self)
  }

  /// Reads its output and throws it away, so that it never waits for a reader.
  func passOver() {
    while readMore() > 0 {}
    pending = []
  }

  /// All it prints until it ends, which may be the work of some time.
  func text() throws -> (text: String, exit: Int32) {
    let reached = eventually(within: patience * 5) { self.readMore() == 0 }
    try #require(reached, "it did not end")
    return (String(decoding: pending, as: UTF8.self), try exit())
  }

  @discardableResult
  private func readMore() -> Int {
    withUnsafeTemporaryAllocation(byteCount: 65536, alignment: 1) { bytes in
      let count = read(output, bytes.baseAddress, bytes.count)
      if count > 0 { pending += bytes[..<count] }
      return count
    }
  }
}

/// How long this thread and some programs take for something, without the time in which they waited for a
/// processor: that is the machine's, which may have much else to do.
struct Effort {
  private let programs: [Program]
  private let begun = ContinuousClock().now
  private let queued: Double

  init(of programs: Program...) throws { try self.init(of: programs) }

  init(of programs: [Program]) throws {
    self.programs = programs
    queued = try Self.queued(programs)
  }

  var seconds: Double {
    get throws {
      (ContinuousClock().now - begun) / .seconds(1) - (try Self.queued(programs) - queued)
    }
  }

  private static func queued(_ programs: [Program]) throws -> Double {
    try programs.reduce(delay(of: "thread-self")) { sum, program in
      let threads = try FileManager.default.contentsOfDirectory(
        atPath: "/proc/\(program.pid)/task")
      return threads.reduce(sum) { $0 + delay(of: "\(program.pid)/task/\($1)") }
    }
  }

  private static func delay(of thread: String) -> Double {
    let text = try? kernelText("/proc/\(thread)/schedstat")
    return (text?.split(separator: " ").dropFirst().first.flatMap { Double($0) } ?? 0) / 1e9
  }
}

/// Kilobytes that a program holds more after a round of work than before it: the middle one of five rounds. What
/// is lost each time is seen in each; more at once than ever before is held once.
func growth(of program: Program, _ round: () throws -> Void) throws -> Int {
  var growths: [Int] = []
  for _ in 0..<5 {
    let before = try program.heldMemory
    try round()
    growths.append(try program.heldMemory - before)
  }
  return growths.sorted()[2]
}

/// The kernel's figures of a process.
extension Program {
  func statusNumber(_ key: String) throws -> Int {
    let text = try kernelText("/proc/\(pid)/status")
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("\(key):") })
    return try #require(Int(line.split(whereSeparator: { !$0.isNumber }).first ?? ""))
  }

  /// Kilobytes, with what of its programs and libraries is mapped just now.
  var residentMemory: Int { get throws { try statusNumber("VmRSS") } }

  /// Kilobytes of its own.
  var heldMemory: Int { get throws { try statusNumber("RssAnon") } }

  /// Kilobytes that would be free if it ended.
  var privateMemory: Int {
    get throws {
      let text = try kernelText("/proc/\(pid)/smaps_rollup")
      let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("Private_Dirty:") })
      return try #require(Int(line.split(whereSeparator: { !$0.isNumber }).first ?? ""))
    }
  }

  /// How often it went to sleep by itself, and so was woken.
  var wakeUps: Int { get throws { try statusNumber("voluntary_ctxt_switches") } }

  /// Whether it wakes at most twice in six seconds, once it has done what there was to do.
  func sleeps() throws -> Bool {
    let isDone = try rests()
    let before = try wakeUps
    return try isDone && !eventually(within: 6) { try self.wakeUps > before + 2 }
  }

  /// Waits until it has done what there was to do.
  private func rests() throws -> Bool {
    try eventually(within: patience) {
      let before = try wakeUps
      usleep(500_000)
      return try wakeUps == before
    }
  }

  var descriptors: Int {
    get throws { try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fd").count }
  }

  /// Once it rests: while it starts it opens files and closes them again.
  func descriptorsAtRest() throws -> Int {
    #expect(try rests())
    return try descriptors
  }
}
