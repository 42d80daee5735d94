import Glibc
import LocationModel
import TestSupport
import Testing

@testable import ReceiverCore

/// No stream does harm: no crash, no growth, and no place out of nothing.
@Suite(.serialized) struct NMEAHostileTests {
  /// Decodes, and checks of every fix that a whole believed sentence of the stream says its place.
  private func places(_ bytes: [UInt8], live: Bool = false) -> [Fix] {
    var receiver = live ? Receiver(liveAt: "2025-06-15T12:00:00Z") : Receiver(requireChecksum: true)
    receiver.hear(bytes)
    receiver.flush()
    for fix in receiver.fixes { #expect(fix.location.isValid) }
    return receiver.fixes
  }

  /// The sentences of a stream whose checksum holds, found in the plainest way.
  private func believable(_ bytes: [UInt8]) -> Set<[UInt8]> {
    var all: Set<[UInt8]> = []
    for start in bytes.indices where bytes[start] == UInt8(ascii: "$") {
      var sum: UInt8 = 0
      var at = start + 1
      while at < bytes.count, bytes[at] != UInt8(ascii: "*"), bytes[at] != UInt8(ascii: "$"),
        (0x20..<0x80).contains(bytes[at])
      {
        sum ^= bytes[at]
        at += 1
      }
      guard at + 2 < bytes.count, bytes[at] == UInt8(ascii: "*"),
        UInt8(String(decoding: bytes[at + 1...at + 2], as: UTF8.self), radix: 16) == sum
      else { continue }
      all.insert(Array(bytes[start + 1..<at]))
    }
    return all
  }

  @Test func everyByteValueIsPassedOver() {
    var dice = Dice(seed: 2)
    let noise = (0..<1_000_000).map { _ in UInt8.random(in: .min ... .max, using: &dice) }
    #expect(places(Array(0...255)).isEmpty)
    #expect(places(noise).isEmpty)
    #expect(places(noise, live: true).isEmpty)
  }

  @Test(arguments: [
    ("a", 64), ("$GPGGA,", 64), ("$", 4), ("$$$$", 4), ("$GPGGA,120000*", 4), ("*", 4),
    ("\u{0}", 4), ("$\u{0}", 4),
  ])
  func megabytesWithoutALineCostNoMemory(pattern: String, megabytes: Int) {
    let block = Array(String(repeating: pattern, count: (1 << 18) / pattern.utf8.count).utf8)
    var receiver = Receiver(requireChecksum: false)
    receiver.hear(block)
    // Other tests of this process take memory too: what grows would grow each time.
    let stayed = (0..<8).contains { _ in
      let before = Self.residentKilobytes
      for _ in 0..<megabytes * 4 { receiver.hear(block) }
      return Self.residentKilobytes - before < 4096
    }
    #expect(stayed)
    receiver.flush()
    #expect(receiver.fixes.isEmpty)
    // And it is none the worse for it.
    receiver.hear("\r\n")
    receiver.say("GPGLL,5000.0,N,00800.0,E,120000,A,A")
    receiver.flush()
    #expect(receiver.fixes.count == 1)
  }

  @Test func aYearOfEpochsCostsNoMemory() {
    var receiver = Receiver(liveAt: "2025-06-15T12:00:00Z")
    let bytes = Recordings.bytes("ublox-neo-m9n-nmea.nmea")
    receiver.hear(bytes)
    // Other tests of this process take memory too: what grows would grow each time.
    let stayed = (0..<4).contains { _ in
      let before = Self.residentKilobytes
      for _ in 0..<25 {
        receiver.readings.removeAll(keepingCapacity: true)
        receiver.hear(bytes)
      }
      return Self.residentKilobytes - before < 4096
    }
    #expect(stayed)
  }

  @Test(arguments: Recordings.names)
  func flippedBitsAndCutsMakeNoPlaces(name: String) {
    let bytes = Recordings.bytes(name + ".nmea")
    guard !bytes.isEmpty else { return }
    let whole = believable(bytes)
    var dice = Dice(seed: 3)
    for _ in 0..<20 {
      var damaged = bytes
      for _ in 0..<(1 + bytes.count / 500) {
        let at = Int.random(in: damaged.indices, using: &dice)
        switch Int.random(in: 0..<3, using: &dice) {
        case 0: damaged[at] ^= 1 << UInt8.random(in: 0..<8, using: &dice)
        case 1: damaged.removeSubrange(at..<min(at + 40, damaged.count))
        default: damaged.insert(UInt8.random(in: .min ... .max, using: &dice), at: at)
        }
        if damaged.isEmpty { break }
      }
      // Two flips in one sentence may cancel out in its checksum: what is said then is not to blame.
      let said = believable(damaged)
      if said.isSubset(of: whole) {
        let known = Set(places(bytes).map(\.location.coordinate.rounded))
        let found = Set(places(damaged).map(\.location.coordinate.rounded))
        #expect(found.isSubset(of: known.union(Self.coordinates(of: said))))
      } else {
        _ = places(damaged)
      }
    }
  }

  /// A slice of what `Tests/Fuzz` does for hours.
  @Test func sentencesMadeUpOfAnythingAreBorneHoweverTheyAreCut() {
    let addresses = [
      "GPRMC", "GPGGA", "GNGNS", "GPGLL", "GPVTG", "GPGSA", "GPGSV", "GPGST", "GPGBS", "GPZDA",
      "HEHDT",
      "HCHDG", "HCHDM", "PGRME", "PUBX,00", "PASHR,POS", "PASHR", "PSRFEPE", "", "GP",
    ]
    let fields = [
      "", "0", "1", "2", "8", "A", "V", "N", "E", "W", "M", "T", "120000", "120000.5", "120001",
      "235960",
      "000000", "150625", "010180", "5000.0", "-5000.0", "9000.0", "00800.0", "18000.0", "1e5",
      "nan",
      "99999999999999999999", "-1", ".", "0.9", "2025", "15", "06", "G3", "AN", "x y",
    ]
    var dice = Dice(seed: 4)
    for _ in 0..<200 {
      var text = ""
      for _ in 0..<30 {
        var body = addresses.randomElement(using: &dice) ?? ""
        for _ in 0..<Int.random(in: 0..<16, using: &dice) {
          body += "," + (fields.randomElement(using: &dice) ?? "")
        }
        text += Bool.random(using: &dice) ? sentence(body) : "$\(body)\r\n"
      }
      let bytes = Array(text.utf8)
      let whole = decode(bytes).readings
      #expect(whole == decode(bytes, by: Int.random(in: 1..<40, using: &dice)).readings)
      for case .fix(let fix) in whole { #expect(fix.location.isValid) }
      _ = places(bytes, live: true)
    }
  }

  @Test func numbersOfAnyLengthAreBorne() {
    let digits = String(repeating: "9", count: 300)
    for number in [
      digits, "-" + digits, "0." + digits, "." + digits, digits + "." + digits, "-", "+", ".",
    ] {
      for field in 1..<15 {
        var fields = [
          "120000", "5000.0", "N", "00800.0", "E", "1", "08", "0.9", "1", "M", "2", "M", "", "",
        ]
        fields[field - 1] = number
        for address in [
          "GPGGA", "GPRMC", "GPGST", "GPZDA", "GPGSA", "PUBX", "PASHR", "GPHDG", "GPVTG",
        ] {
          _ = places(Array(sentence(address + "," + fields.joined(separator: ",")).utf8))
        }
      }
    }
  }

  /// Each place that one of these sentences says, by itself.
  private static func coordinates(of sentences: Set<[UInt8]>) -> [Rounded] {
    sentences.flatMap { body -> [Rounded] in
      var receiver = Receiver()
      receiver.hear(sentence(String(decoding: body, as: UTF8.self)))
      receiver.flush()
      return receiver.fixes.map(\.location.coordinate.rounded)
    }
  }

  private static var residentKilobytes: Int {
    var usage = rusage()
    getrusage(RUSAGE_SELF.rawValue, &usage)
    return usage.ru_maxrss
  }
}

private struct Rounded: Hashable {
  var latitude: Int
  var longitude: Int
}

extension Coordinate {
  fileprivate var rounded: Rounded {
    Rounded(latitude: Int(latitude * 1e7), longitude: Int(longitude * 1e7))
  }
}
