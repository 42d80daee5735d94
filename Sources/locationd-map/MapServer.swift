import Console
import HTTPServer
import LocationModel
import Platform

/// The page's server: it tells pages what the parent tells, and the parent what the person does on a page.
final class MapServer {
  private let loop: EventLoop
  private let files: PageFiles
  private var server: HTTPServer?
  private var parent: ParentLink?
  private var gate = Gate(port: 0, token: "")
  private var record = PageRecord()
  private var pages: [Int64: Page] = [:]
  private var lastPage: Int64 = 0
  private var pictures: [String] = []

  /// As many pages as one person has open.
  private static let mostPages = 16
  private static let mostHeld = 256 << 20

  init(port: UInt16, _ files: PageFiles, on loop: EventLoop) throws(SystemError) {
    self.loop = loop
    self.files = files
    let own = Process.uid
    // A connection of another user ends unread.
    let listener = try StreamListener(address: "127.0.0.1", port: Int(port))
    server = try HTTPServer([listener], on: loop) { peer in
      if case .here(let owner) = peer { owner.uid == own } else { false }
    } answer: { [unowned self] in
      $0.answer(answer($0.request))
    }
    gate = Gate(port: listener.port, token: Gate.makeToken())
    let parent = try ParentLink(on: loop) { [unowned self] in
      receive($0)
    } end: {
      loop.stop()
    }
    self.parent = parent
    parent.send(["address": .string("http://127.0.0.1:\(listener.port)/\(gate.token)/")])
  }
}

// MARK: - The parent

extension MapServer {
  private func receive(_ message: ParentMessage) {
    switch message {
    case .set(let name, let value): record.set(name, value)
    case .add(let name, let value): record.add(name, value)
    case .answer(let page, let text): return pages[page]?.answer(text) ?? ()
    case .pictures(let servers): pictures = servers
    }
    guard record.held <= Self.mostHeld else {
      LocationdMap.complain("the parent tells more than \(Self.mostHeld >> 20) MiB")
      return loop.stop()
    }
    for page in pages.values { page.update() }
  }
}

// MARK: - Pages

extension MapServer {
  private func answer(_ request: HTTPRequest) -> HTTPAnswer {
    switch gate.judge(request) {
    case .refuse(let status): return .status(status)
    case .pass("events"): return request.method == "GET" ? open() : .status(405)
    case .pass("wish"): return request.method == "POST" ? receive(request.body) : .status(405)
    case .pass(let name):
      guard request.method != "POST" else { return .status(405) }
      guard let file = files.file(name) else { return .status(404) }
      var answer = HTTPAnswer(200, body: file.bytes)
      answer.headers = headers(file.type)
      return answer
    }
  }

  private func open() -> HTTPAnswer {
    guard pages.count < Self.mostPages else { return .status(503) }
    lastPage += 1
    let page = Page(number: lastPage)
    var answer = HTTPAnswer(200)
    answer.headers = headers("text/event-stream")
    answer.stream = page.open { [unowned self] in
      record
    } gone: { [weak self, number = lastPage] in
      self?.close(number)
    }
    pages[lastPage] = page
    parent?.send(["pages": .integer(Int64(pages.count))])
    return answer
  }

  private func close(_ number: Int64) {
    pages[number] = nil
    parent?.send(["pages": .integer(Int64(pages.count))])
  }

  private func receive(_ body: [UInt8]) -> HTTPAnswer {
    guard let request = PageRequest(body), pages[request.page] != nil else { return .status(400) }
    return .status(parent?.send(request.json) ?? false ? 204 : 503)
  }

  private func headers(_ type: String) -> [(name: String, value: String)] {
    let images = (["'self'", "data:"] + pictures).joined(separator: " ")
    let policy = [
      "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src \(images)",
      "connect-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
    ].joined(separator: "; ")
    return [
      ("Content-Type", type), ("Content-Security-Policy", policy), ("Cache-Control", "no-store"),
      ("X-Content-Type-Options", "nosniff"), ("Cross-Origin-Resource-Policy", "same-origin"),
      ("Cross-Origin-Opener-Policy", "same-origin"),
      // A server of pictures may want to know that a map asks, and learns no more.
      ("Referrer-Policy", pictures.isEmpty ? "no-referrer" : "strict-origin"),
      ("Permissions-Policy", "geolocation=(), camera=(), microphone=()"),
    ]
  }
}
