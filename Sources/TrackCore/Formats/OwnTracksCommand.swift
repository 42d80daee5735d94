package import LocationModel

extension OwnTracks {
  /// A wish of the server's. https://owntracks.org/booklet/tech/json/ names more: what would show the
  /// configuration is not followed.
  package enum Command: Equatable, Sendable {
    case reportLocation, reportSteps, status, waypoints, clearWaypoints
    /// `unusable`: so many more could not be read.
    case setWaypoints([WaypointWish], unusable: Int)
    case setConfiguration([ServerSettings.Value])
  }
}

extension OwnTracks.Command {
  /// The longest message that is read.
  package static let longest = 65_536

  package init(_ bytes: [UInt8]) throws(Unusable) {
    guard bytes.count <= Self.longest else { throw .init(what: "it is longer than 64 KiB") }
    guard let json = try? bytes.withUnsafeBytes({ try JSON(parsing: $0) }) else {
      throw .init(what: "it is not JSON")
    }
    guard json["_type"]?.string == "cmd" else { throw .init(what: "it is no command") }
    switch json["action"]?.string {
    case "reportLocation": self = .reportLocation
    case "reportSteps": self = .reportSteps
    case "status": self = .status
    case "waypoints": self = .waypoints
    case "clearWaypoints": self = .clearWaypoints
    case "setWaypoints":
      // Older servers say `payload`.
      let list = (json["waypoints"] ?? json["payload"])?["waypoints"]?.array
      guard let list else { throw .init(what: "it names no waypoints") }
      guard list.count <= WaypointBook.mostOfOne else {
        throw .init(what: "it has more than \(WaypointBook.mostOfOne) waypoints")
      }
      let wishes = list.compactMap(WaypointWish.init)
      self = .setWaypoints(wishes, unusable: list.count - wishes.count)
    case "setConfiguration": self = .setConfiguration(try Self.settings(json["configuration"]))
    default: throw .init(what: "there is no such action")
    }
  }
}

extension OwnTracks.Command {
  private static let longestValue = 64

  /// By the names of the configuration's keys, as text or numbers.
  private static func settings(_ json: JSON?) throws(Unusable) -> [ServerSettings.Value] {
    guard let members = json?.members, json?["_type"]?.string == "configuration" else {
      throw .init(what: "it has no configuration")
    }
    var values: [ServerSettings.Value] = []
    for member in members where member.key != "_type" {
      guard ServerSettings.keys.contains(member.key) else {
        throw .init(what: "a server may not set '\(member.key.plain(atMost: 64))'")
      }
      let text =
        switch member.value {
        case .string(let text): text
        case .bool(let isOn): isOn ? "yes" : "no"
        case .integer, .number: member.value.text
        default: ""
        }
      guard (1...longestValue).contains(text.utf8.count),
        !values.contains(where: { $0.key == member.key })
      else { throw .init(what: "\(member.key) has no value, or two") }
      values.append(.init(key: member.key, text: text))
    }
    return values
  }
}

extension WaypointWish {
  private static let longestText = 64

  /// Nil for one that cannot be watched: a beacon, a circle without a place or a size, one that moves with
  /// the device (`+follow`, or a radius below 0).
  fileprivate init?(_ json: JSON) {
    guard json["_type"]?.string == "waypoint", json["uuid"] == nil,
      let name = Self.text(json["desc"]), !name.hasPrefix("+"),
      let latitude = json["lat"]?.double, let longitude = json["lon"]?.double,
      latitude.isFinite, longitude.isFinite, let radius = json["rad"]?.double
    else { return nil }
    let made = json["tst"]?.integer
    // The ID is missing where a server is older: then the date tells waypoints apart.
    let date = made.flatMap {
      (1...Self.latest).contains($0) ? Timestamp(microseconds: $0 * 1_000_000) : nil
    }
    guard made == nil || date?.isPlausible == true,
      let id = json["rid"] == nil ? made.map({ "\($0)" }) : Self.text(json["rid"])
    else { return nil }
    let place = Coordinate(latitude: latitude, longitude: longitude)
    // A place that is none takes the waypoint away.
    let isGone = !place.isValid
    guard isGone || radius > 0 && radius <= Region.longestRadius else { return nil }
    self.init(
      id: id, name: name, made: date, isGone ? nil : .circle(place, radius: radius))
  }

  /// The year 9999.
  private static let latest: Int64 = 253_402_300_799

  /// One plain line.
  private static func text(_ json: JSON?) -> String? {
    guard let text = json?.string, (1...longestText).contains(text.utf8.count),
      text.plain() == text
    else { return nil }
    return text
  }
}
