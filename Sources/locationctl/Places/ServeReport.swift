import LocationModel

/// How other programs ask this machine for places over HTTP, as people read it.
enum ServeReport {
  private static let service = "locationd-places.service"
  private static let socket = "locationd-places-http.socket"
  private static let standard = "127.0.0.1:2322"

  private static func reached(_ address: String) -> String {
    for all in ["0.0.0.0:", "[::]:"] where address.hasPrefix(all) {
      return "127.0.0.1:" + address.dropFirst(all.count)
    }
    return address
  }

  /// `addresses`: those at which it is served; nil where the service of places does not answer.
  static func lines(_ addresses: [String]?) -> [String] {
    let isOn = addresses?.isEmpty == false
    let state =
      addresses.map { isOn ? "on, at \($0.joined(separator: " and "))" : "off" }
      ?? "unknown, as the service of places does not answer"
    var lines = ["Places over HTTP are \(state).", ""]
    if isOn {
      lines += [
        "  sudo systemctl disable --now \(socket)", "  sudo systemctl stop \(service)", "",
        "switch them off.",
      ]
    } else {
      lines += [
        "  sudo systemctl stop \(service)", "  sudo systemctl enable --now \(socket)", "",
        "switch them on, for the programs of this machine and nobody else.",
      ]
    }
    // All addresses of the machine are one that its own programs know.
    let server = "http://\(addresses?.first.map(reached) ?? standard)"
    return lines + [
      "Programs that know a server of these kinds are given the address:", "",
      "  Nominatim  \(server)          (/search, /reverse, /lookup)",
      "  Photon     \(server)/photon   (/api, /reverse)",
      "  OSRM       \(server)          (/route/v1/driving, foot, bike)", "",
      "  curl '\(server)/search?q=Berlin'",
      "  curl '\(server)/reverse?lat=52.52&lon=13.405'", "",
      "Containers, other addresses, and Dawarich, Traccar, QGIS and Home Assistant:",
      "see HTTP in locationd-places(8).",
    ]
  }
}
