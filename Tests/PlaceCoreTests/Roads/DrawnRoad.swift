@testable import PlaceCore

/// A road with tags such as `highway=primary`.
struct DrawnRoad {
  /// Nil where nobody may go.
  let kind: RoadKind?
  var traits: RoadTraits { kind?.traits ?? [] }

  init(_ tags: String..., metres: Double = 1000, isLeftHand: Bool = false) {
    kind = RoadProfile.kind(of: WayTags(drawing: tags), metres: metres, isLeftHand: isLeftHand)
  }

  /// Kilometres an hour ahead and back; 0 where such travellers may not go.
  func speeds(_ mode: RoadMode) -> [Double] { Self.speeds(kind?.times, mode) }

  /// The speeds that count when ways are compared.
  func costs(_ mode: RoadMode) -> [Double] { Self.speeds(kind?.costs, mode) }

  private static func speeds(_ paces: [UInt32]?, _ mode: RoadMode) -> [Double] {
    [0, 1].map { way in
      guard let pace = paces?[mode.rawValue * 2 + way], pace > 0 else { return 0 }
      return (3_600_000 / Double(pace)).rounded() / 10
    }
  }
}

extension WayTags {
  init(drawing tags: [String]) {
    let pairs = tags.map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
    self.init(Dictionary(uniqueKeysWithValues: pairs.map { ($0[0], $0[1]) }))
  }
}
