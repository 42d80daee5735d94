import LocationClient
import LocationModel
import Platform
import TrackCore

/// The socket of `locationctl track`. The kernel lets in root and the group: the file's mode says so.
final class ControlDoor {
  typealias Handler = (TrackCall, @escaping (Result<TrackReply, Refusal>) -> Void) -> Void

  private let listener: UnixListener
  private let loop: EventLoop
  private let log: Log
  private let handler: Handler
  private var watch: EventLoop.Watch?
  private var visitors: [Int: Visitor] = [:]
  private var lastVisitor = 0

  private static let mostVisitors = 16

  init(
    _ listener: UnixListener, on loop: EventLoop, _ log: Log, _ handler: @escaping Handler
  ) throws(SystemError) {
    self.listener = listener
    self.loop = loop
    self.log = log
    self.handler = handler
    watch = try listener.watch(on: loop) { [unowned self] in
      welcome($0)
    } failed: { error in
      log.warning("\(error)")
    }
  }

  /// One too many is turned away.
  private func welcome(_ descriptor: consuming Descriptor) {
    guard visitors.count < Self.mostVisitors else { return }
    lastVisitor += 1
    let number = lastVisitor
    do throws(SystemError) {
      visitors[number] = try Visitor(descriptor, on: loop, handler) { [unowned self] in
        visitors[number] = nil
      }
    } catch {
      log.warning("\(error)")
    }
  }
}

/// One connection: a request, its answer, the next request.
private final class Visitor {
  private let descriptor: Descriptor
  private let handler: ControlDoor.Handler
  private let gone: () -> Void
  private var watch: EventLoop.Watch?
  private var input = LineBuffer(longest: 65536)
  private var output: [UInt8] = []
  /// Its answer is being made; nothing more is read before it is out.
  private var isBusy = false
  private var hasFinished = false

  init(
    _ descriptor: consuming Descriptor, on loop: EventLoop,
    _ handler: @escaping ControlDoor.Handler,
    gone: @escaping () -> Void
  ) throws(SystemError) {
    self.descriptor = descriptor
    self.handler = handler
    self.gone = gone
    watch = try EventLoop.Watch(self.descriptor, for: .read, on: loop) { [unowned self] in
      ready($0)
    }
  }

  private func ready(_ readiness: Readiness) {
    if readiness.contains(.write) { flush() }
    if readiness.contains(.read) { read() }
    if !readiness.isDisjoint(with: .gone) { gone() }
  }

  private func read() {
    let transfer = withUnsafeTemporaryAllocation(byteCount: 16384, alignment: 1) { buffer in
      let transfer = descriptor.read(into: buffer)
      if case .bytes(let count) = transfer {
        input.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      }
      return transfer
    }
    switch transfer {
    case .bytes, .wouldBlock: break
    case .ended:
      hasFinished = true
      // The end of the stream ends the last line too.
      [UInt8(ascii: "\n")].withUnsafeBytes { input.append($0) }
    case .failed: return gone()
    }
    next()
  }

  private func next() {
    guard !isBusy, output.isEmpty else { return adjust() }
    switch input.next() {
    case .text(let line):
      isBusy = true
      let (id, call) = TrackCall.parse(line)
      switch call {
      case .success(let call): handler(call) { [weak self] in self?.answer(id, $0) }
      case .failure(let refusal): answer(id, .failure(refusal))
      }
    case .tooLong: gone()
    case nil: if hasFinished { gone() } else { adjust() }
    }
  }

  private func answer(_ id: JSON, _ result: Result<TrackReply, Refusal>) {
    isBusy = false
    var line = TextBuffer()
    switch result {
    case .success(let reply):
      line.append(["jsonrpc": "2.0", "id": id, "result": reply.json] as JSON)
      line.append(UInt8(ascii: "\n"))
    case .failure(let refusal): line.append(refusal, id: id)
    }
    output = Array(line.bytes)
    flush()
  }

  private func flush() {
    let sent = output.withUnsafeBytes { bytes in
      if case .bytes(let count) = descriptor.send(bytes) { count } else { 0 }
    }
    output.removeFirst(sent)
    if output.isEmpty { next() } else { adjust() }
  }

  private func adjust() {
    watch?.wait(for: output.isEmpty ? (isBusy || hasFinished ? [] : .read) : .write)
  }
}
