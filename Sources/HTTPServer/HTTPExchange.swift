internal import CMicrohttpd
package import Platform

package struct HTTPRequest: Sendable {
  package var method: String
  /// Without the query.
  package var path: String
  package var headers: [(name: String, value: String)] = []
  /// The query's names and values.
  package var parameters: [(name: String, value: String)] = []
  package var body: [UInt8] = []

  package init(
    method: String, path: String, headers: [(name: String, value: String)] = [],
    parameters: [(name: String, value: String)] = []
  ) {
    (self.method, self.path) = (method, path)
    (self.headers, self.parameters) = (headers, parameters)
  }

  /// The value of a header that is given once.
  package func header(_ name: String) -> String? {
    let values = values(of: name)
    return values.count == 1 ? values[0] : nil
  }

  package func values(of name: String) -> [String] {
    headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
  }

  /// A page of another site has caused it, as far as browsers say. `host`: the value of `Host`, in lower case.
  package func isForeign(to host: String) -> Bool {
    let site = "http://\(host)"
    let origins = values(of: "Origin")
    return origins.count > 1 || !origins.allSatisfy { $0 == site }
      || !values(of: "Referer").allSatisfy { $0 == site || $0.hasPrefix(site + "/") }
      || !values(of: "Sec-Fetch-Site").allSatisfy { $0 == "same-origin" || $0 == "none" }
  }
}

package struct HTTPAnswer {
  package var status: UInt32
  package var headers: [(name: String, value: String)] = []
  package var body: [UInt8] = []
  /// Instead of a body.
  package var stream: HTTPStream?

  package init(_ status: UInt32, body: [UInt8] = []) {
    self.status = status
    self.body = body
  }

  package static func status(_ status: UInt32) -> HTTPAnswer { HTTPAnswer(status) }
}

/// A request under way, answered at once or later.
package final class HTTPExchange {
  package internal(set) var request: HTTPRequest
  package let peer: ConnectionPeer

  /// Told where the client goes before there is an answer: nobody waits for one any more.
  package var gone: () -> Void = {}

  private(set) var ready: HTTPAnswer?
  private var connection: OpaquePointer?
  private var resumed: () -> Void = {}
  private var watch: EventLoop.Watch?

  init(_ request: HTTPRequest, _ peer: ConnectionPeer) {
    (self.request, self.peer) = (request, peer)
  }

  /// The first answer counts.
  package func answer(_ answer: HTTPAnswer) {
    guard ready == nil else { return }
    ready = answer
    resume()
  }

  /// The connection rests until there is an answer, or nobody who reads it.
  func rest(_ connection: OpaquePointer, on loop: EventLoop, resumed: @escaping () -> Void) {
    self.connection = connection
    self.resumed = resumed
    MHD_suspend_connection(connection)
    let number = mhd_socket(connection)
    watch = try? EventLoop.Watch(number, for: .finished, on: loop) { [unowned self] _ in
      watch = nil
      if Self.hasGone(number) { leave() }
    }
  }

  /// A program of this machine may have said all, and still read.
  private static func hasGone(_ number: Int32) -> Bool {
    let descriptor = Descriptor(owning: number)
    let peer = descriptor.connectionPeer()
    _ = descriptor.give()
    if case .here = peer { return false }
    return true
  }

  private func leave() {
    gone()
    answer(.status(503))
  }

  func resume() {
    guard let connection else { return }
    self.connection = nil
    (watch, gone) = (nil, {})
    MHD_resume_connection(connection)
    resumed()
    resumed = {}
  }
}
