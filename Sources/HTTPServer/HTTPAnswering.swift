internal import CMicrohttpd
internal import Platform

extension HTTPServer {
  /// Called once with the head, then with each part of the body, then with none of it, and again when there is an
  /// answer.
  func handle(
    _ connection: OpaquePointer, _ path: UnsafePointer<CChar>, _ method: UnsafePointer<CChar>,
    _ bytes: UnsafePointer<CChar>?, _ count: UnsafeMutablePointer<Int>,
    _ place: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  ) -> MHD_Result {
    guard let visitor = visitors[mhd_socket(connection)] else { return mhd_no }
    guard let pointer = place.pointee else {
      let exchange = HTTPExchange(
        HTTPRequest(
          method: String(cString: method), path: String(cString: path),
          headers: list(mhd_headers, of: connection),
          parameters: list(mhd_parameters, of: connection)), visitor.peer)
      place.pointee = Unmanaged.passRetained(exchange).toOpaque()
      let length = exchange.request.header("Content-Length").flatMap(Int.init) ?? 0
      return length > limits.body ? send(.status(413), to: connection) : mhd_yes
    }
    let exchange = Unmanaged<HTTPExchange>.fromOpaque(pointer).takeUnretainedValue()
    if count.pointee > 0 {
      guard exchange.request.body.count + count.pointee <= limits.body else { return mhd_no }
      exchange.request.body += UnsafeRawBufferPointer(start: bytes, count: count.pointee)
      count.pointee = 0
      return mhd_yes
    }
    if exchange.ready == nil {
      answer(exchange)
      if exchange.ready == nil {
        rest(exchange, connection, visitor)
        return mhd_yes
      }
    }
    allow(visitor)
    return exchange.ready.map { send($0, to: connection) } ?? mhd_no
  }

  private func rest(
    _ exchange: HTTPExchange, _ connection: OpaquePointer, _ visitor: Visitor
  ) {
    visitor.deadline = nil
    resting[ObjectIdentifier(exchange)] = exchange
    exchange.rest(connection, on: loop) { [weak self, unowned exchange] in
      self?.resting[ObjectIdentifier(exchange)] = nil
      self?.later?.set()
    }
  }

  private func list(
    _ kind: MHD_ValueKind, of connection: OpaquePointer
  ) -> [(name: String, value: String)] {
    let list = NamedValues()
    // By their sizes: a text may have a zero in it.
    MHD_get_connection_values_n(
      connection, kind,
      { context, _, name, nameSize, value, valueSize in
        guard let context, let name else { return mhd_no }
        func text(_ bytes: UnsafePointer<CChar>?, _ count: Int) -> String {
          String(decoding: UnsafeRawBufferPointer(start: bytes, count: count), as: UTF8.self)
        }
        Unmanaged<NamedValues>.fromOpaque(context).takeUnretainedValue().items.append(
          (text(name, nameSize), text(value, value == nil ? 0 : valueSize)))
        return mhd_yes
      }, Unmanaged.passUnretained(list).toOpaque())
    return list.items
  }
}

// MARK: - Answers

extension HTTPServer {
  private func send(_ answer: HTTPAnswer, to connection: OpaquePointer) -> MHD_Result {
    guard let response = response(of: answer, connection) else { return mhd_no }
    defer { MHD_destroy_response(response) }
    for (name, value) in answer.headers { MHD_add_response_header(response, name, value) }
    return MHD_queue_response(connection, answer.status, response)
  }

  private func response(of answer: HTTPAnswer, _ connection: OpaquePointer) -> OpaquePointer? {
    guard let stream = answer.stream else {
      return answer.body.withUnsafeBytes { mhd_bytes($0.baseAddress, $0.count) }
    }
    visitors[mhd_socket(connection)]?.deadline = nil
    stream.begin(
      connection, resumed: { [unowned self] in later?.set() },
      ended: { [weak self, unowned stream] in
        self?.streams[ObjectIdentifier(stream)] = nil
      })
    streams[ObjectIdentifier(stream)] = stream
    setPulse()
    return mhd_stream(
      { context, _, bytes, most in
        guard let context else { return mhd_stream_has_ended }
        return Unmanaged<HTTPStream>.fromOpaque(context).takeUnretainedValue()
          .fill(UnsafeMutableRawBufferPointer(start: bytes, count: most))
      }, Unmanaged.passRetained(stream).toOpaque(),
      { context in
        guard let context else { return }
        Unmanaged<HTTPStream>.fromOpaque(context).takeRetainedValue().finish()
      })
  }
}

private final class NamedValues {
  var items: [(name: String, value: String)] = []
}
