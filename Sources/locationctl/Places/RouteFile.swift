import LocationModel

// Ways as files that other programs read.

extension Routes {
  /// A feature, or a collection of them where there are several ways.
  var geojson: JSON {
    let features = routes.map(feature)
    if features.count == 1 { return features[0] }
    return ["type": "FeatureCollection", "features": .array(features)]
  }

  private func feature(_ route: Route) -> JSON {
    [
      "type": "Feature",
      "geometry": [
        "type": "LineString", "coordinates": .array(route.polyline.map(Self.position)),
      ],
      "properties": [
        "name": .string(route.name), "distance": .number(route.distance),
        "expectedTravelTime": .number(route.expectedTravelTime),
        "transport": .string(route.transport.rawValue), "engine": .string(route.engine),
        "advisories": .array(route.advisories.map(JSON.string)),
        "attribution": .string(attribution),
        "steps": .array(
          route.steps.map {
            [
              "instructions": .string($0.instructions), "distance": .number($0.distance),
              "start": $0.polyline.first.map(Self.position),
            ]
          }),
      ],
    ]
  }

  /// Longitude first, as RFC 7946 has it.
  private static func position(_ place: Coordinate) -> JSON {
    .array([.number(place.longitude), .number(place.latitude)])
  }

  /// GPX 1.1: each way as a route of its steps, and as a track of its line.
  var gpx: [String] {
    var lines = [
      #"<?xml version="1.0" encoding="UTF-8"?>"#,
      #"<gpx version="1.1" creator="locationd" xmlns="http://www.topografix.com/GPX/1/1">"#,
      "<metadata><desc>\(Self.escaped(attribution))</desc></metadata>",
    ]
    for route in routes {
      lines.append("<rte>\(Self.name(route))")
      for step in route.steps {
        guard let start = step.polyline.first else { continue }
        lines.append(
          "<rtept \(Self.attributes(start))><desc>\(Self.escaped(step.instructions))</desc></rtept>"
        )
      }
      lines.append("</rte>")
    }
    for route in routes {
      lines.append("<trk>\(Self.name(route))<trkseg>")
      lines += route.polyline.map { "<trkpt \(Self.attributes($0))/>" }
      lines.append("</trkseg></trk>")
    }
    return lines + ["</gpx>"]
  }

  private static func name(_ route: Route) -> String {
    route.name.isEmpty ? "" : "<name>\(escaped(route.name))</name>"
  }

  private static func attributes(_ place: Coordinate) -> String {
    #"lat="\#(Describe.fixed(place.latitude, 6))" lon="\#(Describe.fixed(place.longitude, 6))""#
  }

  /// Of a length that no line of the output is cut for.
  private static func escaped(_ text: String) -> String {
    text.plain(atMost: 500).markup
  }
}
