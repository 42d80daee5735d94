import Glibc
import LocationCore
import LocationModel

extension Command {
  static let decode = Command(
    name: "decode", summary: "a recording in, one location a line out; needs no daemon",
    help: """
      Usage: locationctl decode [--date YYYY-MM-DD] [--heading] [--strict] [--stats] [FILE]

      Reads NMEA 0183, gpsd's JSON, GPX or location lines from FILE, or from standard input, and
      writes each fix as a line of JSON.

        --date YYYY-MM-DD   the day of a recording that says none (default: today)
        --heading           headings too, each on a line of its own
        --strict            refuse NMEA sentences that have no checksum
        --stats             at the end, counts on standard error

      """
  ) { (arguments) throws(Failure) in
    let headings = arguments.flag("--heading")
    let strict = arguments.flag("--strict")
    let stats = arguments.flag("--stats")
    _ = arguments.flag("--json")
    let day = try arguments.day("--date") ?? time(nil) / 86_400
    let name = arguments.operand()
    try arguments.nothingElse()
    var decoding = try Decoding(
      file: name == "-" ? nil : name,
      RecordingDecoder(requireChecksum: strict, dateless: day), headings: headings)
    try decoding.run()
    if stats { Output.complain(decoding.counters.text) }
  }
}

/// A file on its way from bytes to lines, through two buffers that stay the size they are.
private struct Decoding: ~Copyable {
  private let name: String
  private let descriptor: Int32
  private var decoder: RecordingDecoder
  private let headings: Bool
  private var readings: [Reading] = []
  private var text = TextBuffer(capacity: 1 << 17)

  init(
    file: String?, _ decoder: consuming RecordingDecoder, headings: Bool
  ) throws(Failure) {
    name = file ?? "standard input"
    descriptor = file.map { open($0, O_RDONLY | O_CLOEXEC) } ?? dup(STDIN_FILENO)
    self.decoder = decoder
    self.headings = headings
    guard descriptor >= 0 else {
      throw Failure(.failed, "\(name): \(String(cString: strerror(errno)))")
    }
  }

  deinit { close(descriptor) }

  var counters: JSON { decoder.counters.json }

  mutating func run() throws(Failure) {
    // A recording goes by its own clock.
    let now = Instant(boottime: 0, utc: Timestamp(microseconds: 0), utcTrusted: false)
    let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 17, alignment: 16)
    defer { block.deallocate() }
    while true {
      let count = read(descriptor, block.baseAddress, block.count)
      if count < 0 {
        if errno == EINTR { continue }
        throw Failure(.failed, "\(name): \(String(cString: strerror(errno)))")
      }
      if count > 0 {
        decoder.read(UnsafeRawBufferPointer(rebasing: block[..<count]), at: now, into: &readings)
      } else {
        decoder.flush(at: now, into: &readings)
      }
      try writeReadings()
      if count == 0 { return }
    }
  }

  private mutating func writeReadings() throws(Failure) {
    for reading in readings {
      switch reading {
      case .fix(let fix): text.append(fix.location)
      case .heading(let heading) where headings: text.append(heading)
      case .heading, .clock: continue
      }
      text.append(UInt8(ascii: "\n"))
    }
    readings.removeAll(keepingCapacity: true)
    try Output.write(text.bytes)
    text.removeAll()
  }
}
