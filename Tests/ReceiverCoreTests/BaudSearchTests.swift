import LocationModel
import TestSupport
import Testing

@testable import ReceiverCore

/// A receiver that says the same each second at one speed, and a line that samples it at another, bit
/// by bit: one start bit, eight bits from the lowest, one stop bit, and high in between.
private struct Wire {
  private let burst: [UInt8]
  private let bit: Double
  private let phase: Double

  /// The bursts begin `phase` into each second.
  init(baud: Int, phase: Double, _ burst: [UInt8]) {
    bit = 1 / Double(baud)
    self.phase = phase
    self.burst = burst
  }

  /// Bits are numbered through all seconds; a second begins with its burst.
  private func isHigh(second: Int, bit number: Int) -> Bool {
    guard second >= 0, number < burst.count * 10 else { return true }
    let place = number % 10
    return place == 9 || place > 0 && burst[number / 10] >> UInt8(place - 1) & 1 == 1
  }

  private func place(of time: Double) -> (second: Int, bit: Int) {
    let second = (time - phase).rounded(.down)
    return (Int(second), Int((time - phase - second) / bit))
  }

  private func isHigh(_ time: Double) -> Bool {
    let (second, bit) = place(of: time)
    return isHigh(second: second, bit: bit)
  }

  /// The next moment from `time` on at which the line falls, or is low already.
  private func fall(from time: Double) -> Double {
    var (second, bit) = place(of: time)
    guard isHigh(second: second, bit: bit) else { return time }
    repeat {
      bit += 1
      if second < 0 || bit >= burst.count * 10 { (second, bit) = (second + 1, 0) }
    } while isHigh(second: second, bit: bit)
    return phase + Double(second) + Double(bit) * self.bit + self.bit * 1e-6
  }

  /// The next byte that a line at `baud` makes of it, and when it is whole. One whose stop bit is low is
  /// delivered as it is, and the low is taken for the next start.
  func next(at baud: Int, from begin: Double) -> (time: Double, byte: UInt8) {
    let step = 1 / Double(baud)
    var start = fall(from: begin)
    // A spike is no start bit.
    while isHigh(start + step / 2) { start = fall(from: start + step / 2) }
    var byte: UInt8 = 0
    for k in 0..<8 where isHigh(start + step * (Double(k) + 1.5)) { byte |= 1 << UInt8(k) }
    return (start + step * 9.5, byte)
  }
}

@Suite("The speed of a serial line") struct BaudSearchTests {
  private static let burst = Array(
    (sentence("GPRMC,120000.00,A,4500.000000,N,00700.000000,E,19.44,0.0,201126,,,A")
      + sentence("GPVTG,0.0,T,,M,19.44,N,36.0,K,A")
      + sentence("GPGGA,120000.00,4500.000000,N,00700.000000,E,1,09,0.9,240.0,M,48.0,M,,")
      + sentence("GPGSA,A,3,01,02,03,04,05,06,07,08,09,,,,1.6,0.9,1.3")
      + sentence("GPGSV,2,1,08,01,40,083,46,02,17,308,41,03,07,344,39,04,22,228,45")
      + sentence("GPGSV,2,2,08,05,40,083,46,06,17,308,41,07,07,344,39,08,22,228,45")).utf8)

  /// Searches as the owner of a line does; returns the speed found, and after how many seconds.
  private func search(
    _ wire: Wire, likely: [Int], for seconds: Double
  ) -> (speed: Int, after: Double)? {
    var search = BaudSearch(likely: likely, at: .start)
    var decoder = NMEADecoder(.init(requireChecksum: true, live: true))
    var readings: [Reading] = []
    var time = 0.0
    var speed = search.speed
    while time < seconds {
      let (moment, byte) = wire.next(at: speed, from: time)
      let deadline = search.deadline ?? .never
      let now = Boottime.start + .seconds(moment)
      guard now < deadline else {
        time = deadline.seconds(since: .start)
        _ = search.pass(at: deadline)
        speed = search.speed
        decoder = NMEADecoder(.init(requireChecksum: true, live: true))
        continue
      }
      time = moment
      let before = decoder.counters.sentences
      let verdict = withUnsafeBytes(of: byte) { bytes in
        decoder.read(
          bytes,
          at: Instant(boottime: now, utc: .epoch, utcTrusted: false),
          into: &readings)
        return search.hear(
          bytes, sentences: Int(decoder.counters.sentences - before), at: now)
      }
      if case .found = verdict { return (speed, moment) }
      if case .change = verdict {
        speed = search.speed
        decoder = NMEADecoder(.init(requireChecksum: true, live: true))
      }
    }
    return nil
  }

  @Test("each common speed is found within a round, whatever the line ran at before")
  func common() {
    for baud in BaudSearch.common {
      for (i, before) in BaudSearch.common.enumerated() {
        let wire = Wire(baud: baud, phase: Double(i) * 0.11, Self.burst)
        let found = search(wire, likely: [before], for: 14)
        #expect(found?.speed == baud, "\(baud) after \(before): \(String(describing: found))")
      }
    }
  }

  @Test("the speed that worked last is found with the first sentence")
  func remembered() throws {
    for baud in BaudSearch.common {
      let wire = Wire(baud: baud, phase: 0.4, Self.burst)
      let found = try #require(search(wire, likely: [baud, 9600], for: 4))
      #expect(found.speed == baud)
      #expect(found.after < 0.4 + 85 * 10 / Double(baud))
    }
  }

  @Test("a receiver that speaks binary between its sentences is found too")
  func binary() {
    var dice = Dice(seed: 7)
    for baud in [9600, 38400, 115_200] {
      let noise = (0..<300).map { _ in UInt8.random(in: 0...255, using: &dice) }
      let wire = Wire(baud: baud, phase: 0.3, noise + Self.burst)
      #expect(search(wire, likely: [4800], for: 60)?.speed == baud)
    }
  }

  @Test("a receiver that falls quiet keeps its speed; one that becomes noise is looked for again")
  func laterOn() {
    var search = BaudSearch(likely: [38400], at: .start)
    let noise = [UInt8](repeating: 0xF5, count: 1000)
    let now = Boottime.start + .seconds(1)
    noise.withUnsafeBytes { noise in
      #expect(search.hear(noise, sentences: 1, at: now) == .found)
      #expect(search.deadline == nil)
      #expect(search.pass(at: now + .seconds(1000)) == .stay)
      for _ in 0..<10 { #expect(search.hear(noise, sentences: 0, at: now) == .stay) }
      #expect(search.hear(noise, sentences: 1, at: now) == .stay)
      var changes = 0
      for _ in 0..<20 where search.hear(noise, sentences: 0, at: now) == .change { changes += 1 }
      #expect(changes > 0)
      #expect(!search.isFound)
    }
  }
}
