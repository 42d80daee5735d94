internal import PlaceCore

/// The turns that a relation forbids to one kind of traveller.
struct Restriction {
  /// The modes that obey restrictions, as in OSRM's profiles.
  static let modes: [RoadMode] = [.car, .bicycle]

  enum Via {
    /// By its place among all nodes of the file.
    case node(UInt32)
    case ways([Int64])
  }

  var mode: RoadMode
  /// Nothing but what it says is allowed; else all but that.
  var isOnly: Bool
  var from: [Int64]
  var via: Via
  var to: [Int64]

  /// Its ways, by their numbers.
  var ways: [Int64] {
    if case .ways(let ways) = via { return from + ways + to }
    return from + to
  }

  private static let travellers: [RoadMode: Set<String>] = [
    .car: ["motorcar", "motor_vehicle", "vehicle"], .bicycle: ["bicycle"],
  ]
  private static let only: Set<String> = [
    "only_straight_on", "only_left_turn", "only_right_turn", "only_u_turn",
  ]
  private static let forbidden: Set<String> = [
    "no_left_turn", "no_right_turn", "no_straight_on", "no_u_turn", "no_entry", "no_exit",
  ]

  /// Nil where it is none for them, or says nothing.
  init?(_ tags: RoadTagList, _ mode: RoadMode, from: [Int64], via: Via, to: [Int64]) {
    let travellers = Self.travellers[mode] ?? []
    let except = tags.first { $0.key == "except" }?.value.split(separator: ";") ?? []
    if except.contains(where: { word in travellers.contains(word.filter { $0 != " " }) }) {
      return nil
    }
    let words = tags.filter { tag in
      tag.key == "restriction"
        || tag.key.hasPrefix("restriction:")
          && travellers.contains(String(tag.key.dropFirst(12)))
    }
    guard let word = words.last?.value,
      words.allSatisfy({ Self.only.contains($0.value) || Self.forbidden.contains($0.value) }),
      !from.isEmpty, !to.isEmpty
    else { return nil }
    if case .ways(let ways) = via, ways.isEmpty { return nil }
    (self.mode, isOnly) = (mode, Self.only.contains(word))
    (self.from, self.via, self.to) = (from, via, to)
  }
}
