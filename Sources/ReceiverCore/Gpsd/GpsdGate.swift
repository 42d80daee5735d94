import LocationModel

/// The gate before libgps. It writes a report anew, from what our reader of JSON found in it: `class` first
/// and once, then the members that are asked of libgps, each of the type and size that libgps wants.
///
/// libgps is never given a line as it came. It reads half of a damaged line as a whole one, and `2x.0` as 2.
/// After a value of another type than it expects it reads the rest again, for ever where the rest has a `"class":`.
struct GpsdGate: ~Copyable {
  /// libgps has room for so many satellites.
  private let mostSatellites: Int
  /// The last report, with a NUL at its end.
  private(set) var text = TextBuffer()

  init(mostSatellites: Int) { self.mostSatellites = mostSatellites }

  mutating func write(_ report: JSON, as kind: GpsdReport.Class) {
    text.removeAll()
    text.append(#"{"class":""#)
    text.append(kind.rawValue)
    text.append(UInt8(ascii: "\""))
    for name in kind.members {
      if let value = report[name] { write(name, value) }
    }
    if kind == .sky, let satellites = report["satellites"]?.array { write(satellites) }
    text.append("}\0")
  }

  private mutating func write(_ name: String, _ value: JSON) {
    switch name {
    case "time":
      guard case .string(let time) = value, Self.isReadable(time: time) else { return }
    case "mode", "status":
      guard case .integer(let number) = value, Int32(exactly: number) != nil else { return }
    default:
      guard let number = value.double else { return }
      if case .longInteger = value { return write(name, .number(number)) }
    }
    text.append(",\"")
    text.append(name)
    text.append("\":")
    text.append(value)
  }

  /// One without a number is none: libgps does not count it, and gpsd does not say it.
  private mutating func write(_ satellites: [JSON]) {
    text.append(#","satellites":["#)
    var count = 0
    for satellite in satellites where count < mostSatellites {
      guard let number = satellite["PRN"]?.integer, (1...Int64(Int16.max)).contains(number)
      else { continue }
      text.append(count == 0 ? #"{"PRN":"# : #",{"PRN":"#)
      text.append(integer: number)
      for name in ["el", "az", "ss"] {
        if let value = satellite[name], let number = value.double, number.magnitude < 1000 {
          write(name, value)
        }
      }
      if let system = satellite["gnssid"]?.integer, (0...7).contains(system) {
        text.append(#","gnssid":"#)
        text.append(integer: system)
      }
      text.append(satellite["used"]?.bool == true ? #","used":true}"# : #","used":false}"#)
      count += 1
    }
    text.append("]")
  }

  /// libgps knows no offset, makes a date of a part of one, and is a day off before 1968. To it 1970
  /// begins with no time.
  private static func isReadable(time: String) -> Bool {
    time.utf8.count <= longestTime && time.utf8.contains(UInt8(ascii: "T"))
      && time.utf8.last == UInt8(ascii: "Z")
      && Timestamp(iso8601: time)?.microseconds ?? 0 >= 1_000_000
  }

  private static let longestTime = 40
}

extension GpsdReport.Class {
  /// The members that libgps is asked for, but for the satellites.
  fileprivate var members: [String] {
    switch self {
    case .position:
      [
        "time", "mode", "status", "lat", "lon", "altMSL", "alt", "altHAE", "eph", "epx", "epy",
        "epv", "speed", "track",
      ]
    case .sky: ["hdop", "vdop", "pdop"]
    case .noise: ["time", "rms", "major", "minor", "orient", "lat", "lon", "alt"]
    case .attitude: ["time", "heading"]
    }
  }
}
