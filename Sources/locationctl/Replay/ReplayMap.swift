import Console
import Geodesy
import LocationCore
import LocationModel

/// A replay's events as GeoJSON, for a map: the track is a line, regions are areas; locations, visits and
/// crossings are points.
struct ReplayMap: ReplaySheet, ~Copyable {
  private var text = TextBuffer(capacity: 1 << 16)
  private var isFirst = true
  /// Where it was last, which is where a region was entered or left.
  private var last: Coordinate?
  private var track: [Coordinate] = []
  private static let corners = 64

  init(_ regions: [Region]) {
    text.append("{\"type\":\"FeatureCollection\",\"features\":[")
    for region in regions {
      switch region.shape {
      case .circle(let centre, let radius):
        let ring = (0...Self.corners).map {
          centre.moved(radius, towards: Double($0 % Self.corners) * 360 / Double(Self.corners))
        }
        add(
          ["type": "Polygon", "coordinates": .array([.array(ring.map(Self.position))])],
          [
            "identifier": .string(region.identifier), "radius": .number(radius),
            "centre": Self.position(centre),
          ])
      case .polygon(let points, let holes):
        let rings = ([points] + holes).map { ring in
          JSON.array((ring + ring.prefix(1)).map(Self.position))
        }
        add(
          ["type": "Polygon", "coordinates": .array(rings)],
          ["identifier": .string(region.identifier)])
      case .beacon: break
      }
    }
  }

  mutating func see(_ location: Location) {
    last = location.coordinate
    track.append(location.coordinate)
  }

  mutating func write(_ event: Event, at moment: Timestamp) {
    var place = last
    var properties: [JSON.Member] = [
      .init(key: "event", value: .string("\(event.name)")),
      .init(key: "timestamp", value: .string(Describe.universalTime(moment))),
    ]
    func note(_ key: String, _ value: JSON?) {
      if let value { properties.append(.init(key: key, value: value)) }
    }
    switch event {
    case .didUpdateLocations(let location, let service):
      place = location.coordinate
      note("service", .string(service.rawValue))
      note("horizontalAccuracy", .number(location.horizontalAccuracy))
    case .didVisit(let visit):
      place = visit.coordinate
      note("horizontalAccuracy", .number(visit.horizontalAccuracy))
      note("arrivalDate", visit.arrivalDate.map { .string(Describe.universalTime($0)) })
      note("departureDate", visit.departureDate.map { .string(Describe.universalTime($0)) })
    case .didEnterRegion(let identifier, _), .didExitRegion(let identifier, _):
      note("region", .string(identifier))
    default: return
    }
    guard let place else { return }
    add(Self.point(place), .object(properties))
  }

  private mutating func add(_ geometry: JSON, _ properties: JSON) {
    text.append(isFirst ? "\n" : ",\n")
    isFirst = false
    text.append(["type": "Feature", "geometry": geometry, "properties": properties])
  }

  private static func point(_ place: Coordinate) -> JSON {
    ["type": "Point", "coordinates": position(place)]
  }

  /// GeoJSON has the longitude first.
  private static func position(_ place: Coordinate) -> JSON {
    .array([.number(place.longitude), .number(place.latitude)])
  }

  mutating func flush() throws(Failure) {
    try Output.write(text.bytes)
    text.removeAll()
  }

  mutating func end() throws(Failure) {
    if track.count > 1 {
      add(
        ["type": "LineString", "coordinates": .array(track.map(Self.position))],
        ["name": "track"])
    }
    text.append("\n]}\n")
    try flush()
  }
}
