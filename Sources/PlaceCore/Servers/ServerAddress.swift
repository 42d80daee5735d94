package import LocationModel

/// The address of a web server that an administrator names, as `https://host/path`.
package struct ServerAddress: Equatable, Sendable {

  /// Without a slash at its end.
  package let url: String
  let host: String

  package init(_ text: some StringProtocol) throws(Unusable) {
    let text = String(text)
    let scheme = text.prefix { $0 != ":" }.lowercased()
    let rest = text.dropFirst(scheme.count)
    guard ["http", "https"].contains(scheme), rest.hasPrefix("://") else {
      throw Unusable(what: "a server is written http://HOST/ or https://HOST/")
    }
    let isPlain = text.utf8.allSatisfy { 0x21...0x7E ~= $0 }
    guard isPlain, text.utf8.count <= 1024, !text.contains(where: { "?#\"<>\\".contains($0) })
    else { throw Unusable(what: "the address of a server has no spaces, and no ? or #") }
    let authority = rest.dropFirst(3).prefix { $0 != "/" }
    guard !authority.contains("@") else {
      throw Unusable(what: "a password does not stand in the address of a server")
    }
    guard let place = try? HostPort(authority) else {
      throw Unusable(what: "'\(authority.prefix(80))' is no host")
    }
    host = place.host.lowercased()
    url = scheme + String(rest.reversed().drop { $0 == "/" }.reversed())
  }

  /// Whether others share it: it is neither this machine nor, by its name or number, of a private network.
  var isPublic: Bool {
    if host.contains(":") {
      let isOwn = host == "::1" || ["fe80:", "fc", "fd"].contains { host.hasPrefix($0) }
      return !isOwn
    }
    let numbers = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
    if numbers.count == 4, let first = numbers[0], let second = numbers[1], numbers[2] != nil,
      numbers[3] != nil
    {
      switch (first, second) {
      case (127, _), (10, _), (172, 16...31), (192, 168), (169, 254): return false
      default: return true
      }
    }
    let isLocal = [".localhost", ".local", ".lan", ".internal", ".home.arpa"].contains {
      host.hasSuffix($0)
    }
    return host.contains(".") && !isLocal
  }
}
