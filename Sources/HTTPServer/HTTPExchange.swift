/// The other end of a connection, as the kernel names it.
package struct HTTPPeer: Equatable, Sendable {
  /// An IPv4 address, in this machine's order of bytes.
  package var host: UInt32
  package var port: UInt16
}

package struct HTTPRequest: Sendable {
  package var method: String
  /// Without the query.
  package var path: String
  package var headers: [(name: String, value: String)] = []
  package var body: [UInt8] = []

  package init(
    method: String, path: String, headers: [(name: String, value: String)] = []
  ) {
    (self.method, self.path, self.headers) = (method, path, headers)
  }

  /// The value of a header that is given once.
  package func header(_ name: String) -> String? {
    let values = values(of: name)
    return values.count == 1 ? values[0] : nil
  }

  package func values(of name: String) -> [String] {
    headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
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
