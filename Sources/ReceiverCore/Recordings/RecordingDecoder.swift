package import LocationModel

/// Reads a recording whatever it is: NMEA, gpsd's JSON, GPX, or location lines.
///
/// A recording keeps its own timestamps; what it lacks in dates `Options.dateless` gives.
package struct RecordingDecoder: ~Copyable {
  package enum Format: String, Sendable { case nmea, lines, gpx }

  /// Known from the first bytes on.
  package private(set) var format: Format?
  private var head = TextBuffer(capacity: 64)
  private var nmea: NMEADecoder
  private var lines = LinesDecoder()
  private var gpx: GPXDecoder

  /// This many characters tell the formats apart.
  private static let enough = 2

  package init(requireChecksum: Bool = false, dateless: Int) {
    gpx = GPXDecoder(dateless: dateless)
    nmea = NMEADecoder(.init(requireChecksum: requireChecksum, live: false, dateless: dateless))
  }

  package mutating func read(
    _ bytes: UnsafeRawBufferPointer, at now: Instant, into readings: inout [Reading]
  ) {
    var bytes = bytes
    if format == nil {
      while head.count < Self.enough, let byte = bytes.first {
        if head.count > 0 || !byte.isSpace && !byte.isOfMark { head.append(byte) }
        bytes = UnsafeRawBufferPointer(rebasing: bytes.dropFirst())
      }
      guard head.count == Self.enough else { return }
      begin(at: now, into: &readings)
    }
    decode(bytes, at: now, into: &readings)
  }

  /// The recording has ended.
  package mutating func flush(at now: Instant, into readings: inout [Reading]) {
    if format == nil { begin(at: now, into: &readings) }
    switch format {
    case .lines: lines.flush(into: &readings)
    case .gpx, nil: break
    case .nmea: nmea.flush(at: now, into: &readings)
    }
  }

  package var counters: ReceiverCounters {
    switch format {
    case .lines: lines.counters
    case .gpx: gpx.counters
    case .nmea, nil: nmea.counters
    }
  }

  private mutating func begin(at now: Instant, into readings: inout [Reading]) {
    format = Self.format(of: head.bytes)
    decode(head.bytes, at: now, into: &readings)
  }

  /// Noise before NMEA may begin with any byte: the second one must fit too.
  private static func format(of first: UnsafeRawBufferPointer) -> Format {
    guard first.count > 1 else { return .nmea }
    switch (first[0], first[1]) {
    case (UInt8(ascii: "{"), UInt8(ascii: "\"")): return .lines
    case (UInt8(ascii: "{"), let next) where next.isSpace: return .lines
    case (UInt8(ascii: "<"), UInt8(ascii: "?")), (UInt8(ascii: "<"), UInt8(ascii: "!")): return .gpx
    case (UInt8(ascii: "<"), UInt8(ascii: "a")...UInt8(ascii: "z")): return .gpx
    default: return .nmea
    }
  }

  private mutating func decode(
    _ bytes: UnsafeRawBufferPointer, at now: Instant, into readings: inout [Reading]
  ) {
    switch format {
    case .lines: lines.read(bytes, into: &readings)
    case .gpx: gpx.read(bytes, into: &readings)
    case .nmea, nil: nmea.read(bytes, at: now, into: &readings)
    }
  }
}

extension UInt8 {
  var isSpace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }

  /// A byte of UTF-8's byte order mark.
  fileprivate var isOfMark: Bool { self == 0xEF || self == 0xBB || self == 0xBF }
}
