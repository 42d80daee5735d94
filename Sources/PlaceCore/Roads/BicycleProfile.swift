/// Where people cycle, and where they push their bicycles: the facts of OSRM's profile for bicycles. Where it differs: a
/// motorway is one-way on a movable bridge, too.
enum BicycleProfile {
  static let access = AccessWords(
    keys: ["bicycle", "vehicle", "access"], lets: ["yes", "permissive", "designated"],
    bars: ["no", "private", "agricultural", "forestry", "delivery", "use_sidepath"])

  static func travel(_ tags: WayTags) -> Travel? {
    if ShutWords(construction: true, motorroads: true).isShut(tags) { return nil }
    let words = access.words(of: tags)
    if access.isBarred(tags.first(of: access.keys))
      || access.isBarred(words.ahead) && access.isBarred(words.back)
    {
      return nil
    }
    var travel = Travel()
    let allowsPushing = setSpeed(&travel, tags)
    let oneway = tags.first(of: known(tags["oneway:bicycle"]) ? ["oneway:bicycle"] : ["oneway"])
    let isOneWay =
      ["roundabout", "circular"].contains(tags["junction"]) || tags["highway"] == "motorway"
    travel.obey(oneway: isOneWay && !known(oneway) ? "yes" : oneway)
    followCycleway(&travel, tags, isOneWay: isOneWay)
    push(&travel, tags, allows: allowsPushing, isOneWay: isOneWay)
    let limit = positive(tags["maxspeed"])
    travel.ahead.limit(positive(tags["maxspeed:forward"]) ?? limit)
    travel.back.limit(positive(tags["maxspeed:backward"]) ?? limit)
    travel.shut(by: words, access)
    if hasCyclewayBeside(tags) { return nil }
    travel.limit(on: BicycleTables.surfaces, tags["surface"])
    travel.limit(21)
    return travel
  }

  private static func known(_ oneway: String?) -> Bool {
    oneway.map { ["yes", "1", "true", "no", "0", "false", "-1"].contains($0) } ?? false
  }

  private static func positive(_ sign: String?) -> Double? {
    Measures.speed(sign).flatMap { $0 > 0 ? $0 : nil }
  }

  /// The result: a bicycle may be pushed there.
  private static func setSpeed(_ travel: inout Travel, _ tags: WayTags) -> Bool {
    let isPlatform = tags["railway"] == "platform" || tags["public_transport"] == "platform"
    let isLet = tags.first(of: access.keys).map(access.lets.contains) ?? false
    if tags["bridge"] == "movable" {
      travel.board(tags, 5)
    } else if tags["route"] == "ferry" {
      travel.board(tags, 5)
      return false
    } else if isPlatform {
      travel.setSpeed(4)
    } else if isLet, BicycleTables.rails.contains(tags["railway"] ?? "") {
      travel.setSpeed(10)
      return false
    } else if ["parking", "parking_entrance"].contains(tags["amenity"]) {
      travel.setSpeed(10)
    } else if let speed = BicycleTables.speeds[tags["highway"] ?? ""] {
      travel.setSpeed(speed)
    } else if isLet {
      travel.setSpeed(15)
    } else {
      return false
    }
    return true
  }

  /// A cycleway beside the road opens its direction, whatever the cars' is.
  private static func followCycleway(
    _ travel: inout Travel, _ tags: WayTags, isOneWay: Bool
  ) {
    let isBothWays = travel.ahead.isOpen && travel.back.isOpen && !isOneWay
    let isReverse = !travel.ahead.isOpen
    let way = tags.first(of: ["cycleway", "cycleway:both"])
    let (left, right) = (tags["cycleway:left"], tags["cycleway:right"])
    func with(_ words: String?...) -> Bool {
      words.contains { $0.map(BicycleTables.cycleways.contains) ?? false }
    }
    func against(_ words: String?...) -> Bool {
      words.contains { $0.map(BicycleTables.opposite.contains) ?? false }
    }
    var (ahead, back) = (false, false)
    if isBothWays {
      ahead = with(way, right) || against(left)
      back = with(way, left) || against(right)
    } else if against(way, left, right) {
      (ahead, back) = (true, true)
    } else if with(way, left, right) {
      (ahead, back) = (!isReverse, isReverse)
    }
    if ahead { (travel.ahead.isOpen, travel.ahead.speed) = (true, 15) }
    if back { (travel.back.isOpen, travel.back.speed) = (true, 15) }
  }

  /// Where nobody may cycle, people push: along footways, and against oneways.
  private static func push(
    _ travel: inout Travel, _ tags: WayTags, allows: Bool, isOneWay: Bool
  ) {
    let walk = 4.0
    if tags["foot"] != "no" {
      var (ahead, back): (Double?, Double?) = (nil, nil)
      if let speed = BicycleTables.walks[tags["highway"] ?? ""], tags["bridge"] != "movable" {
        (ahead, back) = (speed, speed)
      } else if tags["man_made"] == "pier" {
        (ahead, back) = (walk, walk)
      } else if tags["foot"] == "yes" {
        (ahead, back) = (walk, isOneWay ? nil : walk)
      } else if tags["foot:forward"] == "yes" {
        ahead = walk
      } else if tags["foot:backward"] == "yes" {
        back = walk
      } else if allows {
        (ahead, back) = (walk, isOneWay ? nil : walk)
      }
      push(&travel.ahead, ahead)
      push(&travel.back, back)
    }
    if tags["bicycle"] == "dismount" {
      for lane in [\Travel.ahead, \Travel.back] {
        travel[keyPath: lane].speed = nil
        push(&travel[keyPath: lane], walk)
      }
    }
  }

  private static func push(_ lane: inout Travel.Lane, _ speed: Double?) {
    guard let speed, !lane.isOpen || lane.speed == nil else { return }
    (lane.isOpen, lane.isPushed, lane.speed) = (true, true, speed)
  }

  /// People have to take it, unless they are let in by name.
  private static func hasCyclewayBeside(_ tags: WayTags) -> Bool {
    let isSeparate = ["cycleway", "cycleway:both", "cycleway:left", "cycleway:right"]
      .contains { tags[$0] == "separate" }
    return isSeparate
      && !["yes", "permissive", "designated", "destination"].contains(tags["bicycle"])
  }
}

/// Numbers and words of OSRM's profile for bicycles.
private enum BicycleTables {
  static let speeds: [String: Double] = [
    "cycleway": 15, "primary": 15, "primary_link": 15, "secondary": 15, "secondary_link": 15,
    "tertiary": 15, "tertiary_link": 15, "residential": 15, "unclassified": 15,
    "living_street": 15, "service": 15, "track": 12, "path": 13,
  ]

  static let walks: [String: Double] = ["footway": 4, "pedestrian": 4, "steps": 2]

  static let rails: Set<String> = [
    "train", "railway", "subway", "light_rail", "monorail", "tram",
  ]

  static let cycleways: Set<String> = [
    "track", "lane", "share_busway", "sharrow", "shared", "shared_lane",
  ]

  static let opposite: Set<String> = ["opposite", "opposite_lane", "opposite_track"]

  static let surfaces: [String: Double] = [
    "asphalt": 15, "chipseal": 15, "concrete": 15, "concrete_lanes": 15, "wood": 10, "metal": 10,
    "cobblestone:flattened": 10, "paving_stones": 10, "compacted": 10, "cobblestone": 7,
    "unpaved": 6, "fine_gravel": 10, "gravel": 6, "pebblestone": 6, "grass_paver": 6, "ground": 10,
    "dirt": 8, "earth": 6, "laterite": 5, "grass": 6, "mud": 3, "sand": 3, "woodchips": 3,
    "sett": 9,
  ]
}
