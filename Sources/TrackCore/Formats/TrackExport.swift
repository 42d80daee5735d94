import LocationModel

/// A track as a file that other programs read. It is written as the entries come: twice for a format that
/// wants its events before its line.
package struct TrackExport: Sendable {
  package enum Format: String, CaseIterable, Sendable {
    case gpx, geojson, csv, kml, ndjson
  }

  /// The part that is written in one reading of the track.
  package enum Pass: Sendable { case events, line }

  private let format: Format
  private var isFirst = true
  private var last: TrackEntry?

  /// A line is not drawn over a longer silence.
  private static let gap: Duration = .seconds(1800)

  package init(_ format: Format) { self.format = format }

  /// The readings of the track, in order.
  package var passes: [Pass] {
    switch format {
    case .gpx, .kml: [.events, .line]
    case .geojson, .csv, .ndjson: [.line]
    }
  }

  package var beginning: String {
    switch format {
    case .gpx:
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <gpx version="1.1" creator="locationd" xmlns="http://www.topografix.com/GPX/1/1">

      """
    case .kml:
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <kml xmlns="http://www.opengis.net/kml/2.2"><Document>

      """
    case .geojson: "{\"type\":\"FeatureCollection\",\"features\":[\n"
    case .csv: Self.columns.map(\.name).joined(separator: ",") + "\n"
    case .ndjson: ""
    }
  }

  package mutating func begin(_ pass: Pass) -> String {
    last = nil
    return ""
  }

  package mutating func write(_ entry: TrackEntry, _ pass: Pass) -> String {
    defer { if pass == .line { last = entry } }
    switch (format, pass) {
    case (.gpx, .events): return entry.kind == .place ? "" : waypoint(entry)
    case (.gpx, .line):
      return breaks(entry, "</trkseg><trkseg>\n", first: "<trk><trkseg>\n") + point(entry)
    case (.kml, .events): return entry.kind == .place ? "" : placemark(entry)
    case (.kml, .line):
      return breaks(
        entry, "</coordinates></LineString><LineString><coordinates>\n",
        first: "<Placemark><name>Track</name><MultiGeometry><LineString><coordinates>\n")
        + "\(position(entry))\n"
    case (.geojson, _): return feature(entry)
    case (.csv, _): return row(entry)
    case (.ndjson, _): return entry.json.text + "\n"
    }
  }

  package func end(_ pass: Pass) -> String {
    guard pass == .line, last != nil else { return "" }
    switch format {
    case .gpx: return "</trkseg></trk>\n"
    case .kml: return "</coordinates></LineString></MultiGeometry></Placemark>\n"
    default: return ""
    }
  }

  package var ending: String {
    switch format {
    case .gpx: "</gpx>\n"
    case .kml: "</Document></kml>\n"
    case .geojson: "]}\n"
    case .csv, .ndjson: ""
    }
  }

  /// A track without entries has no line: `first` comes with the first of them.
  private func breaks(_ entry: TrackEntry, _ text: String, first: String) -> String {
    guard let last else { return first }
    let pause = entry.timestamp - last.timestamp
    return pause < .zero || pause >= Self.gap ? text : ""
  }
}

// MARK: - XML

extension TrackExport {
  private func point(_ entry: TrackEntry) -> String {
    "<trkpt \(attributes(entry))>\(elevation(entry))<time>\(entry.timestamp.iso8601)</time></trkpt>\n"
  }

  private func waypoint(_ entry: TrackEntry) -> String {
    "<wpt \(attributes(entry))>\(elevation(entry))<time>\(entry.timestamp.iso8601)</time>"
      + "<name>\(name(entry))</name><type>\(entry.kind)</type></wpt>\n"
  }

  private func attributes(_ entry: TrackEntry) -> String {
    "lat=\"\(decimal(entry.coordinate.latitude, 7))\""
      + " lon=\"\(decimal(entry.coordinate.longitude, 7))\""
  }

  private func elevation(_ entry: TrackEntry) -> String {
    entry.altitude.map { "<ele>\(decimal($0, 2))</ele>" } ?? ""
  }

  private func placemark(_ entry: TrackEntry) -> String {
    "<Placemark><name>\(name(entry))</name><TimeStamp><when>\(entry.timestamp.iso8601)</when>"
      + "</TimeStamp><Point><coordinates>\(position(entry))</coordinates></Point></Placemark>\n"
  }

  private func position(_ entry: TrackEntry) -> String {
    let numbers = [entry.coordinate.longitude, entry.coordinate.latitude].map { decimal($0, 7) }
    return (numbers + (entry.altitude.map { [decimal($0, 2)] } ?? [])).joined(separator: ",")
  }

  private func name(_ entry: TrackEntry) -> String {
    (entry.region ?? "\(entry.kind)").plain().markup
  }

  private func decimal(_ value: Double, _ places: Int) -> String {
    var buffer = TextBuffer(capacity: 24)
    buffer.append(decimal: value, places: places)
    return String(decoding: buffer.bytes, as: UTF8.self)
  }
}

// MARK: - GeoJSON and CSV

extension TrackExport {
  private mutating func feature(_ entry: TrackEntry) -> String {
    let coordinates: [JSON] = [
      .number(entry.coordinate.longitude), .number(entry.coordinate.latitude),
    ]
    var properties = entry.json.members ?? []
    properties.removeAll { ["latitude", "longitude"].contains($0.key) }
    let feature: JSON = [
      "type": "Feature",
      "geometry": [
        "type": "Point",
        "coordinates": .array(coordinates + (entry.altitude.map { [.number($0)] } ?? [])),
      ],
      "properties": .object(properties),
    ]
    defer { isFirst = false }
    return (isFirst ? "" : ",\n") + feature.text
  }

  private struct Column {
    var name: String
    var isText = false
  }

  private static let columns =
    ["number", "kind", "timestamp", "latitude", "longitude", "horizontalAccuracy", "altitude"]
    .map { Column(name: $0) }
    + ["verticalAccuracy", "speed", "course"].map { Column(name: $0) }
    + [Column(name: "region", isText: true)]
    + ["arrivalDate", "battery", "power", "network"].map { Column(name: $0) }

  private func row(_ entry: TrackEntry) -> String {
    let json = entry.json
    let fields = Self.columns.map { column in
      switch json[column.name] {
      case .string(let text): column.isText ? CSV.quoted(CSV.harmless(text)) : text
      case let value?: value.text
      case nil: ""
      }
    }
    return fields.joined(separator: ",") + "\n"
  }
}
