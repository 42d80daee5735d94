import HTTPServer
import LocationModel
import PlaceCore

/// Requests that are looked at: those at a name of this machine, which no page of another site has caused.
struct WebGate {
  /// Names beside those of loopback, in lower case.
  let hosts: Set<String>

  private static let loopback: Set = ["localhost", "127.0.0.1", "::1"]
  private static let longestHost = 300

  /// Nil for a request that may be answered.
  func refusal(of request: HTTPRequest) -> WebRefusal? {
    guard let host = request.header("Host")?.lowercased(), host.utf8.count <= Self.longestHost,
      let name = try? HostPort(host[...]).host,
      Self.loopback.contains(name) || hosts.contains(name)
    else {
      return WebRefusal(
        "This host is not served: HTTPHosts= in locationd-places.conf(5) names those that are.",
        status: 403)
    }
    guard !request.isForeign(to: host) else {
      return WebRefusal("Pages of other sites are not served.", status: 403)
    }
    guard request.method == "GET" || request.method == "HEAD" else {
      return WebRefusal("Only GET and HEAD are served.", status: 405)
    }
    return nil
  }
}
