import Console
import Glibc
import LocationCore
import LocationModel

/// A recording on its way from bytes to readings, through two buffers that stay the size they are.
struct RecordingFile: ~Copyable {
  let name: String
  private let descriptor: Int32
  private var decoder: RecordingDecoder
  private var readings: [Reading] = []

  /// Standard input where no name is given, or `-`.
  init(_ name: String?, _ decoder: consuming RecordingDecoder) throws(Failure) {
    let file = name == "-" ? nil : name
    self.name = file ?? "standard input"
    descriptor = file.map { open($0, O_RDONLY | O_CLOEXEC) } ?? dup(STDIN_FILENO)
    self.decoder = decoder
    guard descriptor >= 0 else {
      throw Failure(.failed, "\(self.name): \(String(cString: strerror(errno)))")
    }
  }

  deinit { close(descriptor) }

  /// Whether nothing in it was understood.
  private(set) var isEmpty = true

  var counters: ReceiverCounters { decoder.counters }

  /// Hands over what each block holds, to the end.
  mutating func read(_ handle: (borrowing [Reading]) throws(Failure) -> Void) throws(Failure) {
    // A recording goes by its own clock.
    let now = Instant(boottime: .start, utc: .epoch, utcTrusted: false)
    let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 17, alignment: 16)
    defer { block.deallocate() }
    while true {
      let count = Glibc.read(descriptor, block.baseAddress, block.count)
      if count < 0 {
        if errno == EINTR { continue }
        throw Failure(.failed, "\(name): \(String(cString: strerror(errno)))")
      }
      if count > 0 {
        decoder.read(UnsafeRawBufferPointer(rebasing: block[..<count]), at: now, into: &readings)
      } else {
        decoder.flush(at: now, into: &readings)
      }
      if !readings.isEmpty { isEmpty = false }
      try handle(readings)
      readings.removeAll(keepingCapacity: true)
      if count == 0 { return }
    }
  }
}
