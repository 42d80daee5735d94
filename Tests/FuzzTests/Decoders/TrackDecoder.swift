import LocationModel
import TrackCore

extension Decoder {
  /// What servers, clients and the disk say to the tracker.
  static var track: Decoder {
    let waypoint =
      #"{"_type":"waypoint","desc":"work","lat":37.3,"lon":-122.3,"rad":100,"rid":"ID-2","tst":1710104384}"#
    let command =
      #"{"_type":"cmd","action":"setWaypoints","waypoints":{"_type":"waypoints","waypoints":["#
    let entry =
      #"{"number":7,"kind":"enter","timestamp":"2026-03-01T10:00:00Z","latitude":45,"longitude":7,"#
      + #""horizontalAccuracy":5,"region":"home","regionMade":"2026-03-01T09:00:00Z","#
      + #""inside":[{"name":"home","id":"home"}]}"#
    return Decoder(
      name: "track",
      words: extremes + [
        #""_type":"cmd""#, #""action":"status""#, #""waypoints":["#, #""rad":"#, #""rid":"#,
        #""tst":"#, #""uuid":"#, #""method":"entries""#, #""after":"#, #""limit":"#, "1-500,",
        "2026-11:5000,", "mqtts://", "?version=5", "@", "]:8883/", "null", "{", "}", "[", "]",
      ],
      seeds: [
        [UInt8](0x40, command + waypoint + "," + waypoint + "]}}"),
        [UInt8](0x41, entry),
        [UInt8](0x42, #"{"id":1,"method":"entries","params":{"after":5,"limit":9}}"#),
        [UInt8](0x43, "1-500,700-900"),
        [UInt8](0x43, "mqtts://ann@[::1]:8883/owntracks/ann/van?version=5"),
      ]
    ) { input in
      let (choice, bytes) = input.choice
      let text = String(decoding: bytes, as: UTF8.self)
      switch choice & 3 {
      case 0: follow(bytes)
      case 1: if let json = try? JSON(parsing: text) { send(json) }
      case 2: bytes.withUnsafeBytes { _ = TrackCall.parse($0) }
      default:
        if let confirmed = Confirmed(text: text) {
          check(Confirmed(text: confirmed.text) == confirmed, "other numbers")
        }
        _ = try? UplinkAddress(text)
      }
    }
  }

  private static let noon = Timestamp(microseconds: 1_772_359_200_000_000)

  private static func follow(_ bytes: [UInt8]) {
    guard case .setWaypoints(let wishes, _) = try? OwnTracks.Command(bytes) else { return }
    var book = WaypointBook()
    let home = Region(
      identifier: "work", .circle(Coordinate(latitude: 1, longitude: 2), radius: 3))
    book.configure([home], owners: ["a"], at: noon)
    _ = book.follow(wishes, of: "a", at: noon)
    check(book.waypoints.first?.region == home, "the configuration's is another")
    let words = OwnTracks(device: "van")
    for waypoint in book.waypoints {
      if let region = waypoint.region { check((try? Region(region.json)) == region, "no region") }
      check(words.waypoint(waypoint) != nil, "no words for it")
    }
  }

  private static func send(_ json: JSON) {
    guard let entry = TrackEntry(json) else { return }
    let again = TrackEntry(entry.json)
    check(again?.kind == entry.kind && again?.inside == entry.inside, "another entry")
    _ = OwnTracks(device: "van").message(entry).json.text
    _ = OsmAnd.query(entry, device: "van") + OsmAnd.json(entry, device: "van").text
  }
}
