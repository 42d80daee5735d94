import HTTPServer
import LocationModel

/// One page in a browser, as long as it listens.
final class Page {
  let number: Int64
  private var told: UInt64 = 0
  /// Messages for this page alone.
  private var answers: [[UInt8]] = []
  private var waiting = 0
  /// What is being sent, and how much of it has been.
  private var message: [UInt8] = []
  private var sent = 0
  private(set) var stream: HTTPStream?

  /// A page that does not read this much of answers is no longer there.
  private static let mostWaiting = 8 << 20

  init(number: Int64) { self.number = number }

  func open(_ record: @escaping () -> PageRecord, gone: @escaping () -> Void) -> HTTPStream {
    let stream = HTTPStream(
      next: { [unowned self] in fill($0, record()) }, gone: gone)
    self.stream = stream
    answers = [Array("{\"page\":\(number)}".utf8)]
    return stream
  }

  func update() { stream?.wake() }

  func answer(_ text: [UInt8]) {
    waiting += text.count
    guard waiting <= Self.mostWaiting else {
      stream?.end()
      return
    }
    answers.append(text)
    update()
  }

  private func fill(_ buffer: UnsafeMutableRawBufferPointer, _ record: PageRecord) -> Int {
    if sent == message.count {
      guard let next = nextMessage(record) else { return 0 }
      message = Array("data: ".utf8) + next + Array("\n\n".utf8)
      sent = 0
    }
    let count = min(buffer.count, message.count - sent)
    message.withUnsafeBytes {
      buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[sent..<sent + count]))
    }
    sent += count
    if sent == message.count { (message, sent) = ([], 0) }
    return count
  }

  private func nextMessage(_ record: PageRecord) -> [UInt8]? {
    guard answers.isEmpty else {
      let answer = answers.removeFirst()
      waiting -= answer.count
      return answer
    }
    return record.message(after: &told)
  }
}

/// What the person does on a page: `{"page":N,"id":M,"wish":{…}}`.
struct PageRequest {
  let page: Int64
  /// As the parent is told it.
  let json: JSON

  init?(_ body: [UInt8]) {
    let json = body.withUnsafeBytes { try? JSON(parsing: $0) }
    guard let page = json?["page"]?.integer, let id = json?["id"]?.integer,
      let request = json?["wish"], request.members != nil
    else { return nil }
    self.page = page
    self.json = ["page": .integer(page), "id": .integer(id), "wish": request]
  }
}
