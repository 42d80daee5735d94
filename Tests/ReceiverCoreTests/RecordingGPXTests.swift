import LocationModel
import Testing

@testable import ReceiverCore

private func fixes(gpx body: String, by piece: Int = 4096) -> [Fix] {
  decode("<?xml version=\"1.0\"?>\n<gpx>\(body)</gpx>", by: piece).compactMap {
    if case .fix(let fix) = $0 { fix } else { nil }
  }
}

private let point = "<trkpt lat='50' lon='8'><time>2025-06-15T12:00:00Z</time></trkpt>"

@Suite struct RecordingGPXTests {
  @Test func aTrackPointSaysAllThatItMay() throws {
    for piece in [1, 5, 4096] {
      let fix = try #require(
        fixes(
          gpx: """
            <trk><trkseg><trkpt lon="8.25" lat="-50.5" >
              <ele> 35.5 </ele><time>2025-06-15T14:00:00.250+02:00</time><geoidheight>48</geoidheight>
              <fix>dgps</fix><sat>9</sat><hdop>0.9</hdop><vdop>1.1</vdop><pdop>1.4</pdop>
              <extensions><x:TrackPointExtension><x:speed>1.5</x:speed><x:course>360</x:course>
              </x:TrackPointExtension></extensions>
            </trkpt></trkseg></trk>
            """, by: piece
        ).first)
      let location = fix.location
      #expect(location.coordinate == Coordinate(latitude: -50.5, longitude: 8.25))
      #expect(text(of: location.timestamp) == "2025-06-15T12:00:00.250Z")
      #expect(location.altitude == 35.5)
      #expect(location.ellipsoidalAltitude == 83.5)
      #expect(location.horizontalAccuracy == 1.8)
      #expect(location.verticalAccuracy == 2.2)
      #expect(location.speed == 1.5)
      #expect(location.course == 0)
      #expect(fix.satellitesUsed == 9)
      #expect(fix.kind == .differential)
    }
  }

  @Test(arguments: [
    "<!-- \(point) -->", "<![CDATA[\(point)]]>", "<?x \(point) ?>", "<wpt lat='1' lon='2'/>",
    "<trkpt lat='50'><time>2025-06-15T12:00:00Z</time></trkpt>",
    "<trkpt lat='nan' lon='8'><time>2025-06-15T12:00:00Z</time></trkpt>",
    "<trkpt lat='91' lon='8'><time>2025-06-15T12:00:00Z</time></trkpt>",
    "<trkpt lat='50' lon='8'><fix>none</fix><time>2025-06-15T12:00:00Z</time></trkpt>",
    "<trkpt lat='50' lon='8'><time>soon</time></trkpt>", "<a b='\(point)'/>",
    "<!DOCTYPE gpx [ <!ENTITY a \"\(point)\"> ]>",
  ])
  func whatIsNoTrackPointWithATimeAndAPlaceIsNone(body: String) {
    #expect(fixes(gpx: body).isEmpty)
    #expect(fixes(gpx: body + point).count == 1)
  }

  @Test("a track without times is gone along at 10 m/s, from the beginning of its day")
  func timeless() {
    let track =
      "<trkpt lat='50' lon='8'/><trkpt lat='50.0009' lon='8'/><trkpt lat='50.0009' lon='8'/>"
    let times = fixes(gpx: track).map(\.location.timestamp)
    #expect(times.count == 3)
    guard times.count == 3 else { return }
    #expect((9.9...10.1).contains(times[1].seconds(since: times[0])))
    #expect(times[2].seconds(since: times[1]) == 1)
  }

  @Test("a point without a time in a track that has some is none")
  func lostTime() { #expect(fixes(gpx: point + "<trkpt lat='50' lon='8'/>").count == 1) }

  @Test func whatIsTooLongCostsNothingAndHidesNothing() {
    let long = String(repeating: "x", count: 1_000_000)
    for body in ["<\(long)>", "<a b='\(long)'>", long, "<!-- \(long) -->", "<a>\(long)</a>"] {
      #expect(fixes(gpx: body + point).count == 1)
    }
  }

  @Test func entitiesAreNotFollowed() {
    let bomb = (1..<20).reduce("<!ENTITY e0 \"ha\">") { all, i in
      all + "<!ENTITY e\(i) \"&e\(i - 1);&e\(i - 1);\">"
    }
    let body = "<!DOCTYPE gpx [\(bomb)]><trk><name>&e19;</name>\(point)</trk>"
    #expect(fixes(gpx: body).count == 1)
  }
}
