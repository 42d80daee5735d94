package import LocationModel

/// An entry in our own words: what is unknown is left out.
extension TrackEntry {
  package var json: JSON {
    [
      "number": .integer(number), "kind": .string("\(kind)"),
      "timestamp": .string(timestamp.iso8601), "latitude": .number(coordinate.latitude),
      "longitude": .number(coordinate.longitude),
      "horizontalAccuracy": .number(horizontalAccuracy), "altitude": altitude.map(JSON.number),
      "verticalAccuracy": verticalAccuracy.map(JSON.number), "speed": speed.map(JSON.number),
      "course": course.map(JSON.number), "region": region.map(JSON.string),
      "regionID": regionID.map(JSON.string),
      "regionMade": regionMade.map { .string($0.iso8601) },
      "inside": inside.isEmpty ? nil : .array(inside.map(\.json)),
      "arrivalDate": arrival.map { .string($0.iso8601) },
      "departureDate": departure.map { .string($0.iso8601) },
      "battery": circumstances.battery.map { .integer(Int64($0)) },
      "power": circumstances.power.map { .string("\($0)") },
      "network": circumstances.network.map { .string("\($0)") },
    ]
  }

  private static let kinds = Dictionary(
    uniqueKeysWithValues: Kind.allCases.map { ("\($0)", $0) })

  /// Nil where a place, an accuracy or a date is missing or impossible.
  package init?(_ json: JSON) {
    guard let location = Location(json),
      let kind = json["kind"]?.string.flatMap({ Self.kinds[$0] })
    else { return nil }
    self.init(kind, location)
    number = json["number"]?.integer ?? 0
    region = json["region"]?.string
    regionID = json["regionID"]?.string
    regionMade = json["regionMade"]?.string.flatMap(Timestamp.init(iso8601:))
    inside = json["inside"]?.array?.compactMap(RegionLabel.init) ?? []
    if kind == .departure {
      arrivalDate = json["arrivalDate"]?.string.flatMap(Timestamp.init(iso8601:))
    }
    circumstances.battery = json["battery"]?.integer.flatMap { Int(exactly: $0) }
    // Names are made by reflection: only where there is one.
    circumstances.power = json["power"]?.string.flatMap { name in
      Circumstances.Power.allCases.first { "\($0)" == name }
    }
    circumstances.network = json["network"]?.string.flatMap { name in
      Circumstances.Network.allCases.first { "\($0)" == name }
    }
  }
}

extension TrackEntry.RegionLabel {
  package var json: JSON { ["name": .string(name), "id": .string(id)] }

  package init?(_ json: JSON) {
    guard let name = json["name"]?.string, let id = json["id"]?.string else { return nil }
    self.init(name: name, id: id)
  }
}
