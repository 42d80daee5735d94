import LocationModel
import TestSupport
import Testing

@testable import ReceiverCore

/// Decodes a whole recording, in pieces of some bytes.
func decode(_ bytes: [UInt8], by piece: Int = 65_536, date: (Int, Int, Int) = (2020, 1, 1))
  -> (readings: [Reading], counters: ReceiverCounters)
{
  var decoder = RecordingDecoder(
    dateless: Timestamp.days(year: date.0, month: date.1, day: date.2))
  let now = Instant(boottime: .start, utc: .epoch, utcTrusted: false)
  var readings: [Reading] = []
  for start in stride(from: 0, to: bytes.count, by: piece) {
    Array(bytes[start..<min(start + piece, bytes.count)]).withUnsafeBytes {
      decoder.read($0, at: now, into: &readings)
    }
  }
  decoder.flush(at: now, into: &readings)
  return (readings, decoder.counters)
}

func decode(_ text: String, by piece: Int = 65_536) -> [Reading] {
  decode(Array(text.utf8), by: piece).readings
}

/// The fixes of readings as lines of JSON.
func lines(_ readings: [Reading]) -> String {
  var buffer = TextBuffer()
  for case .fix(let fix) in readings {
    buffer.append(fix.location)
    buffer.append(UInt8(ascii: "\n"))
  }
  return String(decoding: buffer.bytes, as: UTF8.self)
}

@Suite struct RecordingDecoderTests {
  @Test(arguments: Recordings.names)
  func aRecordingOfARealReceiverDecodesToWhatLiesBesideIt(name: String) {
    let expected = String(decoding: Recordings.bytes(name + ".jsonl"), as: UTF8.self)
    let bytes = Recordings.bytes(name + ".nmea")
    #expect(!bytes.isEmpty)
    #expect(lines(decode(bytes).readings) == expected)
    #expect(lines(decode(bytes, by: 61).readings) == expected)
  }

  @Test func thereAreRecordings() {
    #expect(Recordings.names.count >= 30)
  }

  @Test(arguments: ["", "\u{FEFF}", "\r\n\n ", "\u{FEFF}\n"])
  func theFormatIsKnownByTheFirstBytes(before: String) {
    let nmea = before + sentence("GPGLL,5000.0,N,00800.0,E,120000,A,A")
    let line = before + #"{"latitude":1,"longitude":2,"horizontalAccuracy":3,"timestamp":4}"#
    let spaced =
      before + #"{ "class":"TPV","mode":2,"lat":1,"lon":2,"time":"2025-06-15T12:00:00Z"}"#
    let gpx =
      before + "<gpx><trkpt lat='1' lon='2'><time>2025-06-15T12:00:00Z</time></trkpt></gpx>"
    for text in [nmea, line, spaced, gpx] {
      for piece in [1, 3, 1000] {
        #expect(decode(text, by: piece).count == 1, "\(text)")
      }
    }
  }

  @Test(arguments: ["{\u{1}\u{2}", "<\u{1}<", "xx{\"", "#a comment\n"])
  func noiseBeforeNMEAMayLookLikeSomethingElse(noise: String) {
    #expect(decode(noise + sentence("GPGLL,5000.0,N,00800.0,E,120000,A,A")).count == 1)
  }

  @Test(arguments: ["", "\n", "{", "<", "$", "{\"", "<?", "<gpx", "\u{FEFF}"])
  func nothingIsNothing(text: String) {
    #expect(decode(text).isEmpty)
  }

  @Test func whatDecodeWritesReplayReads() {
    let readings = decode(Recordings.bytes("isync.nmea")).readings
    let text = lines(readings)
    #expect(lines(decode(text)) == text)
  }
}
