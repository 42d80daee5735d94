import Glibc
import LocationCore
import LocationModel

/// `locationctl decode`: a recording in, one location a line out.
enum Decode {
  private static let usage = """
    usage: locationctl decode [--date YYYY-MM-DD] [--heading] [--strict] [--stats] [FILE]

    Reads NMEA 0183, gpsd's JSON, GPX or location lines from FILE, or from standard input, and
    writes each fix as a line of JSON.

      --date YYYY-MM-DD  the day of a recording that says none (default: today)
      --heading          headings too, each on a line of its own
      --strict           refuse NMEA sentences that have no checksum
      --stats            at the end, counts on standard error

    """

  static func run(_ arguments: [String]) -> Int32 {
    let options: Options
    do throws(Misuse) { options = try Options(arguments) } catch {
      complain("\(error.message)\nTry 'locationctl decode --help'.")
      return 2
    }
    if options.help {
      var text = TextBuffer()
      text.append(usage)
      return write(&text) == nil ? 0 : 1
    }
    signal(SIGPIPE, SIG_IGN)
    let descriptor = options.file.map { open($0, O_RDONLY | O_CLOEXEC) } ?? STDIN_FILENO
    guard descriptor >= 0 else {
      complain("\(options.file ?? "-"): \(String(cString: strerror(errno)))")
      return 1
    }
    let code = decode(from: descriptor, options)
    if options.file != nil { close(descriptor) }
    return code
  }

  private static func decode(from descriptor: Int32, _ options: Options) -> Int32 {
    var decoder = RecordingDecoder(requireChecksum: options.strict, dateless: options.day)
    // A recording goes by its own clock.
    let now = Instant(boottime: 0, utc: Timestamp(microseconds: 0), utcTrusted: false)
    let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 17, alignment: 16)
    defer { block.deallocate() }
    var readings: [Reading] = []
    var text = TextBuffer(capacity: 1 << 17)
    var isOver = false
    while !isOver {
      let count = read(descriptor, block.baseAddress, block.count)
      if count < 0 {
        if errno == EINTR { continue }
        complain("\(options.file ?? "standard input"): \(String(cString: strerror(errno)))")
        return 1
      }
      isOver = count == 0
      if isOver {
        decoder.flush(at: now, into: &readings)
      } else {
        decoder.read(UnsafeRawBufferPointer(rebasing: block[..<count]), at: now, into: &readings)
      }
      append(readings, headings: options.headings, to: &text)
      readings.removeAll(keepingCapacity: true)
      if let error = write(&text) {
        // Whoever reads has seen enough.
        if error == EPIPE { return 0 }
        complain(String(cString: strerror(error)))
        return 1
      }
    }
    if options.stats { complain(decoder.counters.json.text) }
    return 0
  }

  private static func append(
    _ readings: [Reading], headings: Bool, to text: inout TextBuffer
  ) {
    for reading in readings {
      switch reading {
      case .fix(let fix): text.append(fix.location)
      case .heading(let heading) where headings: text.append(heading)
      case .heading, .clock: continue
      }
      text.append(UInt8(ascii: "\n"))
    }
  }

  /// Writes and empties the text; returns an error number if that failed.
  private static func write(_ text: inout TextBuffer) -> Int32? {
    var rest = text.bytes[...]
    while !rest.isEmpty {
      let bytes = UnsafeRawBufferPointer(rebasing: rest)
      let count = Glibc.write(STDOUT_FILENO, bytes.baseAddress, bytes.count)
      if count < 0, errno != EINTR { return errno }
      rest = rest.dropFirst(max(count, 0))
    }
    text.removeAll()
    return nil
  }

  private static func complain(_ message: String) {
    var text = TextBuffer()
    text.append("locationctl: \(message)\n")
    _ = Glibc.write(STDERR_FILENO, text.bytes.baseAddress, text.count)
  }
}

extension Decode {
  private struct Misuse: Error { var message: String }

  private struct Options {
    var file: String?
    var day = 0
    var headings = false
    var strict = false
    var stats = false
    var help = false

    init(_ arguments: [String]) throws(Misuse) {
      var rest = arguments[...]
      var date: String?
      var isFile = false
      while let argument = rest.popFirst() {
        switch argument {
        case "--heading" where !isFile: headings = true
        case "--strict" where !isFile: strict = true
        case "--stats" where !isFile: stats = true
        case "--json" where !isFile: break
        case "--help" where !isFile, "-h" where !isFile: help = true
        case "--" where !isFile: isFile = true
        case "--date" where !isFile:
          guard let value = rest.popFirst() else { throw Misuse(message: "--date needs a day") }
          date = value
        case _ where argument.hasPrefix("--date=") && !isFile: date = String(argument.dropFirst(7))
        case _ where argument.hasPrefix("-") && argument != "-" && !isFile:
          throw Misuse(message: "there is no option '\(argument)'")
        default:
          guard file == nil else { throw Misuse(message: "'\(argument)' is too much") }
          file = argument
        }
      }
      if file == "-" { file = nil }
      day = try Self.day(date)
    }

    private static func day(_ text: String?) throws(Misuse) -> Int {
      guard let text else { return time(nil) / 86_400 }
      guard let moment = Timestamp(iso8601: text + "T00:00:00Z") else {
        throw Misuse(message: "'\(text)' is no day, as 2026-11-20 is")
      }
      return moment.dayNumber
    }
  }
}
