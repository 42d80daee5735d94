/// Places of a track that has no room for all of them: the older, the fewer are kept, evenly among those of an age.
package struct Thinning: Equatable, Sendable {
  /// The number of the oldest places, which are thinned; younger ones stay.
  package let thinned: Int64
  /// The kept share grows from the oldest to the youngest of the thinned places.
  private let (oldest, growth): (Double, Double)

  /// The share of the oldest, as part of the youngest's.
  private static let least = 0.2

  /// `keeping`: the share of all places that stays.
  package init(keeping share: Double, of places: Int64) {
    let share = min(max(share, 0.001), 1)
    // The share at `x`, 0 for the oldest and 1 for the newest, is `scale * (least + (1 - least) * x)`, and no more than 1.
    var (low, high) = (0.0, 1 / Self.least)
    for _ in 0..<60 {
      let scale = (low + high) / 2
      if Self.kept(scale) < share { low = scale } else { high = scale }
    }
    let end = min(max((1 / high - Self.least) / (1 - Self.least), 0), 1)
    thinned = Int64((end * Double(places)).rounded())
    oldest = high * Self.least
    growth = places > 0 ? high * (1 - Self.least) / Double(places) : 0
  }

  /// The share of all that is kept.
  private static func kept(_ scale: Double) -> Double {
    let end = min(max((1 / scale - least) / (1 - least), 0), 1)
    return scale * (least * end + (1 - least) * end * end / 2) + 1 - end
  }

  /// The number of the oldest `place` places that are kept.
  func kept(of place: Int64) -> Int64 {
    let place = Double(place)
    return Int64(place * (oldest + growth * place / 2))
  }

  /// The condition in SQL by which the place of a number, counted from 1, goes.
  package var isRemoved: String {
    func kept(_ place: String) -> String {
      "CAST(\(place) * (\(oldest) + \(growth) * \(place) / 2) AS INTEGER)"
    }
    return "\(kept("place")) = \(kept("(place - 1)"))"
  }
}
