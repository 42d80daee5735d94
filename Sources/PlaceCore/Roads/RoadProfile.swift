/// The meaning of a way's tags to all kinds of travellers.
package enum RoadProfile {
  /// Nil where nobody may go. `metres`: how long the way is, for ferries whose time is known.
  package static func kind(of tags: WayTags, metres: Double, isLeftHand: Bool) -> RoadKind? {
    let all = [CarProfile.travel(tags), FootProfile.travel(tags), BicycleProfile.travel(tags)]
    var kind = RoadKind()
    kind.traits = traits(tags, isLeftHand)
    for (mode, travel) in all.enumerated() {
      guard let travel else { continue }
      for (i, lane) in [travel.ahead, travel.back].enumerated() {
        guard lane.isUsable else { continue }
        let whole = travel.seconds.map { pace($0, metres) }
        kind.times[mode * 2 + i] = whole ?? lane.time
        kind.costs[mode * 2 + i] = whole.map { shared($0, lane.share) } ?? lane.cost
        if lane.isLocal { kind.traits.insert(.local(mode, isBack: i == 1)) }
        if lane.isPushed { kind.traits.insert(i == 0 ? .pushedAhead : .pushedBack) }
      }
    }
    return kind.costs.contains { $0 > 0 } ? kind : nil
  }

  /// Ways whose kind depends on their length.
  package static func isTimed(_ tags: WayTags) -> Bool {
    tags["duration"] != nil && (tags["route"] != nil || tags["bridge"] == "movable")
  }

  /// Three digits of it, as ferries of a country are not to make thousands of kinds.
  private static func pace(_ seconds: Double, _ metres: Double) -> UInt32 {
    var (pace, scale) = (min(max(seconds * 100_000 / max(metres, 1), 1), 36_000_000), 1.0)
    while pace >= 1000 { (pace, scale) = (pace / 10, scale * 10) }
    return UInt32(pace.rounded() * scale)
  }

  private static func shared(_ pace: UInt32, _ share: Double) -> UInt32 {
    UInt32(min((Double(pace) / share).rounded(), 360_000_000))
  }

  private static func traits(_ tags: WayTags, _ isLeftHand: Bool) -> RoadTraits {
    let highway = tags["highway"] ?? ""
    let tolls = tags.directed(["toll"])
    var traits: RoadTraits = []
    // A toll of one direction is avoided in both.
    if tolls.ahead == "yes" || tolls.back == "yes" { traits.insert(.toll) }
    if ["ferry", "shuttle_train"].contains(tags["route"]) { traits.insert(.ferry) }
    if highway == "motorway" || highway == "motorway_link" { traits.insert(.motorway) }
    if isUnpaved(tags) { traits.insert(.unpaved) }
    if ["roundabout", "circular"].contains(tags["junction"]) { traits.insert(.roundabout) }
    if highway.hasSuffix("_link") { traits.insert(.ramp) }
    if highway == "steps" { traits.insert(.stairs) }
    if let tunnel = tags["tunnel"], tunnel != "no" { traits.insert(.tunnel) }
    let side = tags["driving_side"]
    if side == "left" || isLeftHand && side != "right" { traits.insert(.leftHand) }
    return traits
  }

  /// By the surface; a track that says nothing of it is unpaved, too.
  private static func isUnpaved(_ tags: WayTags) -> Bool {
    if let surface = tags["surface"] { return unpaved.contains(surface) }
    if let grade = tags["tracktype"] { return grade != "grade1" }
    return tags["highway"] == "track"
  }

  private static let unpaved: Set<String> = [
    "unpaved", "compacted", "fine_gravel", "gravel", "pebblestone", "ground", "dirt", "earth",
    "grass", "mud", "sand", "woodchips", "rock", "rocky", "stone", "clay", "laterite", "ice",
    "snow", "unsealed",
  ]

  /// The tags that decide on a road's kind.
  package static let keys: Set<String> = {
    let directed = [
      "motorcar", "motor_vehicle", "vehicle", "access", "foot", "bicycle", "maxheight:physical",
      "maxheight", "maxwidth:physical", "maxwidth", "width", "est_width", "maxlength",
      "maxweightrating", "maxweight", "maxspeed:advisory", "maxspeed", "source:maxspeed",
      "maxspeed:type", "hov:lanes", "toll",
    ]
    let others = [
      "highway", "route", "bridge", "railway", "public_transport", "man_made", "amenity", "area",
      "construction", "proposed", "impassable", "status", "motorroad", "service", "oneway",
      "oneway:motorcar", "oneway:motor_vehicle", "oneway:vehicle", "oneway:foot", "oneway:bicycle",
      "junction", "duration", "hov", "surface", "tracktype", "smoothness", "lanes",
      "lane_markings", "side_road", "priority", "sidewalk", "sidewalk:both", "sidewalk:left",
      "sidewalk:right", "conveying", "cycleway", "cycleway:both", "cycleway:left",
      "cycleway:right", "tunnel", "driving_side",
    ]
    return Set(others + directed.flatMap { [$0, $0 + ":forward", $0 + ":backward"] })
  }()

  /// Its name; a road without one has its numbers.
  package static func name(_ tags: WayTags) -> String? {
    if let name = tags["name"] { return name }
    if ["footway", "cycleway", "path"].contains(tags["highway"]),
      tags["footway"] == "sidewalk" || tags["cycleway"] == "sidepath"
        || tags["is_sidepath"] == "yes",
      let name = tags.first(of: ["is_sidepath:of:name", "street:name"])
    {
      return name
    }
    return tags["ref"].map { $0.split(separator: ";").map(\.unpadded).joined(separator: ", ") }
  }

  package static let nameKeys: Set<String> = [
    "name", "ref", "footway", "is_sidepath", "is_sidepath:of:name", "street:name",
  ]
}
