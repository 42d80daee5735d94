import LocationCore
import LocationModel
import Platform

/// A receiver on a serial line. Unplugged, it is looked for again.
final class TtySource: Source {
  private let line: SourceURL.Line
  private let id: SourceID
  private let loop: EventLoop
  private let post: (Input) -> Void

  private var tty: Tty?
  private var watch: EventLoop.Watch?
  private var retry: EventLoop.Timer?
  private var nextRetry: Int64?
  private var reader: NMEAReader?
  private var before = ReceiverCounters()
  private var pauses = Pauses()
  private var isWanted = false

  init(
    _ line: SourceURL.Line, id: SourceID, on loop: EventLoop, post: @escaping (Input) -> Void
  ) throws(SystemError) {
    self.line = line
    self.id = id
    self.loop = loop
    self.post = post
    retry = try EventLoop.Timer(slack: 50_000_000, on: loop) { [unowned self] in find() }
    reader = try NMEAReader(on: loop) { reading in
      if let input = Input(reading, from: id) { post(input) }
    }
  }

  func open() {
    isWanted = true
    find()
  }

  func close() {
    isWanted = false
    letGo()
  }

  private func letGo() {
    retry?.set(nil)
    nextRetry = nil
    watch = nil
    tty = nil
    reader?.end()
  }

  private func find() {
    do throws(SystemError) {
      let tty = try Tty(path: line.path, speed: line.speed)
      watch = try EventLoop.Watch(tty.descriptor, for: .read, on: loop) { [unowned self] _ in
        readSome()
      }
      self.tty = tty
      nextRetry = nil
      before = reader?.counters ?? before
      reader?.begin()
      post(.found(id))
    } catch {
      lose("\(error)")
    }
  }

  private func lose(_ reason: String) {
    reader?.flush()
    guard isWanted else { return }
    letGo()
    let moment = Clock.boottime + pauses.next()
    nextRetry = moment
    retry?.set(moment)
    post(.failed(id, reason))
  }

  private func readSome() {
    let transfer = withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
      let transfer = tty?.descriptor.read(into: buffer) ?? .wouldBlock
      if case .bytes(let count) = transfer {
        reader?.read(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      }
      return transfer
    }
    switch transfer {
    case .bytes: pauses.reset()
    case .wouldBlock: break
    case .ended: lose("it hung up")
    case .failed(let number): lose("\(SystemError("it is lost", number))")
    }
  }

  var counters: ReceiverCounters? { reader?.counters }

  var details: SourceDetails {
    var details = SourceDetails()
    details.baud = tty?.speed
    reader?.describe(into: &details, since: before)
    details.nextRetry = nextRetry.map { Double($0 - Clock.boottime) / 1e9 }
    return details
  }
}
