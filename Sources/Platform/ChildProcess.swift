internal import CLinux
internal import Glibc
package import LocationModel

/// A program that runs for us. It has nothing of ours but two pipes, is killed when it says too much or takes
/// too long, and ends with whoever holds this.
package final class ChildProcess {
  package enum End: Equatable, Sendable {
    /// With this status.
    case exited(Int32)
    /// By this signal.
    case killed(Int32)
    case late
    case tooMuch
  }

  package struct Outcome: Equatable, Sendable {
    package var end: End
    package var output: [UInt8]
    package var errors: [UInt8]
  }

  private let loop: EventLoop
  private let hears: (([UInt8]) -> Void)?
  private let completion: (Outcome) -> Void
  private let pid: pid_t
  private var handle: Descriptor?
  private var output: Outlet
  private var errors: Outlet
  private var exit: EventLoop.Watch?
  private var deadline: EventLoop.Timer?
  private var hasEnded = false

  /// More bytes on standard error are too much.
  private static let mostErrors = 4096

  /// Calls the completion once, later, unless this is let go of first. `most`: more bytes on standard output are
  /// too much; `hears` is told them as they come, and they are not kept.
  package init(
    _ program: String, _ arguments: [String], environment: [String] = [], until limit: Boottime?,
    most: Int, on loop: EventLoop, hears: (([UInt8]) -> Void)? = nil,
    _ completion: @escaping (Outcome) -> Void
  ) throws(SystemError) {
    self.loop = loop
    self.hears = hears
    self.completion = completion
    let attempt = "cannot start \(program)"
    let said = try Descriptor.pipe()
    output = Outlet(Descriptor(owning: said.reading), most: most)
    let theirs = Descriptor(owning: said.writing)
    let complained = try Descriptor.pipe()
    errors = Outlet(Descriptor(owning: complained.reading), most: Self.mostErrors)
    let theirsToo = Descriptor(owning: complained.writing)
    let number = Self.start(program, arguments, environment, theirs.number, theirsToo.number)
    guard number > 0 else { throw SystemError(attempt) }
    pid = number
    do throws(SystemError) {
      try watch(attempt, until: limit)
    } catch {
      end()
      throw error
    }
  }

  deinit { end() }

  private static func start(
    _ program: String, _ arguments: [String], _ environment: [String], _ output: Int32,
    _ errors: Int32
  ) -> pid_t {
    let words = ([program] + arguments).map { strdup($0) } + [nil]
    let variables = environment.map { strdup($0) } + [nil]
    defer { for word in words + variables { free(word) } }
    return linux_start(program, words, variables, output, errors)
  }

  private func watch(_ attempt: String, until limit: Boottime?) throws(SystemError) {
    let number = linux_process(pid)
    guard number >= 0 else { throw SystemError(attempt) }
    handle = Descriptor(owning: number)
    exit = try EventLoop.Watch(number, for: .read, on: loop) { [unowned self] _ in conclude() }
    output.watch = try EventLoop.Watch(output.descriptor, for: .read, on: loop) {
      [unowned self] _ in read(output)
    }
    errors.watch = try EventLoop.Watch(errors.descriptor, for: .read, on: loop) {
      [unowned self] _ in read(errors)
    }
    deadline = try EventLoop.Timer(slack: .milliseconds(1), on: loop) { [unowned self] in
      finish(.late)
    }
    deadline?.set(limit)
  }
}

// MARK: - Its output

extension ChildProcess {
  /// Our end of a pipe.
  private final class Outlet {
    let descriptor: Descriptor
    let most: Int
    var watch: EventLoop.Watch?
    var bytes: [UInt8] = []
    var isOver = false

    init(_ descriptor: consuming Descriptor, most: Int) {
      descriptor.forgoWaiting()
      self.descriptor = descriptor
      self.most = most
    }

    /// As much as a pipe holds; it is over when more than the most has come.
    func read() -> [UInt8] {
      withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 1) { buffer in
        switch descriptor.read(into: buffer) {
        case .bytes(let count):
          isOver = count > most - bytes.count
          return Array(buffer[..<count])
        case .wouldBlock: break
        case .ended, .failed: watch = nil
        }
        return []
      }
    }
  }

  private func read(_ outlet: Outlet) {
    take(outlet)
    if outlet.isOver { finish(.tooMuch) }
  }

  private func take(_ outlet: Outlet) {
    let new = outlet.read()
    guard outlet === output, let hears else {
      outlet.bytes += new
      return
    }
    if !new.isEmpty { hears(new) }
  }
}

// MARK: - Its end

extension ChildProcess {
  /// It has ended by itself; the last that it said is still in the pipes.
  private func conclude() {
    take(output)
    take(errors)
    finish(output.isOver || errors.isOver ? .tooMuch : nil)
  }

  /// Nil where it has ended by itself.
  private func finish(_ reason: End?) {
    guard !hasEnded else { return }
    let status = end()
    // The signal that ended it is in the last bits.
    let own: End = status & 0x7F == 0 ? .exited(status >> 8 & 0xFF) : .killed(status & 0x7F)
    let outcome = Outcome(end: reason ?? own, output: output.bytes, errors: errors.bytes)
    // It may let go of this.
    completion(outcome)
  }

  /// With all that it has started itself, and buried.
  @discardableResult private func end() -> Int32 {
    guard !hasEnded else { return 0 }
    hasEnded = true
    (exit, output.watch, errors.watch, deadline) = (nil, nil, nil, nil)
    var status: Int32 = 0
    // Nobody else has the number before it is buried.
    kill(-pid, SIGKILL)
    while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    return status
  }
}
