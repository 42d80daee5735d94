import LocationModel

/// How much the regions of one user's apps come to.
struct RegionTotal: Equatable {
  var regions = 0
  var corners = 0
  var bytes = 0

  init() {}

  init(_ region: Region, of app: App) {
    regions = 1
    corners = region.corners
    bytes =
      Self.fixed + app.name.utf8.count + region.identifier.utf8.count * 2
      + region.corners * Self.corner
  }

  static func += (a: inout Self, b: Self) {
    a.regions += b.regions
    a.corners += b.corners
    a.bytes += b.bytes
  }

  static func -= (a: inout Self, b: Self) {
    a.regions -= b.regions
    a.corners -= b.corners
    a.bytes -= b.bytes
  }

  /// About what the record of a region takes on the disk.
  private static let fixed = 256
  private static let corner = 40

  /// Throws where it has grown beyond a limit. A total that was beyond a new limit before may stay.
  func check(_ limits: LocationService.Limits, since before: Self) throws(Refusal) {
    func check(
      _ count: KeyPath<Self, Int>, _ most: Int, _ what: String, _ key: String
    ) throws(Refusal) {
      guard most > 0, self[keyPath: count] > most, self[keyPath: count] > before[keyPath: count]
      else { return }
      throw .limit("All your programs monitor at most \(most) \(what)", key)
    }
    try check(\.regions, limits.regionsPerUser, "regions", "RegionsPerUser")
    try check(\.corners, limits.cornersPerUser, "corners of regions", "CornersPerUser")
    try check(\.bytes, limits.regionBytesPerUser, "bytes of regions", "RegionBytesPerUser")
  }
}

extension Region {
  /// The centre of a circle is its only one, and a beacon counts as a place.
  var corners: Int {
    switch shape {
    case .circle, .beacon: 1
    case .polygon(let points, let holes): holes.reduce(points.count) { $0 + $1.count }
    }
  }
}

extension Monitoring {
  mutating func count(_ region: Region, of app: App) {
    regionTotals[app.uid, default: RegionTotal()] += RegionTotal(region, of: app)
  }

  mutating func uncount(_ region: Region, of app: App) {
    guard var total = regionTotals[app.uid] else { return }
    total -= RegionTotal(region, of: app)
    regionTotals[app.uid] = total.regions > 0 ? total : nil
  }
}
