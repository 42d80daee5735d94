import LocationModel
import TestSupport

/// Lines of a gpsd, damaged: in their bytes, or in their values, so that they are JSON still.
struct GpsdMutations {
  private var dice: Dice

  init(seed: UInt64) { dice = Dice(seed: seed) }

  private static let lines = [
    #"{"class":"TPV","device":"/dev/a","status":2,"mode":3,"time":"2025-06-15T12:00:00.250Z","#
      + #""lat":41.897665167,"lon":-87.643940333,"altHAE":184.3,"altMSL":218.1,"alt":218.1,"#
      + #""epx":0.5,"epy":0.7,"epv":1.1,"track":359.5,"speed":0.025,"eph":4.513}"#,
    #"{"class":"TPV","device":"/dev/a","mode":1}"#,
    #"{"class":"SKY","device":"/dev/a","vdop":1.31,"hdop":0.95,"pdop":1.62,"nSat":2,"satellites":"#
      + #"[{"PRN":2,"el":11.0,"ss":37.0,"used":true},{"PRN":5,"gnssid":0,"svid":5,"used":false}]}"#,
    #"{"class":"GST","device":"/dev/a","time":"2025-06-15T12:00:00.250Z","rms":11.0,"major":3.5,"#
      + #""minor":2.5,"orient":7.0,"lat":0.7,"lon":0.49,"alt":1.1}"#,
    #"{"class":"ATT","device":"/dev/a","heading":274.07,"mheading":270.1,"mag_st":"N","roll":1.2}"#,
    #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/a","activated":0,"bps":9600}]}"#,
  ]
  private static let objects = lines.compactMap { try? JSON(parsing: $0) }
  private static let pieces = [
    #""class":"TPV","#, #""class":"#, "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u0000", " ",
    "\t",
    "null", "true", "1e308", "e", ".", "-", "0", "9", #","satellites":[{"PRN":1}]"#, "\u{0}", "ÿ",
  ].map { Array($0.utf8) }
  private static let values: [JSON] = [
    .null, .bool(true), .string(""), .string("\"class\":\"TPV\""), ["class": "TPV"],
    .array([.integer(1)]), .array([]), .object([]), .array([["class": "SKY", "PRN": .integer(1)]]),
    .integer(.max), .integer(.min), .integer(0), .integer(-1), .integer(4_294_967_298),
    .number(1.7976931348623157e308), .number(.leastNonzeroMagnitude), .number(-0.0),
    .number(0.1 + 0.2),
    .number(2e16), .number(1e-7), .string(String(repeating: "x", count: 600)),
    .string("2025-06-15T12:00:00.123456Z"), .string("2025-06-15T12:00"), .string("\u{1F6F0}"),
    .string("2016-12-31T23:59:60Z"), .array((1...200).map { ["PRN": .integer($0)] }),
  ]
  private static let names = [
    "class", "device", "time", "mode", "status", "lat", "lon", "alt", "satellites", "hdop", "PRN",
    "used", "heading", "mag_st", "datum", "leapseconds", "\"class", "a\\", "",
    String(repeating: "n", count: 40),
  ]

  mutating func next() -> [UInt8] {
    Bool.random(using: &dice) ? ofDamagedBytes() : Array(ofOddValues().text.utf8)
  }

  private mutating func ofDamagedBytes() -> [UInt8] {
    var line = Array((Self.lines.randomElement(using: &dice) ?? "").utf8)
    for _ in 0..<Int.random(in: 1...3, using: &dice) {
      let start = Int.random(in: 0...line.count, using: &dice)
      let end = min(start + Int.random(in: 0...12, using: &dice), line.count)
      switch Int.random(in: 0..<4, using: &dice) {
      case 0: line.removeSubrange(start..<end)
      case 1: line.insert(contentsOf: line[start..<end], at: start)
      case 2: line.insert(contentsOf: Self.pieces.randomElement(using: &dice) ?? [], at: start)
      default:
        let other = Array((Self.lines.randomElement(using: &dice) ?? "").utf8)
        line = line[..<start] + other.suffix(Int.random(in: 0...other.count, using: &dice))
      }
    }
    return line.filter { $0 != 0x0A }
  }

  private mutating func ofOddValues() -> JSON {
    var members = Self.objects.randomElement(using: &dice)?.members ?? []
    for _ in 0..<Int.random(in: 1...4, using: &dice) {
      let at = Int.random(in: 0..<members.count, using: &dice)
      let value = Self.values.randomElement(using: &dice) ?? .null
      switch Int.random(in: 0..<5, using: &dice) {
      case 0: members[at].value = value
      case 1: members[at].key = Self.names.randomElement(using: &dice) ?? ""
      case 2:
        let name = Self.names.randomElement(using: &dice) ?? ""
        members.insert(.init(key: name, value: value), at: at)
      case 3: members.shuffle(using: &dice)
      default: members.append(members[at])
      }
    }
    // A line that is no report any more tests nothing.
    let kind = Self.objects.randomElement(using: &dice)?["class"] ?? "TPV"
    if Bool.random(using: &dice) { members.append(.init(key: "class", value: kind)) }
    return .object(members)
  }
}
