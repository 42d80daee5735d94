import LocationModel
import Testing

@testable import ReceiverCore

private func unpack(_ lines: String...) throws -> GpsdReport {
  var unpacker = GpsdUnpacker()
  var last: GpsdReport?
  for line in lines {
    let object = try JSON(parsing: line)
    let kind = try #require(object["class"]?.string.flatMap(GpsdReport.Class.init))
    last = unpacker.unpack(object, as: kind)
  }
  return try #require(last)
}

extension GpsdReport {
  fileprivate var position: Position? {
    if case .position(let position) = self { position } else { nil }
  }

  fileprivate var sky: Sky? {
    if case .sky(let sky) = self { sky } else { nil }
  }
}

@Suite("gpsd's reports, unpacked by libgps") struct GpsdReportTests {
  private static let tpv =
    #"{"class":"TPV","device":"/dev/ttyUSB0","status":2,"mode":3,"time":"2035-09-19T13:15:20.250Z","#
    + #""ept":0.005,"lat":41.897665167,"lon":-87.643940333,"altHAE":184.3000,"altMSL":218.1000,"#
    + #""alt":218.1000,"epx":0.500,"epy":0.700,"epv":1.100,"track":359.5,"magvar":-4.1,"speed":0.025,"#
    + #""climb":0.000,"eps":1.40,"epc":2.20,"geoidSep":-33.800,"eph":4.513,"sep":7.695}"#
  private static let position = GpsdReport.Position(
    time: Timestamp(microseconds: 2_073_820_520_250_000), mode: .in3D, kind: .differential,
    latitude: 41.897665167, longitude: -87.643940333, altitude: 218.1, ellipsoidalAltitude: 184.3,
    horizontalError: 4.513, eastError: 0.5, northError: 0.7, verticalError: 1.1, speed: 0.025,
    course: 359.5)

  @Test("a position is read whole") func position() throws {
    #expect(try unpack(Self.tpv) == .position(Self.position))
  }

  @Test("the satellites are counted; a report without a list says nothing of them")
  func sky() throws {
    let dilution =
      #""xdop":0.45,"ydop":0.68,"vdop":1.31,"tdop":0.64,"hdop":0.95,"gdop":1.49,"pdop":1.62"#
    let satellites =
      #"[{"PRN":2,"el":11.0,"az":115.0,"ss":37.0,"used":true,"gnssid":0,"svid":2},"#
      + #"{"PRN":5,"used":true},{"PRN":437,"ss":0.0,"used":false}]"#
    var sky = GpsdReport.Sky(dilution: .init(horizontal: 0.95, vertical: 1.31, position: 1.62))
    #expect(try unpack(#"{"class":"SKY","device":"/dev/a",\#(dilution)}"#) == .sky(sky))
    sky.satellitesUsed = 2
    sky.satellitesInView = 3
    sky.satellites = [
      Satellite(.gps, 2, elevation: 11, azimuth: 115, signal: 37, isUsed: true),
      Satellite(.gps, 5, isUsed: true), Satellite(.beidou, 437),
    ]
    #expect(
      try unpack(#"{"class":"SKY",\#(dilution),"nSat":3,"uSat":2,"satellites":\#(satellites)}"#)
        == .sky(sky))
    #expect(
      try unpack(#"{"class":"SKY","satellites":[]}"#)
        == .sky(.init(satellitesUsed: 0, satellitesInView: 0)))
  }

  @Test("of more satellites than libgps has room for, as many as it has are counted")
  func crowd() throws {
    let all = (1...500).map { #"{"PRN":\#($0),"used":\#($0 <= 20)}"# }.joined(separator: ",")
    let report = try unpack(#"{"class":"SKY","hdop":1.0,"satellites":[\#(all)]}"#)
    let sky = try #require(report.sky)
    #expect(140..<500 ~= sky.satellitesInView ?? 0)
    #expect(sky.satellitesUsed == 20)
    #expect(sky.dilution.horizontal == 1)
  }

  @Test("the deviations of a position are read") func noise() throws {
    let report = try unpack(
      #"{"class":"GST","device":"/dev/a","time":"2025-06-15T12:00:00.000Z","rms":11.000,"major":3.5,"#
        + #""minor":2.5,"orient":7.0,"lat":0.700,"lon":0.490,"alt":1.100}"#)
    var deviations = Deviations()
    deviations.ranges = 11
    (deviations.major, deviations.minor, deviations.orientation) = (3.5, 2.5, 7)
    (deviations.latitude, deviations.longitude, deviations.altitude) = (0.7, 0.49, 1.1)
    let time = Timestamp(microseconds: 1_749_988_800_000_000)
    #expect(report == .noise(.init(time: time, deviations: deviations)))
  }

  @Test("a heading is read, also the magnetic one that libgps may not know") func attitude() throws
  {
    #expect(
      try unpack(
        #"{"class":"ATT","device":"/dev/a","heading":274.070,"mag_st":"N","pitch":1.20,"temp":20.0}"#
      )
        == .attitude(.init(heading: 274.07)))
    #expect(
      try unpack(#"{"class":"ATT","time":"2025-06-15T12:00:00.500Z","mheading":108.5}"#)
        == .attitude(
          .init(time: Timestamp(microseconds: 1_749_988_800_500_000), magneticHeading: 108.5)))
  }

  @Test("what a report does not say is unknown, whatever those before said") func cleared() throws {
    let sky = #"{"class":"SKY","hdop":1.0,"satellites":[{"PRN":1,"used":true}]}"#
    let gst = #"{"class":"GST","time":"2025-06-15T12:00:00.000Z","lat":0.7,"lon":0.5,"alt":1.1}"#
    let att = #"{"class":"ATT","heading":274.07}"#
    let all = [Self.tpv, sky, gst, att]
    let empty: [(String, GpsdReport)] = [
      ("TPV", .position(.init())), ("SKY", .sky(.init())), ("GST", .noise(.init())),
      ("ATT", .attitude(.init())),
    ]
    for before in all {
      for (name, report) in empty {
        #expect(try unpack(before, #"{"class":"\#(name)"}"#) == report)
      }
    }
  }

  @Test("a time is read to the microsecond") func microseconds() throws {
    for fraction in Array(stride(from: 0, to: 1_000_000, by: 1_000)) + (0..<1_000).map({ $0 * 997 })
    {
      let decimals = String(String(1_000_000 + fraction).dropFirst())
      let report = try unpack(#"{"class":"TPV","time":"2025-06-15T12:00:00.\#(decimals)Z"}"#)
      #expect(
        report.position?.time == Timestamp(microseconds: 1_749_988_800_000_000 + Int64(fraction)))
    }
    #expect(
      try unpack(#"{"class":"TPV","time":"2016-12-31T23:59:60.5Z"}"#).position?.time
        == Timestamp(microseconds: 1_483_228_800_500_000))
  }

  @Test(
    "a time that libgps would read as another is none",
    arguments: [
      "2025-06-15", "2025-06-15T12", "2025-06-15T12:00:00+02:00", "2025-06-15 12:00:00Z",
      "2025-06-15T12:00:00", "2025-02-30T12:00:00Z", "2025-06-15T12:00:00,5Z", "", "Z", "TZ",
      "1966-06-15T00:00:00Z", "0001-01-01T00:00:00Z", "1970-01-01T00:00:00Z",
      "2025-06-15T12:00:00.\(String(repeating: "0", count: 600))Z",
    ])
  func misread(text: String) throws {
    let report = try unpack(#"{"class":"TPV","time":"\#(text)","mode":3,"lat":1.5,"lon":2.5}"#)
    #expect(
      report == .position(.init(mode: .in3D, latitude: 1.5, longitude: 2.5)))
  }

  @Test("a report is read alike however its JSON is written, and whatever else it says")
  func written() throws {
    let spaced = Self.tpv.replacing(",", with: " ,\t").replacing(":", with: " : ")
      .replacing(" : 15 : 20", with: ":15:20")
    #expect(try unpack(spaced) == .position(Self.position))
    var members = try #require(try JSON(parsing: Self.tpv).members)
    members.reverse()
    #expect(try unpack(JSON.object(members).text) == .position(Self.position))
    let more =
      #","a":null,"b":[{"class":"SKY"}],"c":{"class":"TPV","lat":1},"\"class":"TPV","#
      + #""\u006cat":41.897665167,"datum":5,"leapseconds":"x","device":{"class":"TPV"}}"#
    #expect(try unpack(Self.tpv.dropLast() + more) == .position(Self.position))
  }

  @Test(
    "a value of another type than gpsd's is unknown",
    arguments: ["null", "true", #""1""#, "[1]", #"{"class":"TPV"}"#, #"["class"]"#])
  func types(value: String) throws {
    let names = [
      "time", "mode", "status", "lat", "lon", "alt", "altMSL", "altHAE", "eph", "epx", "epy",
      "epv", "speed", "track",
    ]
    let members = names.map { #""\#($0)":\#(value)"# }.joined(separator: ",")
    #expect(try unpack(#"{"class":"TPV",\#(members)}"#) == .position(.init()))
    #expect(
      try unpack(#"{"class":"SKY","hdop":\#(value),"satellites":\#(value)}"#)
        == .sky(
          value == "[1]" || value == #"["class"]"#
            ? .init(satellitesUsed: 0, satellitesInView: 0) : .init()))
  }

  @Test(
    "a mode or status out of range is none", arguments: ["2.5", "4294967298", "2e16", "-3", "9e9"])
  func outOfRange(number: String) throws {
    #expect(
      try unpack(#"{"class":"TPV","mode":\#(number)}"#) == .position(.init()))
    let kind = try unpack(#"{"class":"TPV","status":\#(number)}"#).position?.kind
    #expect(kind == nil || number == "-3")
  }
}
