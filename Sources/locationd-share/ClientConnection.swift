import LocationModel
import Platform
import ShareCore

/// A program at one of the doors: bytes in become requests, words out become bytes.
final class ClientConnection: Reader {
  enum Event {
    /// The program begins or ceases to watch.
    case watches
    case gone
    /// Too much waits for the program.
    case slow
    /// Too much waits for all programs together.
    case full
    /// The program is a browser, or another that means no receiver.
    case foreign
  }

  let number: Int64
  let door: ShareDoorKind
  private let connection: ClientSocket
  var socket: ClientSocket? { connection }
  var place: String? { nil }
  private let body: (ClientConnection, Event) -> Void
  private var watch: EventLoop.Watch?
  private var timer: EventLoop.Timer?

  private var opening = Opening()
  private var requests = GpsdRequests()
  private var session = GpsdSession(at: Clock.utc)
  private var waiting: [GpsdRequest] = []
  private var output = OutgoingQueue()
  private let backlog: Backlog
  /// The part of the backlog that waits here.
  private(set) var held = 0
  /// The program's user; nil until the daemon has told it.
  private(set) var user: UInt32?
  private let words: ReceiverWords
  /// The daemon has said who the program is, or is not there.
  private var isKnown = false
  /// The program cannot be a browser any more.
  private var isSettled = false
  private var hasGreeted = false
  private var wasWatching = false
  private var silence = Silence(at: Clock.boottime)
  private var hasFinished = false
  private var awaited = Readiness.read
  private var isEnding = false

  private static let mostWaiting = 64 << 10
  private static let mostUnread: Int32 = 4 << 10
  /// Answers that wait: the next requests are answered once these are read.
  private static let mostAnswers = 48 << 10

  init(
    _ number: Int64, _ door: ShareDoorKind, _ socket: ClientSocket, _ words: ReceiverWords,
    _ backlog: Backlog, on loop: EventLoop, _ body: @escaping (ClientConnection, Event) -> Void
  ) throws(SystemError) {
    self.number = number
    self.door = door
    self.words = words
    self.backlog = backlog
    self.body = body
    connection = socket
    socket.descriptor.limitSending(to: Self.mostUnread)
    watch = try EventLoop.Watch(socket.descriptor, for: .read, on: loop) { [unowned self] in
      ready($0)
    }
    timer = try EventLoop.Timer(slack: .milliseconds(1), on: loop) { [unowned self] in due() }
    setTimer()
  }

  var isWatching: Bool { door == .nmea ? isSettled : session.policy.isOn }

  /// Ends the connection: nothing more comes from here.
  func end() {
    isEnding = true
    watch = nil
    timer = nil
    output = OutgoingQueue()
    account()
  }

  func admit(_ access: ShareClient?) {
    let mayKnow = access?.mayKnow == true
    user = access?.uid ?? user
    let isNews = isKnown && mayKnow && !session.mayKnow
    session.mayKnow = mayKnow
    if !mayKnow { session.isCurrent = false }
    isKnown = true
    if isNews, session.wantsJSON {
      var reply = TextBuffer(capacity: 256)
      session.appendDevice(to: &reply)
      send(reply.bytes)
    }
    proceed()
  }

  func stop() {
    session.isCurrent = false
    if !output.removePlaces() { return body(self, .gone) }
    account()
  }

  func tell(_ words: ReceiverWords, _: SharedEpoch) {
    guard session.mayKnow, isWatching, hasGreeted else { return }
    session.isCurrent = true
    if door == .nmea || session.wantsNMEA { send(words.sentences, hasPlace: true) }
    if door == .gpsd, session.wantsJSON { send(words.reports, hasPlace: true) }
  }

  func tell(_ texts: borrowing HeadingWords) {
    guard session.mayKnow, isWatching, hasGreeted else { return }
    if door == .nmea || session.wantsNMEA { send(texts.sentence.bytes, hasPlace: true) }
    if door == .gpsd, session.wantsJSON { send(texts.report.bytes, hasPlace: true) }
  }

  func tellNoFix(_ words: ReceiverWords) {
    guard session.mayKnow, isWatching, hasGreeted else { return }
    if door == .nmea || session.wantsNMEA { send(words.noFixSentence) }
    if door == .gpsd, session.wantsJSON { send(words.noFixReport) }
  }
}

// MARK: - In

extension ClientConnection {
  private func ready(_ readiness: Readiness) {
    if readiness.contains(.write) { flush() }
    if readiness.contains(.read), !isEnding {
      read()
      proceed()
    }
    if !readiness.isDisjoint(with: .gone), !isEnding { body(self, .gone) }
  }

  private func read() {
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
      switch connection.descriptor.read(into: buffer) {
      case .bytes(let count): hear(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      case .wouldBlock: break
      case .ended: finish()
      case .failed: body(self, .gone)
      }
    }
  }

  /// The program asks nothing more. Like gpsd, the share answers what was asked, and that is all.
  private func finish() {
    hasFinished = true
    if requests.mayRest { requests.rest(into: &waiting) }
    isSettled = true
  }

  private func hear(_ bytes: UnsafeRawBufferPointer) {
    silence.end(at: Clock.boottime)
    opening.read(bytes)
    switch opening.verdict {
    case .foreign: return body(self, .foreign)
    case .usual: isSettled = true
    case .open: isSettled = hasGreeted
    }
    if door == .gpsd { requests.read(bytes, into: &waiting) }
  }

  private func due() {
    let now = Clock.boottime
    if silence.settles(at: now) { isSettled = true }
    if requests.mayRest, silence.endsRequest(at: now) { requests.rest(into: &waiting) }
    if silence.isTooLong(at: now, isWatching: isWatching) { return body(self, .gone) }
    proceed()
  }

  /// Answers what has been asked, once it is known who asks.
  private func proceed() {
    // Bytes that are here count before a word is said, however late the share comes to them.
    if isKnown, isSettled, !hasGreeted, !hasFinished, !isEnding { read() }
    guard !isEnding else { return }
    if isKnown, isSettled {
      if !hasGreeted, door == .gpsd {
        var greeting = TextBuffer(capacity: 512)
        greeting.appendGpsdVersion()
        send(greeting.bytes)
      }
      hasGreeted = true
      answer()
      if !isEnding, isWatching != wasWatching {
        wasWatching = isWatching
        body(self, .watches)
      }
      if hasFinished, !isEnding, waiting.isEmpty, output.isEmpty { return body(self, .gone) }
    }
    guard !isEnding else { return }
    listen()
    setTimer()
  }

  private func answer() {
    let now = Clock.utc
    while !waiting.isEmpty, !isEnding, output.count < Self.mostAnswers {
      var reply = TextBuffer(capacity: 512)
      let answered = waiting.prefix {
        if output.count + reply.count >= Self.mostAnswers { return false }
        session.answer($0, words.newest, at: now, into: &reply)
        return true
      }
      waiting.removeFirst(answered.count)
      send(reply.bytes, hasPlace: session.isCurrent)
    }
  }

  /// Hears the program once what it has asked is answered: however much it asks, little waits.
  private func listen() {
    var next: Readiness = output.isEmpty ? [] : .write
    if waiting.isEmpty, !hasFinished { next.insert(.read) }
    if next != awaited { watch?.wait(for: next) }
    awaited = next
  }

  private func setTimer() {
    timer?.set(
      silence.limit(isSettled: isSettled, mayRest: requests.mayRest, isWatching: isWatching))
  }
}

// MARK: - Out

extension ClientConnection {
  private func send(_ bytes: UnsafeRawBufferPointer, hasPlace: Bool = false) {
    guard !isEnding, bytes.count > 0 else { return }
    var sent = 0
    if output.isEmpty {
      switch connection.descriptor.send(bytes) {
      case .bytes(bytes.count): return
      case .bytes(let count): sent = count
      case .wouldBlock: break
      case .ended, .failed: return body(self, .gone)
      }
    }
    output.append(Array(bytes), sent: sent, hasPlace: hasPlace)
    account()
    guard output.count <= Self.mostWaiting else { return body(self, .slow) }
    if backlog.isFull { body(self, .full) }
    if !isEnding { listen() }
  }

  private func flush() {
    output.drain { bytes in
      if case .bytes(let count) = connection.descriptor.send(bytes) { count } else { 0 }
    }
    account()
    if output.isEmpty { proceed() }
  }

  private func account() {
    backlog.add(output.held - held)
    held = output.held
  }
}

/// The bytes that wait for all programs together.
final class Backlog {
  private var bytes = 0
  private static let most = 8 << 20

  var isFull: Bool { bytes > Self.most }
  func add(_ more: Int) { bytes += more }
}
