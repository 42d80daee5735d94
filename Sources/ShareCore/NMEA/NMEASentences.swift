package import LocationModel

// A fix and its sky in NMEA 0183, as a receiver says them. Each sentence ends with its checksum, CR and LF.
extension TextBuffer {
  /// The place first: readers take the first sentence of an epoch for its beginning.
  /// `satellites`: those to be told now, of all that are known.
  mutating func appendSentences(
    of epoch: SharedEpoch, _ satellites: [Satellite], in all: [Satellite]
  ) {
    let talker = Talker(all)
    appendRMC(epoch.fix, talker)
    appendGGA(epoch.fix, talker, used: all.count(where: \.isUsed))
    if !satellites.isEmpty {
      appendGSA(satellites, epoch.fix, talker)
      appendGSV(satellites)
    }
    appendVTG(epoch.fix, talker)
  }

  /// Says each second that there is no fix: readers see that the line lives.
  mutating func appendNoFix() {
    sentence { $0.append("GPRMC,,V,,,,,,,,,,N") }
  }

  /// True headings only.
  package mutating func appendHDT(_ heading: Heading) {
    guard let degrees = heading.trueHeading else { return }
    sentence {
      $0.append("GPHDT,")
      $0.append(fixed: degrees, places: 2)
      $0.append(",T")
    }
  }

  private mutating func appendRMC(_ fix: Fix, _ talker: Talker) {
    let location = fix.location
    sentence {
      $0.append(talker.text)
      $0.append("RMC,")
      $0.append(timeOf: location.timestamp)
      $0.append(",A,")
      $0.append(location.coordinate)
      $0.append(UInt8(ascii: ","))
      $0.append(fixed: location.speed.map { $0 * 3600 / 1852 }, places: 3)
      $0.append(UInt8(ascii: ","))
      $0.append(fixed: location.course, places: 3)
      $0.append(UInt8(ascii: ","))
      let (year, month, day) = location.timestamp.toMillisecond.date
      $0.append(magnitude: UInt64(day), digits: 2)
      $0.append(magnitude: UInt64(month), digits: 2)
      $0.append(magnitude: UInt64(year.magnitude) % 100, digits: 2)
      $0.append(",,,")
      $0.append(fix.kind.mode)
    }
  }

  private mutating func appendGGA(_ fix: Fix, _ talker: Talker, used: Int) {
    let location = fix.location
    sentence {
      $0.append(talker.text)
      $0.append("GGA,")
      $0.append(timeOf: location.timestamp)
      $0.append(UInt8(ascii: ","))
      $0.append(location.coordinate)
      $0.append(UInt8(ascii: ","))
      $0.append(fix.kind.quality)
      $0.append(UInt8(ascii: ","))
      if let used = fix.satellitesUsed ?? (used > 0 ? used : nil) {
        $0.append(magnitude: UInt64(used.magnitude), digits: 2)
      }
      $0.append(UInt8(ascii: ","))
      $0.append(fixed: fix.dilution.horizontal, places: 2)
      $0.append(UInt8(ascii: ","))
      $0.append(fixed: location.altitude, places: 3)
      $0.append(",M,")
      if let altitude = location.altitude, let ellipsoidal = location.ellipsoidalAltitude {
        $0.append(fixed: ellipsoidal - altitude, places: 3)
      }
      $0.append(",M,,")
    }
  }

  private mutating func appendVTG(_ fix: Fix, _ talker: Talker) {
    guard let speed = fix.location.speed else { return }
    sentence {
      $0.append(talker.text)
      $0.append("VTG,")
      $0.append(fixed: fix.location.course, places: 3)
      $0.append(",T,,M,")
      $0.append(fixed: speed * 3600 / 1852, places: 3)
      $0.append(",N,")
      $0.append(fixed: speed * 3.6, places: 3)
      $0.append(",K,")
      $0.append(fix.kind.mode)
    }
  }

  /// A sentence for each twelve satellites of a system that the fix rests on.
  private mutating func appendGSA(_ satellites: [Satellite], _ fix: Fix, _ talker: Talker) {
    let used = Dictionary(grouping: satellites.filter(\.isUsed)) { $0.system.talker.number }
    for (system, list) in used.sorted(by: { $0.key < $1.key }) {
      for first in stride(from: 0, to: list.count, by: 12) {
        appendGSA(list[first...].prefix(12), of: system, fix, talker)
      }
    }
  }

  private mutating func appendGSA(
    _ used: ArraySlice<Satellite>, of system: Int64, _ fix: Fix, _ talker: Talker
  ) {
    sentence {
      $0.append(talker.text)
      $0.append("GSA,A,")
      $0.append(fix.location.verticalAccuracy == nil ? "2" : "3")
      for one in used {
        $0.append(UInt8(ascii: ","))
        $0.append(magnitude: UInt64(one.numbers.nmea.magnitude), digits: 2)
      }
      for _ in used.count..<12 { $0.append(UInt8(ascii: ",")) }
      for dilution in [fix.dilution.position, fix.dilution.horizontal, fix.dilution.vertical] {
        $0.append(UInt8(ascii: ","))
        $0.append(fixed: dilution, places: 2)
      }
      guard talker == .several else { return }
      $0.append(UInt8(ascii: ","))
      $0.append(integer: system)
    }
  }

  private mutating func appendGSV(_ satellites: [Satellite]) {
    let views = Dictionary(grouping: satellites) { $0.system.talker.letter }
    for (letter, list) in views.sorted(by: {
      $0.value[0].system.talker.number < $1.value[0].system.talker.number
    }) {
      let count = (list.count + 3) / 4
      for message in 0..<count {
        sentence {
          $0.append(UInt8(ascii: "G"))
          $0.append(letter)
          $0.append("GSV,")
          $0.append(integer: Int64(count))
          $0.append(UInt8(ascii: ","))
          $0.append(integer: Int64(message + 1))
          $0.append(UInt8(ascii: ","))
          $0.append(magnitude: UInt64(list.count), digits: 2)
          for one in list.dropFirst(message * 4).prefix(4) {
            $0.append(UInt8(ascii: ","))
            $0.append(magnitude: UInt64(one.numbers.nmea.magnitude), digits: 2)
            $0.append(UInt8(ascii: ","))
            $0.append(whole: one.elevation, digits: 2)
            $0.append(UInt8(ascii: ","))
            $0.append(whole: one.azimuth, digits: 3)
            $0.append(UInt8(ascii: ","))
            $0.append(whole: one.signal, digits: 2)
          }
        }
      }
    }
  }
}

/// The talker of the sentences about a fix: GPS alone, or several systems.
private enum Talker {
  case gps, several

  init(_ satellites: [Satellite]) {
    let isAlone = satellites.allSatisfy { $0.system.talker.number == 1 }
    self = isAlone ? .gps : .several
  }

  var text: StaticString { self == .gps ? "GP" : "GN" }
}

extension Fix.Kind {
  /// The mode in RMC and VTG.
  fileprivate var mode: UInt8 {
    switch self {
    case .autonomous: UInt8(ascii: "A")
    case .differential: UInt8(ascii: "D")
    case .precise: UInt8(ascii: "P")
    case .rtkFixed: UInt8(ascii: "R")
    case .rtkFloat: UInt8(ascii: "F")
    case .estimated: UInt8(ascii: "E")
    case .manual: UInt8(ascii: "M")
    case .simulated: UInt8(ascii: "S")
    }
  }

  /// The quality in GGA.
  fileprivate var quality: StaticString {
    switch self {
    case .autonomous: "1"
    case .differential: "2"
    case .precise: "3"
    case .rtkFixed: "4"
    case .rtkFloat: "5"
    case .estimated: "6"
    case .manual: "7"
    case .simulated: "8"
    }
  }
}
