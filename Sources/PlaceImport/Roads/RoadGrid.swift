internal import LocationModel
internal import PlaceCore
internal import Platform

/// Which chains pass each square of the grid.
struct RoadGrid {
  let keys: ScratchArray<UInt32>
  let starts: ScratchArray<UInt32>
  let chains: ScratchArray<UInt32>

  /// A longer piece, in degrees, counts only at its ends.
  private static let longest = 0.5

  init(_ network: RoadNetwork, in folder: String) throws(SystemError) {
    keys = try ScratchArray(in: folder)
    starts = try ScratchArray(in: folder)
    chains = try ScratchArray(in: folder)
    let pairs = try ScratchArray<UInt64>(in: folder)
    for chain in 0..<network.chainCount where Self.isOfUse(chain, network) {
      var last: UInt32?
      func add(_ place: Coordinate) throws(SystemError) {
        let key = RoadNetwork.gridKey(place)
        guard key != last else { return }
        last = key
        try pairs.append(UInt64(key) << 32 | UInt64(chain))
      }
      let points = network.points(chain * 2)
      for (start, end) in zip(points, points.dropFirst()) {
        let (north, east) = (end.latitude - start.latitude, end.longitude - start.longitude)
        let length = max(north.magnitude, east.magnitude)
        let parts =
          length > Self.longest ? 1 : max(1, (length / RoadNetwork.gridStep * 4).rounded(.up))
        for part in 0...Int(parts) {
          let share = Double(part) / parts
          try add(
            Coordinate(
              latitude: start.latitude + north * share, longitude: start.longitude + east * share))
        }
      }
    }
    var sorted = pairs.buffer
    sorted.sort()
    var before: UInt64?
    for pair in sorted where pair != before {
      before = pair
      let key = UInt32(truncatingIfNeeded: pair >> 32)
      if keys.buffer.last != key {
        try keys.append(key)
        try starts.append(UInt32(clamping: chains.count))
      }
      try chains.append(UInt32(truncatingIfNeeded: pair))
    }
    try keys.append(.max)
    try starts.append(UInt32(clamping: chains.count))
    try chains.append(0)
  }

  /// Ways do not begin at sea.
  private static func isOfUse(_ chain: UInt32, _ network: RoadNetwork) -> Bool {
    !network.traits(chain).contains(.ferry)
      && RoadMode.allCases.contains { mode in
        network.cost(chain * 2, mode) > 0 || network.cost(chain * 2 + 1, mode) > 0
      }
  }
}
