/// Delays by lights, signs and gates, in a byte of a chain: seconds of lights and signs, and how many gates. Gates
/// delay only cars.
package enum RoadDelay {
  package static let longest: UInt8 = 63
  static let mostGates: UInt8 = 3

  package static func byte(seconds: Int, gates: Int) -> UInt8 {
    UInt8(min(max(seconds, 0), Int(longest)) | min(max(gates, 0), Int(mostGates)) << 6)
  }

  package static func seconds(_ byte: UInt8, _ mode: RoadMode) -> UInt32 {
    UInt32(byte & longest) + (mode == .car ? UInt32(byte >> 6) * 60 : 0)
  }
}

/// A barrier, a light or a sign at a node of a road.
package struct RoadObstacle: Equatable, BitwiseCopyable {
  package enum Sign: UInt8, BitwiseCopyable {
    case none, light, stop, giveWay
    /// A stop for those who come by the slower road.
    case minorStop
  }

  /// A bit for each mode that it stops.
  package private(set) var barred: UInt8 = 0
  package private(set) var sign = Sign.none
  package private(set) var isGate = false
  /// Whom the sign faces, by the direction in which the way is drawn.
  package private(set) var facesAhead = true
  package private(set) var facesBack = true
  /// No tag says whom it faces.
  package private(set) var isUndirected = false

  /// Nil where nothing stands there.
  package init?(_ tags: WayTags) {
    if Self.stopsCar(tags) { barred |= 1 }
    if Self.stopsFeet(tags) { barred |= 2 }
    if Self.stopsBicycle(tags) { barred |= 4 }
    // A gate with a word about access is open to those, or to nobody.
    isGate =
      ["gate", "lift_gate"].contains(tags["barrier"])
      && tags.first(of: CarTables.access.keys) == nil
    switch tags["highway"] {
    case "traffic_signals": sign = .light
    case "stop": sign = tags["stop"] == "minor" ? .minorStop : .stop
    case "give_way": sign = .giveWay
    default: break
    }
    guard barred != 0 || isGate || sign != .none else { return nil }
    let direction = sign == .light ? tags["traffic_signals:direction"] : nil
    switch direction ?? tags["direction"] {
    case "forward": facesBack = false
    case "backward": facesAhead = false
    case "both": break
    default: isUndirected = true
    }
  }

  /// Seconds that the sign takes, where it faces the traveller.
  package var seconds: Int {
    switch sign {
    case .none: 0
    case .giveWay: 1
    case .light, .stop, .minorStop: 2
    }
  }

  private static func stopsCar(_ tags: WayTags) -> Bool {
    let words = CarTables.access
    if let word = words.word(of: tags.first(of: words.keys)) {
      return words.isBarred(word) && !words.local.contains(word)
    }
    guard let barrier = tags["barrier"] else { return false }
    switch barrier {
    case "height_restrictor": return (Measures.height(tags["maxheight"]) ?? 9) < 2
    case "cattle_grid", "border_control", "toll_booth", "sally_port", "no", "entrance", "arch",
      "gate", "lift_gate":
      return false
    case "kerb" where tags["highway"] == "crossing": return false
    default:
      return tags["bollard"] != "rising" && !["lowered", "flush"].contains(tags["kerb"])
        && !isHeardFence(tags)
    }
  }

  private static func stopsFeet(_ tags: WayTags) -> Bool {
    if let word = tags.first(of: FootProfile.access.keys) {
      return FootProfile.access.isBarred(word)
    }
    return isWall(tags) && tags["bollard"] != "rising"
  }

  private static func stopsBicycle(_ tags: WayTags) -> Bool {
    if let word = tags.first(of: BicycleProfile.access.keys) {
      // A crossing's tags say nothing of the road that it crosses.
      return BicycleProfile.access.isBarred(word) && tags["highway"] != "crossing"
    }
    return isWall(tags)
  }

  private static func isWall(_ tags: WayTags) -> Bool {
    ["yes", "wall", "fence"].contains(tags["barrier"]) && !isHeardFence(tags)
  }

  /// Cattle hear it; people do not see it.
  private static func isHeardFence(_ tags: WayTags) -> Bool {
    tags["barrier"] == "fence" && ["audible", "audio"].contains(tags["sensory"])
  }
}
