internal import CCurl
internal import Glibc
import LocationModel
package import Platform

/// One request.
package struct HTTPRequest: Sendable {
  package var url: String
  package var headers: [(name: String, value: String)] = []
  /// Sent by POST; nil is a GET.
  package var body: [UInt8]?
  package var user: String?
  package var password: String?
  /// Files; without an authority those of the system are trusted.
  package var authority: String?
  package var certificate: String?
  package var key: String?
  package var timeout: Duration = .seconds(60)
  /// Bytes of an answer, past which it is a failure; nil where the answer is not read.
  package var longestAnswer: Int?
  /// So many redirections are followed, within the same host.
  package var redirections = 0
  /// The request asks nothing: it ends once the server is connected to, by TLS too.
  package var onlyConnects = false

  package init(_ url: String) { self.url = url }
}

package enum HTTPOutcome: Sendable {
  /// `wait`: the server's wish. `body`: empty where it was not to be read.
  case answered(status: Int, wait: Duration?, body: [UInt8])
  case failed(reason: String)
}

/// Requests by libcurl, on the loop. It keeps connections open for the next request.
package final class HTTPClient {
  private let multi: UnsafeMutableRawPointer
  private let loop: EventLoop
  private let agent: String
  private var watches: [Int32: EventLoop.Watch] = [:]
  private var timer: EventLoop.Timer?
  private var transfers: [UnsafeMutableRawPointer: Transfer] = [:]

  private static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

  /// `agent`: the program, as it is told to servers.
  package init(on loop: EventLoop, agent: String) throws(SystemError) {
    guard Self.isReady, let multi = curl_multi_init() else {
      throw SystemError("cannot make an HTTP client", ENOMEM)
    }
    self.multi = multi
    self.loop = loop
    self.agent = agent
    timer = try EventLoop.Timer(slack: .milliseconds(1), on: loop) { [unowned self] in
      act(CURL_SOCKET_TIMEOUT, 0)
    }
    let context = Unmanaged.passUnretained(self).toOpaque()
    curl_multi_on_socket(
      multi,
      { _, socket, what, context, _ in
        client(at: context)?.watch(socket, what)
        return 0
      }, context)
    curl_multi_on_timer(
      multi,
      { _, milliseconds, context in
        client(at: context)?.timer?.set(
          milliseconds < 0 ? nil : Clock.boottime + .milliseconds(milliseconds))
        return 0
      }, context)
  }

  deinit {
    for transfer in transfers.values { curl_multi_remove_handle(multi, transfer.handle) }
    watches = [:]
    timer = nil
    curl_multi_cleanup(multi)
  }

  /// Tells how it ended later, never at once, unless the client is let go of first. It may not be let go of
  /// from within `body`.
  package func send(_ request: HTTPRequest, _ body: @escaping (HTTPOutcome) -> Void) {
    guard let transfer = Transfer(request, agent, body) else {
      return body(.failed(reason: "it cannot be asked"))
    }
    transfers[transfer.handle] = transfer
    curl_multi_add_handle(multi, transfer.handle)
  }
}

// MARK: - On the loop

extension HTTPClient {
  private func watch(_ socket: Int32, _ what: Int32) {
    guard what != CURL_POLL_REMOVE else {
      watches[socket] = nil
      return
    }
    var readiness: Readiness = []
    if what & CURL_POLL_IN != 0 { readiness.insert(.read) }
    if what & CURL_POLL_OUT != 0 { readiness.insert(.write) }
    if let watch = watches[socket] { return watch.wait(for: readiness) }
    watches[socket] = try? EventLoop.Watch(socket, for: readiness, on: loop) { [unowned self] in
      var events: Int32 = 0
      if $0.contains(.read) { events |= CURL_CSELECT_IN }
      if $0.contains(.write) { events |= CURL_CSELECT_OUT }
      if !$0.isDisjoint(with: .gone) { events |= CURL_CSELECT_ERR }
      act(socket, events)
    }
  }

  private func act(_ socket: Int32, _ events: Int32) {
    var running: Int32 = 0
    curl_multi_socket_action(multi, socket, events, &running)
    var result = CURLE_OK
    while let handle = curl_multi_ended(multi, &result) {
      guard let transfer = transfers.removeValue(forKey: handle) else { continue }
      curl_multi_remove_handle(multi, handle)
      if let next = transfer.redirection(after: result) {
        send(next, transfer.body)
      } else {
        transfer.end(result)
      }
    }
  }
}

private func client(at context: UnsafeMutableRawPointer?) -> HTTPClient? {
  context.map { Unmanaged<HTTPClient>.fromOpaque($0).takeUnretainedValue() }
}

/// One request under way.
private final class Transfer {
  let handle: UnsafeMutableRawPointer
  private let headers: UnsafeMutablePointer<curl_slist>?
  let body: (HTTPOutcome) -> Void
  private let request: HTTPRequest
  private let begin = Clock.boottime
  private var received = 0
  private var answer: [UInt8] = []
  /// The cause of a failure in libcurl's words.
  private let fault = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

  /// The longest answer that is thrown away.
  private static let mostBytes = 1 << 20

  init?(
    _ request: HTTPRequest, _ agent: String, _ body: @escaping (HTTPOutcome) -> Void
  ) {
    guard let handle = curl_easy_init() else { return nil }
    self.handle = handle
    self.request = request
    self.body = body
    // Without an answer to `Expect` a large body would wait a second.
    headers = (request.headers + [("Expect", "")]).reduce(nil) {
      curl_slist_append($0, "\($1.name): \($1.value)")
    }
    fault.pointee = 0
    curl_set_fault(handle, fault)
    curl_set_number(handle, CURLOPT_CONNECT_ONLY, request.onlyConnects ? 1 : 0)
    curl_set_text(handle, CURLOPT_URL, request.url)
    curl_set_text(handle, CURLOPT_PROTOCOLS_STR, "http,https")
    curl_set_text(handle, CURLOPT_USERAGENT, agent)
    curl_set_number(handle, CURLOPT_NOSIGNAL, 1)
    curl_set_number(handle, CURLOPT_TIMEOUT_MS, Int(clamping: request.timeout.microseconds / 1000))
    curl_set_number(handle, CURLOPT_CONNECTTIMEOUT_MS, 15_000)
    curl_set_headers(handle, headers)
    request.body?.withUnsafeBytes { _ = curl_set_body(handle, $0.baseAddress, $0.count) }
    for (option, text) in [
      (CURLOPT_USERNAME, request.user), (CURLOPT_PASSWORD, request.password),
      (CURLOPT_CAINFO, request.authority), (CURLOPT_SSLCERT, request.certificate),
      (CURLOPT_SSLKEY, request.key),
    ] where text != nil {
      curl_set_text(handle, option, text)
    }
    curl_set_receiver(
      handle,
      { bytes, size, count, context in
        guard let context else { return 0 }
        let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
        return transfer.take(UnsafeRawBufferPointer(start: bytes, count: size * count))
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  deinit {
    curl_easy_cleanup(handle)
    fault.deallocate()
    curl_slist_free_all(headers)
  }

  /// Fewer than come end the transfer.
  private func take(_ bytes: UnsafeRawBufferPointer) -> Int {
    received += bytes.count
    guard received <= request.longestAnswer ?? Self.mostBytes else { return 0 }
    if request.longestAnswer != nil { answer += bytes }
    return bytes.count
  }

  /// The same request at the place where the server sends it.
  func redirection(after result: CURLcode) -> HTTPRequest? {
    guard result == CURLE_OK, request.redirections > 0, request.body == nil,
      (300..<400).contains(curl_status(handle)), let place = curl_redirect(handle),
      curl_stays(request.url, place) != 0
    else { return nil }
    var next = request
    next.url = String(cString: place)
    next.redirections -= 1
    next.timeout = max(request.timeout - (Clock.boottime - begin), .milliseconds(1))
    return next
  }

  /// A request that the server has taken is answered, whatever becomes of an answer that nobody reads.
  func end(_ result: CURLcode) {
    let isTaken = request.longestAnswer == nil && (200..<300).contains(curl_status(handle))
    guard result == CURLE_OK || isTaken else {
      let words = String(cString: fault)
      return body(
        .failed(reason: words.isEmpty ? String(cString: curl_easy_strerror(result)) : words))
    }
    let wait = curl_retry_after(handle)
    body(
      .answered(
        status: curl_status(handle), wait: wait > 0 ? .seconds(min(wait, 86_400)) : nil,
        body: answer))
  }
}
