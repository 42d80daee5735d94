import LocationModel

/// Servers that places.conf names, while the unit of locationd-places reaches no network.
struct ServerReach {
  private let machine: Machine

  init(_ machine: Machine = Machine()) { self.machine = machine }

  static let file = "/etc/locationd/places.conf"
  private static let unit = "locationd-places.service"
  private static let units = ["/usr/lib/systemd/system", "/lib/systemd/system"]

  /// The trouble, and the words to type; nil where there is none.
  var trouble: (text: String, remedy: String)? {
    guard Self.units.contains(where: { machine.exists("\($0)/\(Self.unit)") }),
      let (key, host) = servers.first, !isOpen
    else { return nil }
    let isNumber = host.contains(":") || host.allSatisfy { $0 == "." || $0.isNumber }
    let isThis = host == "localhost" || host == "127.0.0.1" || host == "::1"
    let addresses =
      isThis
      ? "127.0.0.2, where the server is to listen, as gpsd is at 127.0.0.1"
      : isNumber ? host : "the addresses of \(host) and of the name server\(nameServers)"
    return (
      "places.conf names a server, under \(key)=, and the unit of locationd-places reaches no network",
      "'sudo systemctl edit locationd-places', and there the line [Service] and below it IPAddressAllow="
        + " with \(addresses); then 'sudo systemctl restart locationd-places', see"
        + " locationd-places.conf(5), under NETWORK"
    )
  }

  /// The keys of servers, and their hosts.
  private var servers: [(key: String, host: String)] {
    let texts = [machine.text(Self.file)] + machine.texts(in: Self.file + ".d", ending: ".conf")
    return texts.compactMap(\.self).flatMap { $0.split(separator: "\n") }.compactMap { line in
      let parts = line.split(separator: "=", maxSplits: 1).map { $0.filter { $0 != " " } }
      guard parts.count == 2, ["Geocoder", "Router", "Locator"].contains(parts[0]),
        let start = parts[1].firstRange(of: "://")?.upperBound
      else { return nil }
      let authority = parts[1][start...].prefix { $0 != "/" }
      return (parts[0], (try? HostPort(authority))?.host ?? String(authority))
    }
  }

  /// A server is asked where networks and cells are.
  var namesLocator: Bool { servers.contains { $0.key == "Locator" } }

  /// A drop-in lets the unit reach something.
  private var isOpen: Bool {
    ["/etc", "/run", "/usr/lib", "/lib"].contains { place in
      machine.texts(in: "\(place)/systemd/system/\(Self.unit).d", ending: ".conf").contains {
        $0.split(separator: "\n").contains { $0.hasPrefix("IPAddressAllow=") }
      }
    }
  }

  private var nameServers: String {
    let lines = (machine.text("/etc/resolv.conf") ?? "").split(separator: "\n")
    let servers = lines.compactMap { line -> Substring? in
      let words = line.split(whereSeparator: \.isWhitespace)
      return words.count > 1 && words[0] == "nameserver" ? words[1] : nil
    }
    return servers.isEmpty ? "" : " (\(servers.prefix(3).joined(separator: ", ")))"
  }
}

extension ServerReach {
  /// Lines for a status; none where nothing is wrong.
  var lines: [String] { trouble.map { ["", "\($0.text): \($0.remedy)"] } ?? [] }
}
