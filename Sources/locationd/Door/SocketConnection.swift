import LocationCore
import LocationModel
import Platform

/// One client's connection: bytes in become lines, lines out become bytes.
final class SocketConnection {
  enum Event {
    case line(LineBuffer.Line)
    /// It will ask nothing more, but still listens.
    case finished
    /// More waits for it, or for its user, than may.
    case overflowing
    case gone
  }

  let id: ClientID
  let uid: UInt32
  let user: UserAccount
  /// Nil while it is not known who it is; until then nothing is read.
  private(set) var caller: Caller?
  private let descriptor: Descriptor
  private var watch: EventLoop.Watch?
  private var input = LineBuffer(longest: SocketConnection.longestRequest)
  private var output = OutgoingQueue()
  private let body: (SocketConnection, Event) -> Void
  private var isReading = false
  private var hasFinished = false
  private var hasToldFinish = false
  /// It is to end once it has read what waits.
  private(set) var isEnding = false
  private var watched: Readiness = []
  private var counted = 0

  static let longestRequest = 65536
  /// A client that has this much to read first is not asked for more.
  static let patience = 65536

  init(
    _ descriptor: consuming Descriptor, of uid: UInt32, _ user: UserAccount, id: ClientID,
    on loop: EventLoop,
    _ body: @escaping (SocketConnection, Event) -> Void
  ) throws(SystemError) {
    self.id = id
    self.uid = uid
    self.user = user
    self.body = body
    self.descriptor = descriptor
    watch = try EventLoop.Watch(self.descriptor, for: watched, on: loop) { [unowned self] in
      ready($0)
    }
    user.connections += 1
  }

  deinit {
    user.connections -= 1
    user.held -= counted
  }

  func begin(as caller: Caller) {
    self.caller = caller
    adjust()
  }

  /// The client's name in the log.
  var app: String { caller?.app ?? "uid \(uid)" }

  /// Bytes that what waits takes, in both directions.
  var held: Int { input.held + output.held }

  /// Lets go of the descriptor's watch, so that nothing more comes from here.
  func stop() { watch = nil }
}

// MARK: - In

extension SocketConnection {
  private func ready(_ readiness: Readiness) {
    if readiness.contains(.write) { flush() }
    if readiness.contains(.read), isReading { read() }
    if !readiness.isDisjoint(with: .gone), watch != nil { body(self, .gone) }
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
    case .bytes: readLines()
    case .wouldBlock: break
    case .ended:
      hasFinished = true
      // The end of the stream ends the last line too.
      [UInt8(ascii: "\n")].withUnsafeBytes { input.append($0) }
      readLines()
    case .failed: body(self, .gone)
    }
  }

  /// As many lines as the client has room for answers to; the rest waits until it has read them.
  private func readLines() {
    while watch != nil, !isEnding, output.count < Self.patience {
      if let line = input.next() {
        body(self, .line(line))
      } else {
        if hasFinished, !hasToldFinish {
          hasToldFinish = true
          body(self, .finished)
        }
        break
      }
    }
    adjust()
  }
}

// MARK: - Out

extension SocketConnection {
  /// Sends a line, or what the socket takes of it; the rest waits.
  func send(
    _ line: UnsafeRawBufferPointer, replaceable: Int? = nil, hasPlace: Bool = false
  ) {
    guard !isEnding else { return }
    var sent = 0
    if output.isEmpty {
      sent = send(line)
      if sent == line.count { return }
    }
    output.append(Array(line), sent: sent, replaceable: replaceable, hasPlace: hasPlace)
    adjust()
  }

  /// Forgets all that has a place in it; false where half of such a line is out already.
  func purge() -> Bool {
    let isClean = output.removePlaces()
    // There may be room for answers again.
    if isClean { readLines() }
    return isClean
  }

  /// Tells it why, instead of all that waits, and ends.
  func end(because line: UnsafeRawBufferPointer?) {
    guard !isEnding else { return }
    if let line {
      output.removeWhole()
      output.append(Array(line))
    }
    isEnding = true
    flush()
  }

  private func flush() {
    output.drain { send($0) }
    if isEnding, output.isEmpty {
      body(self, .gone)
    } else {
      readLines()
    }
  }

  private func send(_ bytes: UnsafeRawBufferPointer) -> Int {
    // A broken connection is noticed by its watch.
    if case .bytes(let count) = descriptor.send(bytes) { count } else { 0 }
  }

  private func adjust() {
    isReading = caller != nil && !hasFinished && !isEnding && output.count < Self.patience
    var readiness: Readiness = isReading ? .read : []
    if !output.isEmpty { readiness.insert(.write) }
    if readiness != watched {
      watched = readiness
      watch?.wait(for: readiness)
    }
    user.held += held - counted
    counted = held
    if !isEnding, held > user.limits.bytesPerConnection || user.held > user.limits.bytesPerUser {
      body(self, .overflowing)
    }
  }
}
