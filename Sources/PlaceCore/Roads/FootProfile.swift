/// Where people may walk: the facts of OSRM's profile for feet. Where it differs: nobody walks along the outline of a
/// parking area that is no road, and a ferry does not open a direction that another tag shuts.
enum FootProfile {
  static let access = AccessWords(
    keys: ["foot", "access"], lets: ["yes", "foot", "permissive", "designated"],
    bars: ["no", "agricultural", "forestry", "private", "delivery", "use_sidepath"])

  private static let speed = 5.0

  private static let roads: Set<String> = [
    "primary", "primary_link", "secondary", "secondary_link", "tertiary", "tertiary_link",
    "unclassified", "residential", "living_street", "service", "track", "path", "steps",
    "pedestrian", "platform", "footway", "pier",
  ]

  private static let surfaces = [
    "fine_gravel": speed * 0.75, "gravel": speed * 0.75, "pebblestone": speed * 0.75,
    "mud": speed * 0.5, "sand": speed * 0.5,
  ]

  static func travel(_ tags: WayTags) -> Travel? {
    if ShutWords(motorroads: true).isShut(tags) { return nil }
    var travel = Travel()
    let words = access.words(of: tags)
    travel.shut(by: words, access)
    if hasWalkBeside(tags) {
      if words.ahead == nil || access.isBarred(words.ahead) { travel.ahead.isOpen = false }
      if words.back == nil || access.isBarred(words.back) { travel.back.isOpen = false }
    }
    if travel.isClosed { return nil }
    travel.obey(oneway: tags["oneway:foot"])
    if tags["route"] == "ferry" {
      travel.board(tags, 5)
    } else if roads.contains(tags["highway"] ?? "") || tags["railway"] == "platform"
      || tags["man_made"] == "pier" || ["parking", "parking_entrance"].contains(tags["amenity"])
    {
      travel.setSpeed(speed)
    } else {
      travel.setSpeed(speed, where: words, access)
    }
    travel.limit(on: surfaces, tags["surface"])
    ride(&travel, tags)
    return travel
  }

  private static func hasWalkBeside(_ tags: WayTags) -> Bool {
    ["sidewalk", "sidewalk:both", "sidewalk:left", "sidewalk:right"]
      .contains { tags[$0] == "separate" }
  }

  /// Escalators and moving walkways.
  private static func ride(_ travel: inout Travel, _ tags: WayTags) {
    guard ["steps", "footway"].contains(tags["highway"]),
      tags.first(of: ["oneway:foot", "oneway"]) != "no"
    else { return }
    if tags["conveying"] == "forward" { travel.back.isOpen = false }
    if tags["conveying"] == "backward" { travel.ahead.isOpen = false }
  }
}
