internal import PlaceCore
internal import Platform

/// Kinds of roads and their names, each kept once: most ways have the tags of another.
struct RoadKinds {
  private(set) var all: [RoadKind] = []
  private var numbers: [RoadKind: UInt32] = [:]
  /// By their tags; `none` where nobody may go.
  private var known: [String: UInt32] = [:]
  private var placesOfNames: [String: UInt32] = [:]

  /// No country has so many; a made-up one is not to have more.
  private static let most = 1 << 16
  private static let mostKnown = 20_000
  private static let mostNames = 50_000
  private static let longestName = 1000
  private static let none = UInt32.max

  /// Nil where nobody may go. `metres` are asked for where they count.
  mutating func number(
    _ tags: RoadTagList, isLeftHand: Bool, metres: () -> Double
  ) -> UInt32? {
    var text = isLeftHand ? "left" : ""
    for tag in tags where RoadProfile.keys.contains(tag.key) { text += "\n\(tag.key)=\(tag.value)" }
    if let number = known[text] { return number == Self.none ? nil : number }
    let all = WayTags(tags)
    let isTimed = RoadProfile.isTimed(all)
    let kind = RoadProfile.kind(of: all, metres: isTimed ? metres() : 0, isLeftHand: isLeftHand)
    let number = kind.map { self.number($0) } ?? Self.none
    if known.count >= Self.mostKnown { known = [:] }
    if !isTimed { known[text] = number }
    return number == Self.none ? nil : number
  }

  private mutating func number(_ kind: RoadKind) -> UInt32 {
    if let number = numbers[kind] { return number }
    guard all.count < Self.most else { return Self.none }
    let number = UInt32(all.count)
    all.append(kind)
    numbers[kind] = number
    return number
  }

  /// Where its name lies; 0 without one.
  mutating func name(
    _ tags: RoadTagList, in names: ScratchArray<UInt8>
  ) throws(SystemError) -> UInt32 {
    let own = tags.first { $0.key == "name" }?.value
    guard let name = own ?? RoadProfile.name(WayTags(tags)), name.utf8.count <= Self.longestName
    else { return 0 }
    if let place = placesOfNames[name] { return place }
    guard let place = UInt32(exactly: names.count) else { return 0 }
    try names.append(Array(name.utf8) + [0])
    if placesOfNames.count >= Self.mostNames { placesOfNames = [:] }
    placesOfNames[name] = place
    return place
  }
}

/// Tags in the order of the file.
typealias RoadTagList = [(key: String, value: String)]

extension WayTags {
  init(_ tags: RoadTagList) {
    self.init(Dictionary(tags.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 }))
  }
}
