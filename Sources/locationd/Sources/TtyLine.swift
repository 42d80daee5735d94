import LocationCore
import LocationModel
import Platform
import ReceiverCore

/// A serial line, or a device like one, while it is ours: read, and its speed found where none is given.
final class TtyLine {
  let path: String
  private let identity: PathIdentity?
  private let tty: Tty
  private let memory: SpeedMemory
  private let reader: NMEAReader
  private let lost: (String) -> Void
  private var watch: EventLoop.Watch?
  private var turn: EventLoop.Timer?
  private var search: BaudSearch?
  /// As they were when the line was opened.
  private let before: ReceiverCounters
  private var sentences: Int64
  private var fixesKnown: Int64
  /// The owner may let go of the line while it is told a fix or a loss.
  private var isOpen = true

  /// Without a speed it is looked for. `lost` is told once, and later.
  init(
    _ path: String, speed: Int?, _ memory: SpeedMemory, into reader: NMEAReader,
    on loop: EventLoop, lost: @escaping (String) -> Void
  ) throws(SystemError) {
    self.path = path
    self.memory = memory
    self.reader = reader
    self.lost = lost
    tty = try Tty(path: path)
    identity = PathIdentity(of: path)
    before = reader.counters
    sentences = before.sentences
    fixesKnown = before.fixes
    if let speed {
      try tty.run(at: speed)
    } else if tty.isLine {
      search = BaudSearch(
        likely: [memory[path], tty.speed].compactMap { $0 }, at: Clock.boottime)
    }
    reader.begin()
    turn = try EventLoop.Timer(slack: .milliseconds(20), on: loop) { [unowned self] in pass() }
    watch = try EventLoop.Watch(tty.descriptor, for: .read, on: loop) { [unowned self] _ in
      readSome()
    }
    if search != nil { change() }
  }

  func close() {
    isOpen = false
    watch = nil
    turn = nil
    reader.end()
  }

  /// Whether the path leads elsewhere by now, or nowhere.
  var isGone: Bool {
    guard let identity, let now = PathIdentity(of: path) else { return true }
    return !now.isSameFile(as: identity)
  }

  /// Whether it is known that a receiver speaks there.
  var hasSpoken: Bool { reader.counters.sentences > before.sentences }

  /// Whether it has had a fix since this was asked last.
  var hasNewFix: Bool {
    let fixes = reader.counters.fixes
    defer { fixesKnown = fixes }
    return fixes > fixesKnown
  }

  private func readSome() {
    let transfer = withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
      let transfer = tty.descriptor.read(into: buffer)
      if case .bytes(let count) = transfer {
        let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
        reader.read(bytes)
        if isOpen { look(at: bytes) }
      }
      return transfer
    }
    guard isOpen else { return }
    switch transfer {
    case .bytes, .wouldBlock: break
    case .ended: lost("it was unplugged")
    case .failed(let number): lost("\(SystemError("it was unplugged", number))")
    }
  }
}

// MARK: - Its speed

extension TtyLine {
  private func look(at bytes: UnsafeRawBufferPointer) {
    let more = reader.counters.sentences - sentences
    sentences = reader.counters.sentences
    switch search?.hear(bytes, sentences: Int(more), at: Clock.boottime) {
    case .found?:
      turn?.set(nil)
      if let speed = tty.speed { memory.remember(speed, of: path) }
    case .change?: change()
    case .stay?: turn?.set(search?.deadline)
    case nil: break
    }
  }

  private func pass() {
    guard search?.pass(at: Clock.boottime) == .change else { return }
    change()
  }

  /// Runs the line at the speed to be tried; one that it cannot run at is passed over.
  private func change() {
    for _ in BaudSearch.common {
      guard let speed = search?.speed else { return }
      do throws(SystemError) {
        try tty.run(at: speed)
        break
      } catch {
        _ = search?.change(at: Clock.boottime)
      }
    }
    // Noise at another speed is nobody's fault.
    reader.begin(before)
    sentences = before.sentences
    turn?.set(search?.deadline)
  }
}

extension TtyLine {
  func describe(into details: inout SourceDetails) {
    details.device = path
    details.baud = tty.speed
    if let search, !search.isFound {
      details.baud = nil
      details.remark =
        reader.counters.bytes == before.bytes
        ? "nothing comes from it; listening at \(search.speed) baud"
        : "looking for its speed; listening at \(search.speed) baud"
    }
    reader.describe(into: &details, since: before)
  }
}
