import Console
import Glibc
import LocationCore
import LocationModel
import Platform
import ReceiverCore

/// A recording on its way from bytes to readings, through two buffers that stay the size they are.
struct RecordingFile: ~Copyable {
  let name: String
  private let source: Descriptor
  private let unpacker: Subprocess?
  private var decoder: RecordingDecoder
  private var readings: [Reading] = []
  private var fixes = 0
  private var scans = 0

  /// Standard input where no name is given, or `-`.
  init(_ name: String?, _ decoder: consuming RecordingDecoder) throws(Failure) {
    let file = name == "-" ? nil : name
    self.name = file ?? "standard input"
    source = Descriptor(
      owning: file.map { open($0, O_RDONLY | O_CLOEXEC) } ?? dup(STDIN_FILENO))
    self.decoder = decoder
    guard source.number >= 0 else {
      throw Failure(.failed, "\(SystemError(self.name))")
    }
    unpacker = try Unpacker.start(on: source, self.name)
  }

  /// Nobody wants more of it.
  deinit {
    unpacker?.output = nil
    unpacker?.wait()
  }

  var counters: ReceiverCounters { decoder.counters }

  /// Hands over what each block holds, to the end.
  mutating func read(_ handle: (borrowing [Reading]) throws(Failure) -> Void) throws(Failure) {
    // A recording goes by its own clock.
    let now = Instant(boottime: .start, utc: .epoch, utcTrusted: false)
    let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 17, alignment: 16)
    defer { block.deallocate() }
    let number = unpacker?.output?.number ?? source.number
    while true {
      let count = Glibc.read(number, block.baseAddress, block.count)
      if count < 0 {
        if errno == EINTR { continue }
        throw Failure(.failed, "\(name): \(String(cString: strerror(errno)))")
      }
      if count > 0 {
        decoder.read(UnsafeRawBufferPointer(rebasing: block[..<count]), at: now, into: &readings)
      } else {
        decoder.flush(at: now, into: &readings)
      }
      for case .fix in readings { fixes += 1 }
      for case .beacons in readings { scans += 1 }
      try handle(readings)
      readings.removeAll(keepingCapacity: true)
      if count == 0 { break }
    }
    if let unpacker, unpacker.wait() != 0 {
      throw Failure(.failed, "\(name): it is packed, and damaged")
    }
  }

  /// Fails where it held neither a fix nor beacons, with what it held instead.
  func expectFixes() throws(Failure) {
    let counters = decoder.counters
    if fixes > 0 {
      if decoder.format == .gpx, counters.timeless > 0 {
        Output.complain(
          "\(name): \(Count(Int(counters.timeless), "point")) without a time, taken to be gone along at 10 m/s"
        )
      }
      return
    }
    if scans > 0 { return }
    let reason: String
    if counters.bytes == 0 {
      reason = "it is empty"
    } else if counters.undated > 0 {
      reason = "its fixes have no date; --date gives one"
    } else if counters.withoutFix > 0 {
      reason = "it has no fix: \(Count(Int(counters.withoutFix), "moment")) without one"
    } else if counters.sentences > counters.malformed + counters.cut + counters.badChecksums {
      reason = "it has no fix"
    } else {
      reason = "it is no recording: neither NMEA, gpsd's JSON, GPX nor location lines"
    }
    throw Failure(.failed, "\(name): \(reason)")
  }
}
