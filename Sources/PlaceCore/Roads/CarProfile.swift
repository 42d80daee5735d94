/// Where cars may go, and how fast: the facts of OSRM's profile for cars. Where it differs: a movable
/// bridge or a ferry does not open a direction that another tag shuts.
enum CarProfile {
  static func travel(_ tags: WayTags) -> Travel? {
    let highway = tags["highway"]
    if highway == nil, tags["route"] == nil { return nil }
    let shut = ShutWords(areas: true, construction: true)
    if shut.isShut(tags) || CarTables.never.contains(highway ?? "") { return nil }
    if tags["service"] == "emergency_access" { return nil }
    var travel = Travel()
    fit(&travel, tags)
    let access = CarTables.access.words(of: tags)
    let isStreet = CarTables.speeds[highway ?? ""] != nil
    travel.ahead.isLocal = isStreet && isLocal(access.ahead)
    travel.back.isLocal = isStreet && isLocal(access.back)
    travel.shut(by: access, CarTables.access)
    if travel.isClosed { return nil }
    travel.obey(oneway: oneway(tags))
    if let speed = CarTables.boats[tags["route"] ?? ""] {
      travel.board(tags, speed)
    } else if tags["bridge"] == "movable" {
      travel.board(tags, 5)
    } else if let speed = CarTables.speeds[highway ?? ""] {
      travel.setSpeed(speed)
    } else {
      travel.setSpeed(10, where: access, CarTables.access)
    }
    // A limit alone opens no track.
    if travel.ahead.speed == nil, travel.back.speed == nil { return nil }
    reserve(&travel, tags)
    setLimits(&travel, tags)
    travel.limit(on: CarTables.surfaces, tags["surface"])
    travel.limit(on: CarTables.tracks, tags["tracktype"])
    travel.limit(on: CarTables.smoothness, tags["smoothness"])
    slow(&travel, tags)
    return travel
  }

  private static func isLocal(_ word: String?) -> Bool {
    word.map(CarTables.access.local.contains) ?? false
  }

  /// A car of 2 tonnes, 4.8 m long, 1.9 m wide and 2 m high.
  private static func fit(_ travel: inout Travel, _ tags: WayTags) {
    let height = tags.directed(["maxheight:physical", "maxheight"]).map(Measures.height)
    let width = tags.directed(["maxwidth:physical", "maxwidth", "width", "est_width"])
      .map(Measures.metres)
    let length = tags.directed(["maxlength"]).map(Measures.metres)
    let weight = tags.directed(["maxweightrating", "maxweight"]).map(Measures.kilograms)
    func fits(_ side: KeyPath<Both<Double?>, Double?>) -> Bool {
      (height[keyPath: side] ?? 9) >= 2 && (width[keyPath: side] ?? 9) > 1.9
        && (length[keyPath: side] ?? 9) >= 4.8 && (weight[keyPath: side] ?? 9000) >= 2000
    }
    travel.ahead.isOpen = fits(\.ahead)
    travel.back.isOpen = fits(\.back)
  }

  private static let oneways = [
    "oneway:motorcar", "oneway:motor_vehicle", "oneway:vehicle", "oneway",
  ]

  private static func oneway(_ tags: WayTags) -> String? {
    let word = tags.first(of: oneways)
    if let word, ["-1", "yes", "1", "true", "no"].contains(word) { return word }
    let isOneWay =
      tags["highway"] == "motorway" || ["roundabout", "circular"].contains(tags["junction"])
    return isOneWay ? "yes" : word
  }

  /// Lanes for cars with several people are as private roads.
  private static func reserve(_ travel: inout Travel, _ tags: WayTags) {
    func isReserved(_ lanes: String?) -> Bool {
      lanes?.split(separator: "|", omittingEmptySubsequences: false).allSatisfy {
        $0 == "designated"
      }
        ?? false
    }
    let isForAll = tags["hov"] != "designated"
    let lanes = tags.directed(["hov:lanes"])
    if !isForAll || isReserved(lanes.ahead) { travel.ahead.isLocal = true }
    if !isForAll || isReserved(lanes.back) { travel.back.isLocal = true }
  }

  /// People come to four fifths of what a sign allows.
  private static func setLimits(_ travel: inout Travel, _ tags: WayTags) {
    let signs = tags.directed(["maxspeed:advisory", "maxspeed", "source:maxspeed", "maxspeed:type"])
      .map(CarTables.limit)
    if let limit = signs.ahead { travel.ahead.speed = limit * 0.8 }
    if let limit = signs.back { travel.back.speed = limit * 0.8 }
  }

  /// Narrow roads, alleys and the like are slower than their kind when ways are compared.
  private static func slow(_ travel: inout Travel, _ tags: WayTags) {
    var share = CarTables.yards.contains(tags["service"] ?? "") ? 0.5 : 1.0
    if travel.ahead.isOpen, travel.back.isOpen { share = min(share, narrowness(tags)) }
    if tags.first(of: oneways) == "alternating" { share = min(share, 0.4) }
    if ["yes", "rotary"].contains(tags["side_road"]) { share = min(share, 0.8) }
    travel.ahead.share = tags["priority"] == "backward" ? min(share, 0.7) : share
    travel.back.share = tags["priority"] == "forward" ? min(share, 0.7) : share
  }

  /// Roads on which cars meet.
  private static func narrowness(_ tags: WayTags) -> Double {
    if let lanes = Measures.speed(tags["lanes"]), lanes <= 1 { return 0.5 }
    switch Measures.metres(tags["width"]) {
    case .some(...3): return 0.5
    case .some(..<4): return 0.6
    case .some(..<5): return 0.75
    case .some(..<6): return 0.8
    default: return tags["lane_markings"] == "no" ? 0.75 : 1
    }
  }
}
