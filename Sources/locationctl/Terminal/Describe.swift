import Console
import LocationModel

/// Values as people read them.
enum Describe {
  static func place(_ coordinate: Coordinate) -> String {
    "\(degrees(coordinate.latitude, "N", "S"))  \(degrees(coordinate.longitude, "E", "W"))"
  }

  private static func degrees(_ value: Double, _ positive: String, _ negative: String) -> String {
    "\(fixed(value.magnitude, 6))° \(value < 0 ? negative : positive)"
  }

  static func metres(_ value: Double) -> String {
    switch value.magnitude {
    case 10_000...: "\(fixed(value / 1000, 1)) km"
    case 100...: "\(fixed(value, 0)) m"
    default: "\(fixed(value, 1)) m"
    }
  }

  static func speed(_ value: Double) -> String {
    "\(fixed(value, 1)) m/s  (\(fixed(value * 3.6, 0)) km/h)"
  }

  static func arrow(_ course: Double) -> String {
    ["↑", "↗", "→", "↘", "↓", "↙", "←", "↖"][octant(course)]
  }

  static func compass(_ course: Double) -> String {
    ["N", "NE", "E", "SE", "S", "SW", "W", "NW"][octant(course)]
  }

  private static func octant(_ course: Double) -> Int {
    guard course.isFinite, course.magnitude < 1e6 else { return 0 }
    return ((Int((course / 45).rounded()) % 8) + 8) % 8
  }

  static func age(_ seconds: Double) -> String {
    switch seconds {
    case ..<10: "\(fixed(seconds, 1)) s"
    case ..<120: "\(Int(seconds)) s"
    case ..<7200: "\(Int(seconds / 60)) min"
    case ..<172_800: "\(Int(seconds / 3600)) h"
    default: "\(Int(min(seconds / 86400, 1e9))) days"
    }
  }

  static func source(_ location: Location) -> String {
    let kind = kind(location.kind).map { ", \($0)" } ?? ""
    return location.source + kind + (location.simulated ? " (simulated)" : "")
  }

  /// Nil for what a receiver says.
  static func kind(_ kind: PlaceKind) -> String? {
    switch kind {
    case .receiver: nil
    case .wifi: "learnt Wi-Fi"
    case .askedNetworks: "by a server's word of the Wi-Fi networks around"
    case .askedCells: "by a server's word of the mobile cell"
    case .set: "the set place"
    case .last: "the last place"
    case .zone: "the time zone's city"
    }
  }

  /// One location as one plain line; its time only where it is not the one at which it was told.
  static func line(_ location: Location, at moment: Timestamp? = nil) -> String {
    var parts = own(location.timestamp, besides: moment)
    parts += [
      "\(fixed(location.coordinate.latitude, 6)) \(fixed(location.coordinate.longitude, 6))",
      "±\(metres(location.horizontalAccuracy))",
    ]
    if let altitude = location.altitude { parts.append("alt \(metres(altitude))") }
    if let speed = location.speed { parts.append("\(fixed(speed, 1)) m/s") }
    if let course = location.course { parts.append("\(fixed(course, 0))° \(compass(course))") }
    parts.append(source(location))
    parts.removeAll(where: \.isEmpty)
    return parts.joined(separator: "  ")
  }

  /// One heading as one plain line.
  static func line(_ heading: Heading, at moment: Timestamp? = nil) -> String {
    var parts = own(heading.timestamp, besides: moment)
    if let north = heading.trueHeading {
      parts.append("\(fixed(north, 1))° true \(compass(north))")
    }
    if let north = heading.magneticHeading { parts.append("\(fixed(north, 1))° magnetic") }
    if let accuracy = heading.accuracy { parts.append("±\(fixed(accuracy, 1))°") }
    return parts.joined(separator: "  ")
  }

  private static func own(_ timestamp: Timestamp, besides moment: Timestamp?) -> [String] {
    if let moment, (timestamp - moment).magnitude < .seconds(1) { return [] }
    return [time(timestamp)]
  }

  /// For people at a terminal, as their clock shows it; for pipes and files as everywhere.
  static func time(_ timestamp: Timestamp) -> String {
    Terminal.isOutput ? localTime(timestamp) : universalTime(timestamp)
  }

  static func localTime(_ timestamp: Timestamp) -> String {
    LocalTime.text(timestamp, "%Y-%m-%d %H:%M:%S %Z") ?? universalTime(timestamp)
  }

  static func universalTime(_ timestamp: Timestamp) -> String {
    var text = TextBuffer()
    text.append(timestamp)
    return String(decoding: text.bytes, as: UTF8.self)
  }

  /// With exactly so many decimals, so that columns stand still.
  static func fixed(_ value: Double, _ places: Int) -> String {
    var text = TextBuffer()
    text.append(decimal: value, places: places)
    let result = String(decoding: text.bytes, as: UTF8.self)
    guard places > 0, value.isFinite else { return result }
    let decimals = result.firstIndex(of: ".").map { result[$0...].count - 1 }
    return result + (decimals == nil ? "." : "")
      + String(repeating: "0", count: max(0, places - (decimals ?? 0)))
  }
}
