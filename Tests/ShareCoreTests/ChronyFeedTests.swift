import LocationModel
import Testing

@testable import ShareCore

@Suite("Samples for chrony") struct ChronyFeedTests {
  private static func fix(
    _ second: Double, late: Double? = 0.12, kind: Fix.Kind = .autonomous, simulated: Bool = false,
    source: String = "nmea:/dev/ttyUSB0"
  ) -> Fix {
    let start = 1_795_657_861_000_000.0
    var fix = Fix(
      Location(
        coordinate: Coordinate(latitude: 1, longitude: 2), horizontalAccuracy: 3,
        timestamp: Timestamp(microseconds: Int64(start + second * 1e6)), source: source,
        simulated: simulated),
      kind: kind)
    fix.received = late.map { fix.location.timestamp + .microseconds(Int64($0 * 1e6)) }
    return fix
  }

  @Test("the third good epoch in a row is the first sample, and then one a second comes")
  func pace() {
    var feed = ChronyFeed()
    let samples = (0..<50).map { feed.sample(of: Self.fix(Double($0) / 10)) }
    #expect(samples[0] == nil && samples[1] == nil && samples[2] != nil)
    #expect(samples.compactMap { $0 }.count == 5)
    #expect(abs((samples[2]?.offset ?? 0) + 0.12) < 1e-9)
    #expect(samples[2]?.moment == Self.fix(0.2).received)
  }

  @Test("recordings, fixed places, and dates that the receiver did not say give no sample")
  func refused() {
    for bad in [
      Self.fix(2, late: nil), Self.fix(2, simulated: true), Self.fix(2, kind: .estimated),
      Self.fix(2, kind: .manual), Self.fix(2, kind: .simulated),
    ] {
      var feed = ChronyFeed()
      _ = feed.sample(of: Self.fix(0))
      _ = feed.sample(of: Self.fix(1))
      #expect(feed.sample(of: bad) == nil)
      // The row counts from the beginning.
      #expect(feed.sample(of: Self.fix(3)) == nil && feed.sample(of: Self.fix(4)) == nil)
      #expect(feed.sample(of: Self.fix(5)) != nil)
    }
  }

  @Test("an epoch after a gap, or before the one before, begins the row anew")
  func gaps() {
    for start in [100.0, -5] {
      var feed = ChronyFeed()
      for second in 0..<3 { _ = feed.sample(of: Self.fix(Double(second))) }
      #expect(feed.sample(of: Self.fix(start)) == nil)
      #expect(feed.sample(of: Self.fix(start + 1)) == nil)
      #expect(feed.sample(of: Self.fix(start + 2)) != nil)
    }
  }

  @Test("another receiver's epoch begins the row anew")
  func anotherSource() {
    var feed = ChronyFeed()
    for second in 0..<3 { _ = feed.sample(of: Self.fix(Double(second))) }
    for second in 3..<5 {
      #expect(feed.sample(of: Self.fix(Double(second), source: "nmea:/dev/ttyACM0")) == nil)
    }
    #expect(feed.sample(of: Self.fix(5, source: "nmea:/dev/ttyACM0")) != nil)
  }

  @Test("a sample is the 40 bytes that chrony reads")
  func bytes() {
    let sample = ChronySample(moment: Timestamp(microseconds: 7_000_005), offset: -0.12)
    let bytes = sample.datagram
    #expect(bytes.count == 40 && bytes[0] == 7 && bytes[8] == 5)
    #expect(bytes[16..<24].elementsEqual(withUnsafeBytes(of: (-0.12).bitPattern) { Array($0) }))
    #expect(bytes[24..<36].allSatisfy { $0 == 0 } && bytes[36...].elementsEqual("KCOS".utf8))
  }
}
