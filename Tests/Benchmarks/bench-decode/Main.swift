import BenchSupport
import CBaseline
import Glibc
import LocationModel
import ReceiverCore

/// How fast NMEA becomes locations, beside a C loop that only sums checksums and counts commas; and how
/// fast gpsd's reports do.
///
/// `bench-decode [DIRECTORY]`: the `.nmea` and `.gpsd.json` files there, or this project's own, repeated to
/// 100 MB.
@main struct Main {
  static let size = Figures.isQuick ? 10_000_000 : 100_000_000
  static let rounds = 7
  static let blockSize = 1 << 16

  static func main() {
    let directory =
      CommandLine.arguments.dropFirst().first
      ?? String(#filePath.dropLast("Benchmarks/bench-decode/Main.swift".count)) + "Recordings"
    let stream = Stream(recordingsIn: directory, endingWith: ".nmea")
    let reports = Stream(recordingsIn: directory, endingWith: ".gpsd.json")
    guard stream.count > 0, reports.count > 0 else {
      print("no recordings (.nmea and .gpsd.json) in \(directory)")
      exit(1)
    }
    compare("NMEA to fixes", stream, .atLeastOfPeer(0.2)) { parse($0) }
    compare("NMEA to JSON", stream, .atLeastOfPeer(0.1)) { decode($0) }
    compare("reports of gpsd to fixes", reports, nil) { Int(watch($0)) }
    Figures.end()
  }

  static func compare(
    _ name: String, _ stream: borrowing Stream, _ bar: Bar?,
    _ body: (UnsafeRawBufferPointer) -> Int
  ) {
    var speeds = Pairs()
    var found = 0
    for _ in 0..<rounds {
      speeds.add(
        stream.speed { found += body($0) },
        beside: stream.speed { _ = cbaseline_count($0.baseAddress, $0.count) })
    }
    guard found > 0 else {
      print("\(name): nothing is found")
      exit(1)
    }
    Figures.say(name, speeds, "MB/s", beside: "a C loop that sums and counts", bar)
  }

  /// How many lines a gpsd said.
  static func watch(_ bytes: UnsafeRawBufferPointer) -> Int64 {
    var decoder = GpsdDecoder(device: nil)
    let now = Instant(boottime: .start, utc: .epoch, utcTrusted: false)
    var readings: [Reading] = []
    var words: [GpsdDecoder.Word] = []
    for start in stride(from: 0, to: bytes.count, by: blockSize) {
      let block = bytes[start..<min(start + blockSize, bytes.count)]
      decoder.read(
        UnsafeRawBufferPointer(rebasing: block), at: now, into: &readings, words: &words)
      readings.removeAll(keepingCapacity: true)
      words.removeAll(keepingCapacity: true)
    }
    return decoder.counters.sentences
  }

  static func line(_ what: String, _ speed: Double, _ base: Double) -> String {
    let ratio = Double(Int(speed / base * 1000)) / 1000
    return "\(what): \(Int(speed)) MB/s, \(ratio) of the C loop"
  }

  static func parse(_ bytes: UnsafeRawBufferPointer) -> Int {
    var count = 0
    inBlocks(bytes) { readings in count += readings.count }
    return count
  }

  static func decode(_ bytes: UnsafeRawBufferPointer) -> Int {
    var text = TextBuffer(capacity: blockSize)
    var count = 0
    inBlocks(bytes) { readings in
      for case .fix(let fix) in readings {
        text.append(fix.location)
        text.append(UInt8(ascii: "\n"))
      }
      count += text.count
      text.removeAll()
    }
    return count
  }

  static func inBlocks(_ bytes: UnsafeRawBufferPointer, _ body: (borrowing [Reading]) -> Void) {
    var decoder = NMEADecoder(.init(requireChecksum: false, live: false))
    let now = Instant(boottime: .start, utc: .epoch, utcTrusted: false)
    var readings: [Reading] = []
    for start in stride(from: 0, to: bytes.count, by: blockSize) {
      let block = bytes[start..<min(start + blockSize, bytes.count)]
      decoder.read(UnsafeRawBufferPointer(rebasing: block), at: now, into: &readings)
      body(readings)
      readings.removeAll(keepingCapacity: true)
    }
    decoder.flush(at: now, into: &readings)
    body(readings)
  }
}
