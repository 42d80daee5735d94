/// A satellite that a receiver sees.
package struct Satellite: Equatable, Sendable {
  package enum System: String, CaseIterable, Sendable {
    case gps = "GPS"
    case sbas = "SBAS"
    case galileo = "Galileo"
    case beidou = "BeiDou"
    case qzss = "QZSS"
    case glonass = "GLONASS"
    case navic = "NavIC"
    case unknown = "?"
  }

  package var system: System
  package var number: Int
  /// Degrees above the horizon, and from north.
  package var elevation: Double?
  package var azimuth: Double?
  /// dB-Hz; nil where it is not heard.
  package var signal: Double?
  /// Whether the fix rests on it.
  package var isUsed: Bool

  package init(
    _ system: System, _ number: Int, elevation: Double? = nil, azimuth: Double? = nil,
    signal: Double? = nil, isUsed: Bool = false
  ) {
    self.system = system
    self.number = number
    // A receiver may say anything.
    self.elevation = elevation.flatMap { (-90...90).contains($0) ? $0 : nil }
    self.azimuth = azimuth.flatMap { (0...360).contains($0) ? $0 : nil }
    self.signal = signal.flatMap { $0 > 0 && $0 < 1000 ? $0 : nil }
    self.isUsed = isUsed
  }
}

extension Satellite.System {
  /// By gpsd's number for it. 0 is GPS, and what libgps has where gpsd says none: then the satellite's number
  /// tells.
  package init(gnss: Int, number: Int) {
    let known: [Int: Self] = [
      1: .sbas, 2: .galileo, 3: .beidou, 5: .qzss, 6: .glonass, 7: .navic,
    ]
    self = gnss == 0 ? Self(number: number) : known[gnss] ?? .unknown
  }

  /// NMEA's numbers, which the systems share out among themselves.
  package init(number: Int) {
    switch number {
    case 1...32: self = .gps
    case 33...64, 120...158: self = .sbas
    case 65...99: self = .glonass
    case 193...202: self = .qzss
    case 201...264, 401...437: self = .beidou
    case 301...336: self = .galileo
    default: self = .unknown
    }
  }

  /// By the second letter of a talker that speaks of its own satellites.
  package init?(talker: UInt8) {
    switch talker {
    case UInt8(ascii: "P"): self = .gps
    case UInt8(ascii: "L"): self = .glonass
    case UInt8(ascii: "A"): self = .galileo
    case UInt8(ascii: "B"), UInt8(ascii: "D"): self = .beidou
    case UInt8(ascii: "Q"): self = .qzss
    case UInt8(ascii: "I"): self = .navic
    default: return nil
    }
  }
}

extension Satellite {
  package var json: JSON {
    [
      "system": .string(system.rawValue), "number": .integer(Int64(number)),
      "elevation": elevation.map(JSON.number), "azimuth": azimuth.map(JSON.number),
      "signal": signal.map(JSON.number), "used": .bool(isUsed),
    ]
  }

  package init?(_ json: JSON) {
    guard let system = json["system"]?.string.flatMap(System.init(rawValue:)),
      let number = json["number"]?.integer.flatMap({ Int(exactly: $0) })
    else { return nil }
    self.init(
      system, number, elevation: json["elevation"]?.double, azimuth: json["azimuth"]?.double,
      signal: json["signal"]?.double, isUsed: json["used"]?.bool ?? false)
  }
}
