import LocationCore
import LocationModel
import ReceiverCore

@testable import locationctl

extension Decoder {
  static func lines(_ recordings: Recordings) -> Decoder {
    let line =
      #"{"timestamp":"2025-06-15T12:00:00Z","latitude":50.0,"longitude":8.0,"altitude":1,"#
      + #""horizontalAccuracy":5,"verticalAccuracy":8,"speed":1.5,"course":90}"#
    let scan =
      #"{"timestamp":1750000000,"wifi":[{"macAddress":"10:00:00:00:00:0a","ssid":"a","#
      + #""signalStrength":-61,"frequency":2412,"age":1500}]}"#
    return Decoder(
      name: "lines",
      words: extremes + [
        #""timestamp":"#, #""latitude":"#, #""longitude":"#, #""horizontalAccuracy":"#,
        #""verticalAccuracy":"#, #""speed":"#, #""course":"#, #""altitude":"#, "null", "{", "}",
        "\n", #""wifi":["#, #""macAddress":"#, #""age":"#, #""signalStrength":"#,
      ],
      seeds: [
        [0x40] + recordings.beginning("parachute.jsonl", 700),
        [0x40] + recordings.beginning("Tracks/car-and-bike.jsonl", 700),
        [UInt8](0x40, line + "\n" + line.replacing("12:00:00Z", with: "12:00:09.5+02:00")),
        [UInt8](0x40, #"{"timestamp":1750000000.5}"# + "\n" + line),
        [UInt8](0x40, scan + "\n" + line),
      ]
    ) { input in
      let (choice, rest) = input.choice
      readRecording(Array("{\n".utf8) + rest, by: 1 + Int(choice >> 3) * 8)
    }
  }

  static var gpx: Decoder {
    let point =
      #"<trkpt lat="50.0" lon="8.0"><ele>1</ele><time>2025-06-15T12:00:00Z</time><speed>2</speed>"#
      + "<course>90</course><hdop>1</hdop><vdop>2</vdop><pdop>3</pdop><sat>8</sat><fix>3d</fix>"
      + "<geoidheight>47</geoidheight></trkpt>"
    return Decoder(
      name: "gpx",
      words: extremes + [
        "<trkpt ", "lat=\"", "lon='", "<time>", "</time>", "<ele>", "</ele>", "<hdop>", "</hdop>",
        "</trkpt>", "/>", "<![CDATA[", "]]>", "<!--", "-->", "<?xml", "?>", "<!DOCTYPE gpx [", "]>",
        "<gpx:", "<fix>none</fix>", "<sat>",
      ],
      seeds: [
        [UInt8](0x40, #"<?xml version="1.0"?><!-- a --><gpx><trk><trkseg>\#(point)\#(point)"#),
        [UInt8](0x40, #"<gpx><trkpt lon="1" lat="2"/>"# + point),
        [UInt8](0x40, "<!DOCTYPE gpx [<!ENTITY a \"b\">]><a:gpx><![CDATA[>]]>" + point),
      ]
    ) { input in
      let (choice, rest) = input.choice
      readRecording(Array("<gpx>".utf8) + rest, by: 1 + Int(choice >> 3) * 8)
    }
  }

  /// A recording of any kind, whole and in pieces, and what comes of it.
  static func readRecording(_ bytes: [UInt8], by piece: Int) {
    func read(by piece: Int) -> [Reading] {
      var decoder = RecordingDecoder(dateless: 18_262)
      var readings: [Reading] = []
      bytes.forEachPiece(of: piece) { decoder.read($0, at: .start, into: &readings) }
      decoder.flush(at: .start, into: &readings)
      return readings
    }
    let whole = read(by: bytes.count)
    check(whole == read(by: piece), "it matters how the bytes are cut")
    look(at: whole, from: bytes.count)
    replay(whole)
  }

  /// As `locationctl replay` does.
  static func replay(_ readings: [Reading]) {
    guard !readings.isEmpty else { return }
    var wishes = Replay.Wishes()
    wishes.locations = true
    wishes.significant = true
    wishes.visits = true
    wishes.headings = true
    let centre = Coordinate(latitude: 50, longitude: 8)
    wishes.regions = [Region(identifier: "a", .circle(centre, radius: 200))]
    var replay = Replay(wishes)
    var page = ReplayPage(asJSON: false)
    var last: Timestamp?
    func write(_ event: Event, at moment: Timestamp) {
      check(last.map { $0 <= moment } ?? true, "it went back in time")
      last = moment
      page.write(event, at: moment)
    }
    for reading in readings { replay.handle(reading, tell: write) }
    replay.end(tell: write)
  }
}
