package import LocationModel

/// One client's connection: bytes in become lines, lines out become bytes.
package final class LineConnection {
  enum Event {
    case line(LineBuffer.Line)
    /// It will ask nothing more, but still listens.
    case finished
    /// More waits for it, or for its user, than may.
    case overflowing
    case gone
  }

  /// Its own among those of its door.
  package let number: UInt64
  package var uid: UInt32 { user.uid }
  package let user: UserAccount
  /// Nothing is read before it is known who it is.
  private var hasBegun = false
  private let descriptor: Descriptor
  private var watch: EventLoop.Watch?
  private var input = LineBuffer(longest: LineConnection.longestRequest)
  private var output = OutgoingQueue()
  private let body: (LineConnection, Event) -> Void
  private var isReading = false
  /// A line is being handled.
  private var isHandling = false
  /// Its lines wait for their turn.
  private var isPaused = false
  private var hasFinished = false
  private var hasToldFinish = false
  /// It will ask nothing more, and all that it asked was handed over.
  package var isFinished: Bool { hasToldFinish }
  /// It is to end once it has read what waits.
  package private(set) var isEnding = false
  private var watched: Readiness = []
  private var counted = 0
  /// Nil where none are taken.
  private var descriptors: [ReceivedDescriptor]?

  /// Descriptors that wait.
  private static let mostDescriptors = 1024
  static let longestRequest = 65536
  /// A client that has this much to read first is not asked for more.
  static let patience = 65536

  init(
    _ descriptor: consuming Descriptor, of user: UserAccount, number: UInt64, on loop: EventLoop,
    _ body: @escaping (LineConnection, Event) -> Void
  ) throws(SystemError) {
    self.number = number
    self.user = user
    self.body = body
    self.descriptor = descriptor
    watch = try EventLoop.Watch(self.descriptor, for: watched, on: loop) { [unowned self] in
      ready($0)
    }
    user.begin()
  }

  deinit {
    user.end(holding: counted)
  }

  package func begin() {
    hasBegun = true
    adjust()
  }

  /// No line is handed over before `resume`, and nothing more is read.
  package func pause() { isPaused = true }

  package func resume() {
    isPaused = false
    if watch != nil, !isHandling { readLines() }
  }

  /// Descriptors that come are kept until they are taken; without this they are closed.
  package func takeDescriptors() { descriptors = [] }

  /// The first that came and was not taken.
  package func nextDescriptor() -> ReceivedDescriptor? {
    descriptors?.isEmpty == false ? descriptors?.removeFirst() : nil
  }

  /// Bytes that what waits takes, in both directions.
  package var held: Int { input.held + output.held }

  /// Lets go of the descriptor's watch, so that nothing more comes from here.
  func stop() { watch = nil }
}

/// A descriptor that came with a line.
package final class ReceivedDescriptor {
  package let descriptor: Descriptor
  fileprivate init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }
}

// MARK: - In

extension LineConnection {
  private func ready(_ readiness: Readiness) {
    if readiness.contains(.write) { flush() }
    if readiness.contains(.read), isReading { read() }
    if !readiness.isDisjoint(with: .gone), watch != nil { body(self, .gone) }
  }

  private func read() {
    switch readBytes() {
    case .bytes: readLines()
    case .wouldBlock: break
    case .ended:
      hasFinished = true
      input.end()
      readLines()
    case .failed: body(self, .gone)
    }
  }

  private func readBytes() -> Transfer {
    guard descriptors != nil else { return input.read(from: descriptor.number) }
    return input.read(from: descriptor.number) {
      if (descriptors?.count ?? 0) < Self.mostDescriptors {
        descriptors?.append(ReceivedDescriptor($0))
      }
    }
  }

  /// As many lines as the client has room for answers to; the rest waits until it has read them.
  private func readLines() {
    while watch != nil, !isEnding, !isPaused, output.count < Self.patience {
      if let line = input.next() {
        isHandling = true
        body(self, .line(line))
        isHandling = false
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

extension LineConnection {
  /// Sends a line, or what the socket takes of it; the rest waits.
  package func send(
    _ line: UnsafeRawBufferPointer, replaceable: Int? = nil, hasPlace: Bool = false
  ) {
    guard !isEnding else { return }
    var sent = 0
    if output.isEmpty {
      sent = write(line)
      if sent == line.count { return }
    }
    output.append(Array(line), sent: sent, replaceable: replaceable, hasPlace: hasPlace)
    adjust()
  }

  package func send(_ answer: Result<JSON, Refusal>, id: JSON) {
    var line = TextBuffer()
    line.append(answer, id: id)
    send(line.bytes)
  }

  /// Forgets all that has a place in it; false where half of such a line is out already.
  package func purge() -> Bool {
    let isClean = output.removePlaces()
    // There may be room for answers again.
    if isClean { readLines() }
    return isClean
  }

  /// Tells it why, instead of all that waits, and ends.
  package func end(because line: UnsafeRawBufferPointer?) {
    guard !isEnding else { return }
    if let line {
      output.removeWhole()
      output.append(Array(line))
    }
    isEnding = true
    flush()
  }

  private func flush() {
    output.drain { write($0) }
    if isEnding, output.isEmpty {
      body(self, .gone)
    } else {
      readLines()
    }
  }

  private func write(_ bytes: UnsafeRawBufferPointer) -> Int {
    // A broken connection is noticed by its watch.
    if case .bytes(let count) = descriptor.send(bytes) { count } else { 0 }
  }

  private func adjust() {
    isReading =
      hasBegun && !hasFinished && !isEnding && !isPaused && output.count < Self.patience
    var readiness: Readiness = isReading ? .read : []
    if !output.isEmpty { readiness.insert(.write) }
    if readiness != watched {
      watched = readiness
      watch?.wait(for: readiness)
    }
    user.hold(held - counted)
    counted = held
    if !isEnding, held > user.limits.bytesPerConnection || user.held > user.limits.bytesPerUser {
      body(self, .overflowing)
    }
  }
}
