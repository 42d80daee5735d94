internal import LocationModel
internal import PlaceCore
internal import PlaceStore
internal import Platform

/// Takes what is drawn of an extract while it is read, and cuts it into tiles. What it keeps of a country lies in files.
final class GroundCollector {
  private let writer: GroundWriter
  /// Ways along the coast are around the area `coast`.
  private let ways: AreaWays
  /// South-west and north-east, where the header says them.
  private var corners: (Spot, Spot)?
  /// Areas whose outline the extract does not have whole.
  private(set) var incomplete = 0

  private static let coast = -1
  private static let finest = 14
  /// By level: how far a line may differ from OpenStreetMap's own, and the width below which an area is left out, in
  /// units.
  private static let tolerances = [14: 1.2, 12: 8, 9: 10]
  private static let least = [14: 3, 12: 40, 9: 60]

  init(in folder: String) throws(SystemError) {
    writer = try GroundWriter(in: folder)
    ways = try AreaWays(in: folder)
  }

  static func point(_ spot: Spot) -> GridPoint {
    GroundTile.point(
      latitude: Double(spot.latitude) / 1e7, longitude: Double(spot.longitude) / 1e7,
      level: finest)
  }

  func setBox(_ southWest: Spot, _ northEast: Spot) { corners = (southWest, northEast) }

  /// A way, or a piece of one; `first` and `last` are the numbers of the nodes at its ends.
  func add(
    way tags: Tags, _ spots: some Collection<Spot>, first: Int64, last: Int64
  ) throws(SystemError) {
    let line = spots.map(Self.point)
    if tags.isCoast { try ways.add(line, of: Self.coast, isInner: false, first, last) }
    if first == last, line.count > 3, let kind = tags.areaKind {
      let ring = GroundCut.directed(Array(line.dropLast()), isInner: false)
      return try add(kind, [], GroundName(), Shape(rings: [ring]))
    }
    guard let kind = tags.lineKind else { return }
    try add(kind, tags.lineFlags, Self.name(tags, hasNumber: kind != .rail), Shape(rings: [line]))
  }

  private static func name(_ tags: Tags, hasNumber: Bool) -> GroundName {
    let number = hasNumber ? plain(tags["ref"] ?? "") : ""
    guard let name = tags["name"] else { return GroundName(number: number) }
    let others = keys.compactMap { key in tags[key.key].map { (key.language, plain($0)) } }
    return GroundName(plain(name), number: number, others: others)
  }

  private static let keys = GroundName.languages.map { (language: $0, key: "name:" + $0) }

  /// A line as the map writes it: without tabs, which stand between names.
  private static func plain(_ text: String) -> String { text.plain(atMost: 60) }

  func add(
    member spots: some Collection<Spot>, of area: Int, isInner: Bool, first: Int64, last: Int64
  ) throws(SystemError) {
    try ways.add(spots.map(Self.point), of: area, isInner: isInner, first, last)
  }

  /// After all ways.
  func add(area: Int, _ tags: Tags) throws(SystemError) {
    guard let kind = tags.areaKind else { return }
    let (outer, inner, open) = ways.rings(of: area)
    if !open.isEmpty { incomplete += 1 }
    let rings =
      outer.map { GroundCut.directed($0, isInner: false) }
      + inner.map { GroundCut.directed($0, isInner: true) }
    try add(kind, [], GroundName(), Shape(rings: rings))
  }

  /// A thing with a name, at a place; `width` of what it covers, in degrees times ten million.
  func add(name tags: Tags, at spot: Spot, width: Int64) throws(SystemError) {
    guard tags["name"] != nil, let kind = tags.pointKind else { return }
    let units = Int(Double(width) / 3.6e9 * Double(GroundTile.side << Self.finest))
    let power = units > 0 ? units.bitWidth - units.leadingZeroBitCount : 0
    try add(
      kind, .size(power), Self.name(tags, hasNumber: false), Shape(rings: [[Self.point(spot)]]))
  }

  private func add(
    _ kind: GroundKind, _ flags: GroundFeature.Flags, _ name: GroundName, _ shape: Shape
  ) throws(SystemError) {
    guard !shape.rings.isEmpty else { return }
    for level in GroundTile.levels {
      guard level >= coarsest(kind, flags) else { continue }
      var own = shape
      if level < Self.finest {
        own.rings = own.rings.map { $0.map { $0.coarser(by: Self.finest - level) } }
      }
      if kind.isPoint {
        try write(GroundFeature(kind, flags: flags, name: name, own), level, margin: 0)
        continue
      }
      let box = own.box
      let least = kind.isArea ? Self.least[level] ?? 0 : 0
      guard max(box.maxX - box.minX, box.maxY - box.minY) >= least else { continue }
      own = own.simplified(Self.tolerances[level] ?? 1)
      // Names are written from level 14 on, numbers of roads before.
      let text = level == Self.finest ? name : name.numberAlone
      try write(GroundFeature(kind, flags: flags, name: text, own), level)
    }
  }

  private func coarsest(_ kind: GroundKind, _ flags: GroundFeature.Flags) -> Int {
    guard kind == .lake || kind == .gardens else { return kind.coarsestLevel }
    return flags.rawValue >= 14 ? 9 : flags.rawValue >= 11 ? 12 : 14
  }

  private func write(
    _ feature: GroundFeature, _ level: Int, margin: Int = GroundCut.margin
  ) throws(SystemError) {
    try GroundCut.pieces(
      of: feature.shape, isArea: feature.kind.isArea, level: level, margin: margin
    ) { (tile, shape) throws(SystemError) in
      var piece = feature
      piece.shape = shape
      try writer.add(piece, to: tile)
    }
  }
}

// MARK: - The coast

extension GroundCollector {
  /// The bytes of all tiles; nil where nothing is drawn.
  func finish() throws(SystemError) -> ScratchArray<UInt8>? {
    guard !writer.isEmpty || !ways.isEmpty else { return nil }
    let joined = WayJoining(ways.of(Self.coast).map(\.way), mayTurn: false)
    let chains = joined.rings + joined.open
    if !chains.isEmpty { try addCoast(chains) }
    return try writer.finish()
  }

  private func addCoast(_ chains: [[GridPoint]]) throws(SystemError) {
    let level = Self.finest
    var coast = Coast(level: level)
    let tiles = writer.tiles(at: level)
    for chain in chains {
      coast.add(chain)
      for coarser in [level, 12] {
        let line = Self.coarser(chain, by: level - coarser)
        try write(GroundFeature(.shore, Shape(rings: [line])), coarser)
      }
    }
    let box = corners.map { corners in
      (
        west: GroundTile(holding: Self.point(corners.0), level: level),
        east: GroundTile(holding: Self.point(corners.1), level: level)
      )
    }
    // No farther than a tile beyond those that hold something.
    func isKnown(_ tile: GroundTile) -> Bool {
      if let box,
        !(box.west.x...max(box.west.x, box.east.x)).contains(tile.x)
          || !(box.east.y...max(box.east.y, box.west.y)).contains(tile.y)
      {
        return false
      }
      return (-1...1).contains { y in
        (-1...1).contains { x in tile.beside(x, y).map(tiles.contains) ?? false }
      }
    }
    let ground = coast.ground(where: isKnown).sorted { $0.key.number < $1.key.number }
    for (tile, ground) in ground {
      let land: Shape
      switch ground {
      case .sea: land = Shape(rings: [])
      case .land: land = GroundTile.square
      case .coast(let shape): land = shape
      }
      try add(land, of: tile, to: tile, by: 0)
      // Level 12 has what level 14 has: closed anew, an open end would make sea of land.
      let parent = GroundTile(level: 12, x: tile.x >> 2, y: tile.y >> 2)
      try add(land, of: tile, to: parent, by: 2)
    }
  }

  private func add(
    _ land: Shape, of tile: GroundTile, to parent: GroundTile, by levels: Int
  ) throws(SystemError) {
    func moved(_ ring: [GridPoint]) -> [GridPoint] {
      let line = Self.coarser(ring.map { $0 + tile.corner }, by: levels)
      return line.map { $0 - parent.corner }
    }
    if land != GroundTile.square {
      let square = Shape(rings: GroundTile.square.rings.map(moved))
      try writer.add(GroundFeature(.cover, square), to: parent)
    }
    let rings = land.rings.map(moved).filter { $0.count > 2 }
    if !rings.isEmpty { try writer.add(GroundFeature(.land, Shape(rings: rings)), to: parent) }
  }

  private static func coarser(_ line: [GridPoint], by levels: Int) -> [GridPoint] {
    line.reduce(into: []) { line, point in
      let point = point.coarser(by: levels)
      if line.last != point { line.append(point) }
    }
  }
}
