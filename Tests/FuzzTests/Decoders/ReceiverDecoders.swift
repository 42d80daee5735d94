import LocationCore
import LocationModel
import ReceiverCore

extension Decoder {
  static func nmea(_ recordings: Recordings) -> Decoder {
    let names = [
      "ublox-8", "hemi", "trimble-rtk", "ac12", "garmin38", "tcp-torture", "made-newyear",
    ]
    return Decoder(
      name: "nmea",
      words: [
        "GPRMC,", "GPGGA,", "GNGNS,", "GPGLL,", "GPVTG,", "GPGSA,", "GPGSV,", "GPGST,", "GPGBS,",
        "GPZDA,", "HEHDT,", "HCHDM,", "HCHDG,", "PGRME,", "PUBX,00,", "PASHR,POS,", "PSRFEPE,",
        "120000.00,", "235960,", "010180,", "311298,", "31,12,2198,", "01,01,9999,",
        "5000.00000,N,", "00800.00000,W,", ",A", ",V", ",N", "$", "*", "\r\n", "1e9",
        "9999999999999999,",
      ],
      seeds: names.flatMap { name in
        let text = recordings.beginning(name + ".nmea", 400)
        return [[0x40] + text, [0x41] + text.filter { $0 != 0x24 }]
      }
    ) { input in
      let (choice, rest) = input.choice
      let bytes = choice & 1 == 0 ? rest : sentences(rest)
      let whole = record(bytes, by: max(bytes.count, 1))
      let piece = 1 + Int(choice >> 3)
      check(whole == record(bytes, by: piece), "it matters how the bytes are cut")
      replay(whole)
      listen(bytes, by: piece, trusted: choice & 2 != 0, checksums: choice & 4 != 0)
    }
  }

  /// The input's lines as the bodies of sentences whose checksums hold, which no chance would find.
  private static func sentences(_ bytes: [UInt8]) -> [UInt8] {
    var all: [UInt8] = []
    for line in bytes.split(separator: 0x0A) {
      let body = line.prefix { $0 != 0x2A }.filter { (0x20..<0x7F).contains($0) && $0 != 0x24 }
      let sum = body.reduce(0, ^)
      let digits = Array("0123456789ABCDEF".utf8)
      all += [0x24] + body + [0x2A, digits[Int(sum >> 4)], digits[Int(sum & 15)], 0x0D, 0x0A]
    }
    return all
  }

  /// As a recording.
  private static func record(_ bytes: [UInt8], by piece: Int) -> [Reading] {
    var decoder = NMEADecoder(.init(requireChecksum: false, live: false, dateless: 18_262))
    var readings: [Reading] = []
    bytes.forEachPiece(of: piece) { decoder.read($0, at: .start, into: &readings) }
    decoder.flush(at: .start, into: &readings)
    look(at: readings, from: bytes.count)
    return readings
  }

  /// As a live receiver, with a silence now and then.
  private static func listen(_ bytes: [UInt8], by piece: Int, trusted: Bool, checksums: Bool) {
    var decoder = NMEADecoder(.init(requireChecksum: checksums, live: true))
    var search = BaudSearch(likely: [], at: .start)
    var now = Instant.start
    now.utcTrusted = trusted
    var readings: [Reading] = []
    var count = 0
    bytes.forEachPiece(of: piece) {
      decoder.read($0, at: now, into: &readings)
      _ = search.hear($0, sentences: 0, at: now.boottime)
      count += 1
      now.boottime += .milliseconds(count % 7 == 0 ? 400 : 4)
      if count % 7 == 0, decoder.silence != nil { decoder.flush(at: now, into: &readings) }
    }
    decoder.flush(at: now, into: &readings)
    check(decoder.silence == nil, "it never comes to rest")
    check(BaudSearch.common.contains(search.speed), "no speed")
    look(at: readings, from: bytes.count)
    let fixes = Int64(readings.count { if case .fix = $0 { true } else { false } })
    check(fixes <= decoder.counters.sentences, "a place out of nothing")
    check(fixes == decoder.counters.fixes, "fixes are miscounted")
  }
}

extension Decoder {
  static func gpsd(_ recordings: Recordings) -> Decoder {
    let reports = [
      #"{"class":"VERSION","release":"3.22","proto_major":3}"#,
      #"{"class":"DEVICES","devices":[{"path":"/dev/a","driver":"u-blox","bps":9600,"activated":1}]}"#,
      #"{"class":"DEVICE","path":"/dev/a","activated":0}"#,
      #"{"class":"TPV","device":"/dev/a","mode":3,"time":"2025-06-15T12:00:00.000Z","lat":50.0,"#
        + #""lon":8.0,"altMSL":1.0,"altHAE":48.5,"epx":4,"epy":5,"epv":9,"eph":19.0,"sep":24.1,"#
        + #""track":3.5,"speed":1.25,"climb":0,"eps":0.6,"epc":1.2,"ept":0.005,"status":2}"#,
      #"{"class":"SKY","device":"/dev/a","hdop":1.0,"vdop":1.1,"pdop":1.5,"nSat":12,"uSat":8,"#
        + #""satellites":[{"PRN":5,"el":40,"az":120,"ss":33,"used":true}]}"#,
      #"{"class":"GST","device":"/dev/a","lat":1.0,"lon":2.0,"alt":3.0,"major":1,"minor":2}"#,
      #"{"class":"ATT","device":"/dev/a","time":"2025-06-15T12:00:00Z","heading":12.5,"mheading":9}"#,
      #"{"class":"ERROR","message":"none"}"#,
    ]
    return Decoder(
      name: "gpsd",
      words: extremes + [
        #""class":"TPV""#, #""class":"SKY""#, #""class":"GST""#, #""class":"ATT""#, #""mode":3"#,
        #""time":"#, #""lat":"#, #""lon":"#, #""device":"/dev/b""#, #""satellites":["#, "null",
        #""eph":"#, #""epx":"#, "{", "}", "\n", "true", "[]",
      ],
      seeds: [
        [0x40] + recordings.beginning("isync.gpsd.json", 1500),
        [UInt8](0x41, reports[3].dropFirst(15) + "\n" + reports[4].dropFirst(15)),
      ] + reports.map { [UInt8](0x40, $0 + "\n" + reports[3]) }
    ) { input in
      let (choice, rest) = input.choice
      let said = choice & 1 == 0 ? rest : members(rest)
      let piece = 1 + Int(choice >> 3) * 8
      watch(said, by: piece, trusted: choice & 2 != 0)
      readRecording(Array("{\n".utf8) + said, by: piece)
    }
  }

  /// The input's lines as the members of reports.
  private static func members(_ bytes: [UInt8]) -> [UInt8] {
    let kinds = ["TPV", "SKY", "GST", "ATT", "DEVICE"]
    var said: [UInt8] = []
    for (i, line) in bytes.split(separator: 0x0A).enumerated() {
      said += Array(#"{"class":"\#(kinds[i % kinds.count])","#.utf8) + line + Array("}\n".utf8)
    }
    return said
  }

  private static func watch(_ said: [UInt8], by piece: Int, trusted: Bool) {
    var decoder = GpsdDecoder(device: nil)
    var now = Instant.start
    now.utcTrusted = trusted
    var readings: [Reading] = []
    var words: [GpsdDecoder.Word] = []
    (said + [0x0A]).forEachPiece(of: piece) {
      decoder.read($0, at: now, into: &readings, words: &words)
      now.boottime += .milliseconds(50)
      now.utc = now.utc + .milliseconds(50)
      if readings.count > 8, decoder.silence != nil { decoder.flush(at: now, into: &readings) }
    }
    decoder.flush(at: now, into: &readings)
    check(decoder.silence == nil, "it never comes to rest")
    check(decoder.receivers.count <= 16, "more receivers than there is room for")
    look(at: readings, from: said.count)
  }
}

extension Instant {
  static var start: Instant {
    Instant(
      boottime: .start + .seconds(1100), utc: Timestamp(microseconds: 1_780_000_000_000_000),
      utcTrusted: false)
  }
}

/// Whether all that was read is possible.
func look(at readings: [Reading], from count: Int) {
  check(readings.count <= count / 10, "more readings than there is room for")
  for case .fix(let fix) in readings {
    check(fix.location.isValid, "an impossible fix")
    var text = TextBuffer()
    text.append(fix.location)
    guard let json = try? JSON(parsing: text.bytes) else { return check(false, "not JSON") }
    check(Location(json) != nil, "no client could read it")
  }
}
