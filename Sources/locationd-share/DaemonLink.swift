import LocationModel
import Platform
import ShareCore

/// The connection to locationd, made again whenever it is lost.
final class DaemonLink {
  enum Event {
    case opened
    case welcomed(client: Int64, Result<ShareClient, Refusal>)
    case told(ShareNotice)
    case lost
  }

  private final class Stream {
    let descriptor: Descriptor
    init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }
  }

  private let path: String
  private let loop: EventLoop
  private let log: Log
  private let body: (Event) -> Void
  private var watch: EventLoop.Watch?
  private var stream: Stream?
  private var retry: EventLoop.Timer?
  private var input = LineBuffer(longest: 1 << 20)
  private var requests = RequestQueue<ClientSocket>()
  /// The rest of the line that is sent now, with the connection that it hands over.
  private var current: (line: [UInt8], socket: ClientSocket?)?
  private var lastID: Int64 = 0
  /// Clients whose introduction has not been answered.
  private var introduced: [Int64: Int64] = [:]
  private var trouble: String?

  private static let pause: Duration = .milliseconds(500)
  private static let atOnce = 65536
  /// The kernel holds less.
  private static let mostReads = 16

  init(
    at path: String, on loop: EventLoop, _ log: Log, _ body: @escaping (Event) -> Void
  ) throws(SystemError) {
    self.path = path
    self.loop = loop
    self.log = log
    self.body = body
    retry = try EventLoop.Timer(slack: .milliseconds(100), on: loop) { [unowned self] in open() }
  }

  var isOpen: Bool { stream != nil }

  func open() {
    do throws(SystemError) {
      let stream = Stream(try .connected(to: path))
      watch = try EventLoop.Watch(stream.descriptor, for: .read, on: loop) { [unowned self] in
        ready($0)
      }
      self.stream = stream
      if trouble != nil { log.notice("locationd is there") }
      trouble = nil
      body(.opened)
    } catch {
      lose("locationd is not there: \(error)")
    }
  }

  /// A client's connection is handed over; without one it is an administrator's line.
  func introduce(
    _ client: Int64, _ door: ShareDoorKind, place: String?, _ socket: ClientSocket?
  ) {
    send(.client(client, door, place: place), socket)
  }

  func watch(_ client: Int64, isOn: Bool) { send(.watch(client, isOn: isOn)) }
  func close(_ client: Int64, isSlow: Bool) { send(.close(client, isSlow: isSlow)) }

  private func send(_ request: ShareRequest, _ socket: ClientSocket? = nil) {
    guard isOpen else { return }
    requests.append(request, with: socket)
    // A daemon that has no room says when it has.
    if current == nil { flush() }
  }

  private func line(of request: ShareRequest) -> [UInt8] {
    lastID += 1
    if case .client(let client, _, _) = request { introduced[lastID] = client }
    var line = TextBuffer()
    line.append(request.line(id: .integer(lastID)))
    line.append("\n")
    return Array(line.bytes)
  }

  private func flush() {
    while let stream {
      if current == nil {
        current = requests.next().map { (line(of: $0.request), $0.connection) }
      }
      guard let first = current else { break }
      let transfer = first.line.withUnsafeBytes { bytes in
        if let socket = first.socket {
          stream.descriptor.send(bytes, with: socket.descriptor)
        } else {
          stream.descriptor.send(bytes)
        }
      }
      switch transfer {
      case .bytes(let count):
        // The descriptor has gone with the first bytes.
        let rest = Array(first.line.dropFirst(count))
        current = nil
        if !rest.isEmpty { current = (rest, nil) }
      case .wouldBlock: return watch?.wait(for: [.read, .write]) ?? ()
      case .ended, .failed: return lose("locationd is lost")
      }
    }
    watch?.wait(for: .read)
  }

  private func ready(_ readiness: Readiness) {
    if readiness.contains(.write) { flush() }
    guard readiness.contains(.read), let stream else { return }
    // A revocation that is here counts before what was told ahead of it.
    for _ in 0..<Self.mostReads {
      switch input.read(from: stream.descriptor.number, atMost: Self.atOnce) {
      case .bytes(Self.atOnce): continue
      case .bytes, .wouldBlock: return readLines()
      case .ended, .failed:
        readLines()
        if isOpen { lose("locationd is lost") }
        return
      }
    }
    readLines()
  }

  private func readLines() {
    var lines: [(json: JSON, notice: ShareNotice?)] = []
    while let line = input.next() {
      guard case .text(let text) = line, let json = try? JSON(parsing: text) else {
        return lose("locationd says what this program does not understand")
      }
      lines.append((json, ShareNotice(json)))
    }
    let revoked = Set(lines.compactMap { $0.notice?.revoked })
    for (json, notice) in lines where isOpen {
      if let notice {
        body(.told(notice.withoutPlace(for: revoked)))
      } else if let id = json["id"]?.integer {
        conclude(id, json)
      } else if let error = json["error"] {
        lose("locationd hangs up: \(error["message"]?.string ?? "")")
      }
    }
  }

  private func conclude(_ id: Int64, _ json: JSON) {
    guard let client = introduced.removeValue(forKey: id) else { return }
    if let result = json["result"],
      case .client(let access)? = try? ShareRequest.client(client, .gpsd, place: nil).reply(result)
    {
      body(.welcomed(client: client, .success(access)))
    } else {
      let why = json["error"]?["message"]?.string ?? "locationd gave no reason"
      body(.welcomed(client: client, .failure(Refusal(.denied, why))))
    }
  }

  private func lose(_ why: String) {
    watch = nil
    stream = nil
    input = LineBuffer(longest: 1 << 20)
    requests = RequestQueue()
    current = nil
    introduced = [:]
    if trouble != why { log.warning("\(why); it is tried again and again") }
    trouble = why
    retry?.set(Clock.boottime + Self.pause)
    body(.lost)
  }
}
