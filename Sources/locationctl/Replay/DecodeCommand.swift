import Console
import Glibc
import LocationCore
import LocationModel
import ReceiverCore

extension Command {
  static let decode = Command(
    name: "decode", summary: "a recording in, one location a line out; needs no daemon",
    help: """
      Usage: locationctl decode [--date YYYY-MM-DD] [--heading] [--strict] [--stats] [FILE]

      Reads NMEA 0183, gpsd's JSON, GPX or location lines from FILE, which gzip may have packed, or
      from standard input, and writes each fix as a line of JSON. Fails where there is none.

        --date YYYY-MM-DD   the day of a recording that says none (default: today)
        --heading           headings too, each on a line of its own
        --strict            refuse NMEA sentences that have no checksum
        --stats             at the end, counts on standard error
        --json              the same: decode always writes JSON

      """
  ) { (arguments) throws(Failure) in
    let headings = arguments.flag("--heading")
    let strict = arguments.flag("--strict")
    let stats = arguments.flag("--stats")
    _ = arguments.flag("--json")
    let day = try arguments.day("--date") ?? time(nil) / 86_400
    // Every command takes it.
    _ = try arguments.socket()
    let name = arguments.operand()
    try arguments.nothingElse()
    var recording = try RecordingFile(
      name, RecordingDecoder(requireChecksum: strict, dateless: day))
    var text = TextBuffer(capacity: 1 << 17)
    try recording.read { (readings) throws(Failure) in
      for reading in readings {
        switch reading {
        case .fix(let fix): text.append(fix.location)
        case .heading(let heading) where headings: text.append(heading)
        case .heading, .scan, .beacons, .clock: continue
        }
        text.append(UInt8(ascii: "\n"))
      }
      try Output.write(text.bytes)
      text.removeAll()
    }
    if stats { Output.complain(recording.counters.json.text) }
    try recording.expectFixes()
  }
}
