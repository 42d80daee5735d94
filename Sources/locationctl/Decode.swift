import Glibc
import LocationCore
import LocationModel

/// `locationctl decode`: a recording in, one location a line out.
enum Decode {
  static func run(_ arguments: [String]) -> Int32 {
    var decoder = NMEADecoder(.init(requireChecksum: false, live: false))
    let now = Instant(boottime: 0, utc: Timestamp(microseconds: 0), utcTrusted: false)
    let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    defer { block.deallocate() }
    var readings: [Reading] = []
    var text = TextBuffer(capacity: 1 << 16)
    while true {
      let count = Glibc.read(0, block.baseAddress, block.count)
      if count <= 0 { break }
      decoder.read(UnsafeRawBufferPointer(rebasing: block[..<count]), at: now, into: &readings)
      write(&readings, &text)
    }
    decoder.flush(at: now, into: &readings)
    write(&readings, &text)
    return 0
  }

  private static func write(_ readings: inout [Reading], _ text: inout TextBuffer) {
    for case .fix(let fix) in readings {
      text.append(fix.location)
      text.append(UInt8(ascii: "\n"))
    }
    readings.removeAll(keepingCapacity: true)
    _ = Glibc.write(1, text.bytes.baseAddress, text.count)
    text.removeAll()
  }
}
