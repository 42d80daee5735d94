import Console
import Glibc
import LocationModel
import Platform

/// What the parent tells. Values are passed on to pages, unread.
enum ParentMessage: Equatable {
  case set(String, [UInt8])
  case add(String, [UInt8])
  /// The whole message, for one page.
  case answer(page: Int64, [UInt8])
  /// Servers of pictures, which the page may ask.
  case pictures([String])

  init?(_ line: LineBuffer.Line) {
    guard case .text(let text) = line, let members = UnreadObject(text) else { return nil }
    func read(_ key: String) -> JSON? { members[key].flatMap { try? JSON(parsing: $0) } }
    let value = members["value"]
    if let name = read("set")?.string, let value {
      self = .set(name, Array(value))
    } else if let name = read("add")?.string, let value {
      self = .add(name, Array(value))
    } else if let page = read("to")?.integer, let id = read("id")?.integer, let value {
      self = .answer(
        page: page, Array("{\"id\":\(id),\"value\":".utf8) + value + [UInt8(ascii: "}")])
    } else if let servers = read("pictures")?.array?.compactMap(\.string), servers.count <= 16,
      servers.allSatisfy(Self.isServer)
    {
      self = .pictures(servers)
    } else {
      return nil
    }
  }

  /// `https://HOST[:PORT]`, and nothing that would mean more in a policy.
  private static func isServer(_ text: String) -> Bool {
    text.wholeMatch(of: #/https?://[A-Za-z0-9.-]+(:[0-9]{1,5})?/#) != nil
  }
}

/// The parent: lines of JSON from standard input, and to standard output. Its end is the end of the program.
final class ParentLink {
  private var reading: EventLoop.Watch?
  private var writing: EventLoop.Watch?
  private var input = LineBuffer(longest: ParentLink.longestLine)
  private let inputEnd = Descriptor(owning: dup(STDIN_FILENO))
  private let outputEnd = Descriptor(owning: dup(STDOUT_FILENO))
  private var output = OutgoingQueue()
  private let receive: (ParentMessage) -> Void
  private let end: () -> Void

  private static let longestLine = 64 << 20
  /// Of what the parent does not read so much waits.
  private static let mostWaiting = 1 << 20

  init(
    on loop: EventLoop, receive: @escaping (ParentMessage) -> Void, end: @escaping () -> Void
  ) throws(SystemError) {
    self.receive = receive
    self.end = end
    outputEnd.forgoWaiting()
    reading = try EventLoop.Watch(inputEnd, for: .read, on: loop) { [unowned self] _ in read() }
    writing = try EventLoop.Watch(outputEnd, for: [], on: loop) { [unowned self] in
      if $0.contains(.write) { flush() } else { self.end() }
    }
  }

  private func read() {
    switch input.read(from: inputEnd.number, atMost: 65536) {
    case .bytes: while let line = input.next() { read(line) }
    case .wouldBlock: break
    case .ended, .failed: end()
    }
  }

  private func read(_ line: LineBuffer.Line) {
    guard let message = ParentMessage(line) else {
      return LocationdMap.complain("a line on standard input says nothing that is known")
    }
    receive(message)
  }

  /// False, and nothing said, where too much waits already.
  @discardableResult
  func send(_ json: JSON) -> Bool {
    guard output.count < Self.mostWaiting else { return false }
    output.append(Array(json.text.utf8) + [0x0A])
    flush()
    return true
  }

  private func flush() {
    output.drain { if case .bytes(let count) = outputEnd.write($0) { count } else { 0 } }
    writing?.wait(for: output.isEmpty ? [] : .write)
  }
}
