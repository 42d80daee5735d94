import LocationModel

extension Satellite {
  /// A satellite's numbers: in its own system, as NMEA writes it beside its talker, and as gpsd counts all systems.
  struct Numbers: Equatable {
    var own: Int
    var nmea: Int
    var gpsd: Int
  }

  /// Receivers write either number of a system's satellites.
  var numbers: Numbers {
    switch system {
    case .gps, .unknown: Numbers(own: number, nmea: number, gpsd: number)
    case .sbas: sbas
    case .glonass: shifted(from: [64], nmea: 64, gpsd: 64)
    case .galileo: shifted(from: [300], nmea: 0, gpsd: 300)
    case .beidou: shifted(from: [400, 200], nmea: 0, gpsd: 400)
    case .qzss: shifted(from: [192], nmea: 0, gpsd: 192)
    case .navic: Numbers(own: number, nmea: number, gpsd: number)
    }
  }

  /// 120 to 158, which NMEA writes as 33 to 64.
  private var sbas: Numbers {
    let own = number < 65 ? number + 87 : number
    return Numbers(own: own, nmea: own - 87, gpsd: own)
  }

  private func shifted(from starts: [Int], nmea: Int, gpsd: Int) -> Numbers {
    let own = number - (starts.first { number > $0 } ?? 0)
    return Numbers(own: own, nmea: own + nmea, gpsd: own + gpsd)
  }
}

extension Satellite.System {
  /// The numbers that gpsd gives the systems.
  var gnss: Int64? {
    switch self {
    case .gps: 0
    case .sbas: 1
    case .galileo: 2
    case .beidou: 3
    case .qzss: 5
    case .glonass: 6
    case .navic: 7
    case .unknown: nil
    }
  }

  /// The second letter of the talker of its sentences, and NMEA's number for it.
  var talker: (letter: UInt8, number: Int64) {
    switch self {
    case .gps, .sbas, .unknown: (UInt8(ascii: "P"), 1)
    case .glonass: (UInt8(ascii: "L"), 2)
    case .galileo: (UInt8(ascii: "A"), 3)
    case .beidou: (UInt8(ascii: "B"), 4)
    case .qzss: (UInt8(ascii: "Q"), 5)
    case .navic: (UInt8(ascii: "I"), 6)
    }
  }
}
