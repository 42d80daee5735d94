import LocationClient
import LocationModel
import Platform

extension DaemonLink {
  /// The daemon answers at once, or is not waited for.
  private static let longestInquiry: Duration = .seconds(2)

  /// Tells why the daemon has no fix; nil where it has one, or cannot say.
  func askWhyNoFix(_ body: @escaping (String?) -> Void) {
    guard isAllowed, connection.descriptor != nil else { return body(nil) }
    var number: Int64?
    send { (connection) throws(ConnectionError) in number = try connection.send(.status) }
    guard let number else { return body(nil) }
    inquiries[number] = body
    patience?.set(Clock.boottime + Self.longestInquiry)
  }

  /// The next try to connect.
  var retriesAt: Boottime? { connection.retriesAt }

  func endInquiries() {
    let bodies = inquiries.values
    inquiries = [:]
    for body in bodies { body(nil) }
  }
}
