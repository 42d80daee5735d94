import LocationModel

@testable import ReceiverCore

/// A receiver under test: what it says goes into a decoder, at a clock in the test's hand.
struct Receiver: ~Copyable {
  var decoder: NMEADecoder
  var readings: [Reading] = []
  var now: Instant

  /// A recording: nothing depends on the clock.
  init(requireChecksum: Bool = false, dateless day: (Int, Int, Int) = (2020, 1, 1)) {
    let dateless = Timestamp.days(year: day.0, month: day.1, day: day.2)
    decoder = NMEADecoder(
      .init(requireChecksum: requireChecksum, live: false, dateless: dateless))
    now = Instant(boottime: .start, utc: .epoch, utcTrusted: false)
  }

  /// A live receiver, while the system's clock says `utc`.
  init(liveAt utc: String, trusted: Bool = true) {
    decoder = NMEADecoder(.init(requireChecksum: true, live: true))
    let utc = Timestamp(iso8601: utc) ?? .epoch
    now = Instant(boottime: .start + .seconds(1000), utc: utc, utcTrusted: trusted)
  }

  /// Says sentences, one after the other, each with its checksum.
  mutating func say(_ bodies: String...) {
    for body in bodies { hear(sentence(body)) }
  }

  mutating func hear(_ text: String) {
    hear(Array(text.utf8))
  }

  mutating func hear(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { decoder.read($0, at: now, into: &readings) }
  }

  mutating func wait(milliseconds: Int64) { wait(.milliseconds(milliseconds)) }

  private mutating func wait(_ time: Duration) {
    now.boottime += time
    now.utc = now.utc + time
  }

  mutating func flush() {
    decoder.flush(at: now, into: &readings)
  }

  /// As the owner of a live decoder does: flushes once the silence is long enough.
  mutating func rest(milliseconds: Int64) {
    var left = Duration.milliseconds(milliseconds)
    if let silence = decoder.silence, silence <= left {
      wait(silence)
      left -= silence
      flush()
    }
    wait(left)
  }

  var fixes: [Fix] {
    readings.compactMap { if case .fix(let fix) = $0 { fix } else { nil } }
  }

  var headings: [Heading] {
    readings.compactMap { if case .heading(let heading) = $0 { heading } else { nil } }
  }

  var times: [String] { fixes.map { text(of: $0.location.timestamp) } }
}

func sentence(_ body: String) -> String {
  let sum = body.utf8.reduce(0, ^)
  return "$\(body)*" + (sum < 16 ? "0" : "") + String(sum, radix: 16, uppercase: true) + "\r\n"
}

func text(of timestamp: Timestamp) -> String {
  var buffer = TextBuffer()
  buffer.append(timestamp)
  return String(decoding: buffer.bytes, as: UTF8.self)
}

/// The readings of a recording of these sentences.
func fixes(_ bodies: String...) -> [Fix] {
  var receiver = Receiver()
  for body in bodies { receiver.hear(sentence(body)) }
  receiver.flush()
  return receiver.fixes
}
