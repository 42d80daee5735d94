package import LocationModel

/// The server of an uplink, and the words that it is sent.
package struct UplinkAddress: Equatable, Sendable {
  package enum Words: Equatable, Sendable {
    /// OwnTracks' JSON, a message each, to a broker or by HTTP.
    case ownTracksMQTT, ownTracksHTTP
    /// Traccar's protocol, as a query or as JSON.
    case osmAnd, osmAndJSON
    /// Our own JSON, many entries at a time, to a web server or a broker.
    case batches, batchesMQTT
    /// Overland's GeoJSON, many entries at a time.
    case overland

    package var areForBroker: Bool { self == .ownTracksMQTT || self == .batchesMQTT }
  }

  package var words: Words
  package var isSecure: Bool
  package var user: String?
  package var host: String
  package var port: Int
  /// The topic at a broker; else path and query, which begin with a slash.
  package var path: String
  /// The version of MQTT; where none is said, the newest that the broker speaks.
  package var version: MQTTVersion?

  /// As `broker.example:8883`.
  package var server: String { "\(host):\(port)" }

  /// The beginning of a web address: scheme, host and port.
  package var origin: String {
    "http\(isSecure ? "s" : "")://\(host.contains(":") ? "[\(host)]" : host):\(port)"
  }

  package init(_ text: String) throws(Unusable) {
    guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://") else {
      throw Unusable(what: "'\(text.prefix(80))' is no address: it wants SCHEME://HOST/…")
    }
    let scheme = text[..<colon].lowercased()
    guard let (words, isSecure, port) = Self.schemes[scheme] else {
      let known = Self.schemes.keys.sorted().joined(separator: ", ")
      throw Unusable(what: "there is no uplink by '\(scheme.prefix(40))'; there are \(known)")
    }
    self.words = words
    self.isSecure = isSecure
    let rest = text[colon...].dropFirst(3)
    let end = rest.firstIndex { "/?".contains($0) } ?? rest.endIndex
    var authority = rest[..<end]
    if let at = authority.lastIndex(of: "@") {
      user = String(authority[..<at])
      authority = authority[authority.index(after: at)...]
    }
    if user?.contains(":") == true {
      throw Unusable(
        what: "a password does not stand in the address: Password=@FILE says where it is")
    }
    (host, self.port) = try Self.place(authority, port)
    path = String(rest[end...])
    if words.areForBroker { try takeTopic() } else { takeFormat() }
  }

  private static let schemes: [String: (Words, Bool, Int)] = [
    "mqtt": (.ownTracksMQTT, false, 1883), "mqtts": (.ownTracksMQTT, true, 8883),
    "owntracks+http": (.ownTracksHTTP, false, 80), "owntracks+https": (.ownTracksHTTP, true, 443),
    "osmand+http": (.osmAnd, false, 5055), "osmand+https": (.osmAnd, true, 5055),
    "overland+http": (.overland, false, 80), "overland+https": (.overland, true, 443),
    "http": (.batches, false, 80), "https": (.batches, true, 443),
  ]

  /// A host and its port; an IPv6 address stands in brackets.
  private static func place(
    _ authority: Substring, _ standard: Int
  ) throws(Unusable) -> (String, Int) {
    do throws(HostPort.Fault) {
      let place = try HostPort(authority)
      return (place.host, place.port ?? standard)
    } catch {
      switch error {
      case .host: throw Unusable(what: "'\(authority.prefix(80))' is no host")
      case .port(let text):
        throw Unusable(what: "a port is a number from 1 to 65535, not '\(text.prefix(20))'")
      }
    }
  }

  /// The topic that the device's locations have; OwnTracks' own unless it is said.
  private mutating func takeTopic() throws(Unusable) {
    let parts = path.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    for option in parts.dropFirst().first?.split(separator: "&") ?? [] {
      switch option {
      case "format=owntracks": words = .ownTracksMQTT
      case "format=json": words = .batchesMQTT
      case "version=3.1.1": version = .v3
      case "version=5": version = .v5
      default:
        throw Unusable(
          what: "a broker is sent format=owntracks or json, by version=3.1.1 or version=5")
      }
    }
    let topic = (parts.first ?? "").drop { $0 == "/" }
    guard !topic.contains(where: { "+#".contains($0) }), topic.utf8.count <= 1024,
      !topic.hasSuffix("/")
    else {
      throw Unusable(what: "'\(topic.prefix(80))' is no topic of one device")
    }
    path = String(topic)
  }

  private mutating func takeFormat() {
    if words == .osmAnd, path.hasSuffix("?format=json") {
      words = .osmAndJSON
      path = String(path.dropLast("?format=json".count))
    }
    if path.first != "/" { path = "/" + path }
  }
}
