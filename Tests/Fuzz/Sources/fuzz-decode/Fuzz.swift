import LocationCore
import LocationModel

/// What libFuzzer calls with every input.
@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = Array(UnsafeBufferPointer(start: start, count: count))
  guard let choice = input.first else { return 0 }
  let rest = Array(input.dropFirst())
  let bytes = choice & 1 == 0 ? rest : asSentences(rest)
  let piece = 1 + Int(choice >> 3)

  let whole = record(bytes, by: max(bytes.count, 1))
  let pieces = record(bytes, by: piece)
  precondition(whole == pieces, "it matters how the bytes are cut")

  listen(bytes, by: piece, trusted: choice & 2 != 0, checksums: choice & 4 != 0)
  watch(bytes, by: piece, trusted: choice & 2 != 0)
  return 0
}

/// The input's lines as the bodies of sentences whose checksums hold, which no chance would find.
private func asSentences(_ bytes: [UInt8]) -> [UInt8] {
  var all: [UInt8] = []
  for line in bytes.split(separator: 0x0A) {
    let body = line.filter { (0x20..<0x7F).contains($0) && $0 != 0x24 && $0 != 0x2A }
    let sum = body.reduce(0, ^)
    let digits = Array("0123456789ABCDEF".utf8)
    all += [0x24] + body + [0x2A, digits[Int(sum >> 4)], digits[Int(sum & 15)], 0x0D, 0x0A]
  }
  return all
}

/// As a recording of any kind.
private func record(_ bytes: [UInt8], by piece: Int) -> [Reading] {
  var decoder = RecordingDecoder(dateless: 18_262)
  let now = Instant(boottime: 0, utc: Timestamp(microseconds: 0), utcTrusted: false)
  var readings: [Reading] = []
  feed(bytes, by: piece) { decoder.read($0, at: now, into: &readings) }
  decoder.flush(at: now, into: &readings)
  check(readings)
  precondition(readings.count <= bytes.count / 10, "more readings than there is room for")
  return readings
}

/// As a live receiver, with a silence now and then.
private func listen(_ bytes: [UInt8], by piece: Int, trusted: Bool, checksums: Bool) {
  var decoder = NMEADecoder(.init(requireChecksum: checksums, live: true))
  var now = Instant(
    boottime: 1 << 40, utc: Timestamp(microseconds: 1_780_000_000_000_000), utcTrusted: trusted)
  var readings: [Reading] = []
  var count = 0
  feed(bytes, by: piece) {
    decoder.read($0, at: now, into: &readings)
    count += 1
    now.boottime += count % 7 == 0 ? 400_000_000 : 4_000_000
    if count % 7 == 0, decoder.silence != nil { decoder.flush(at: now, into: &readings) }
  }
  decoder.flush(at: now, into: &readings)
  precondition(decoder.silence == nil, "it never comes to rest")
  check(readings)
  let fixes = Int64(readings.count { if case .fix = $0 { true } else { false } })
  precondition(fixes <= decoder.counters.sentences, "a place out of nothing")
  precondition(fixes == decoder.counters.fixes)
}

/// As what a gpsd tells its watchers: lines as they are, and as the members of reports.
private func watch(_ bytes: [UInt8], by piece: Int, trusted: Bool) {
  var decoder = GpsdDecoder(device: nil)
  var search = BaudSearch(likely: [], at: 0)
  var now = Instant(
    boottime: 1 << 40, utc: Timestamp(microseconds: 1_780_000_000_000_000), utcTrusted: trusted)
  var readings: [Reading] = []
  var words: [GpsdDecoder.Word] = []
  var said = bytes + [0x0A]
  for (i, line) in bytes.split(separator: 0x0A).enumerated() {
    let kind = ["TPV", "SKY", "GST", "ATT", "DEVICE"][i % 5]
    said += Array(#"{"class":"\#(kind)",\#(i % 3 == 0 ? #""mode":3,"lat":1,"lon":2,"# : "")"#.utf8)
    said += line + Array("}\n".utf8)
  }
  feed(said, by: piece) {
    decoder.read($0, at: now, into: &readings, words: &words)
    _ = search.hear($0, sentences: 0, at: now.boottime)
    now.boottime += 50_000_000
    now.utc = now.utc + 50_000
  }
  decoder.flush(at: now, into: &readings)
  precondition(decoder.silence == nil, "it never comes to rest")
  precondition(decoder.receivers.count <= 16)
  precondition(BaudSearch.common.contains(search.speed))
  check(readings)
}

private func check(_ readings: [Reading]) {
  for case .fix(let fix) in readings {
    precondition(fix.location.isValid, "an impossible fix")
    var text = TextBuffer()
    text.append(fix.location)
    precondition((try? JSON(parsing: text.bytes)) != nil, "not JSON")
  }
}

private func feed(_ bytes: [UInt8], by piece: Int, _ body: (UnsafeRawBufferPointer) -> Void) {
  bytes.withUnsafeBytes { all in
    for start in stride(from: 0, to: all.count, by: piece) {
      body(UnsafeRawBufferPointer(rebasing: all[start..<min(start + piece, all.count)]))
    }
  }
}
