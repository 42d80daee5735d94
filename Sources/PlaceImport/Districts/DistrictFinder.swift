internal import Geodesy
internal import LocationModel
internal import PlaceCore
internal import PlaceStore
internal import Platform

/// Finds the district of each thing of an extract. Things come in the order of their cells: what lies around a cell is
/// looked up once.
final class DistrictFinder {
  private let districts: DistrictCollector
  private let builder: DatabaseBuilder
  /// Districts whose outline the extract does not have whole: they hold no place.
  private(set) var incomplete = 0
  /// Countries whose borders the extract has whole.
  private(set) var countries: Set<String> = []
  private var hasAreas = false
  /// Points that are left to be districts of their own, in the order of their cells, with the town that each lies in.
  private var points: [(index: Int, town: Int?)] = []
  private var around = Around(cell: -1)
  /// The numbers of those that are a thing's, and theirs in the file.
  private var numbers: [Source: Int64] = [:]

  private enum Source: Hashable {
    case area(Int)
    case point(Int)
  }

  /// Districts that may hold a place of a cell.
  private struct Around {
    var cell: Int64
    var areas: [(index: Int, shape: Shape)] = []
    var points: [(index: Int, town: Int?)] = []
  }

  /// Points of a part of an area: what is looked at for one cell is small.
  private static let mostPoints = 64
  /// Metres from the middle of a cell to its corners, at most.
  private static let halfCell = 460.0

  /// `builder` has room for what lies in the extract until it is finished.
  init(
    _ districts: DistrictCollector, _ builder: DatabaseBuilder
  ) throws(DatabaseError) {
    self.districts = districts
    self.builder = builder
    guard districts.areas.count > 0 || districts.points.count > 0 else { return }
    try builder.run(
      "CREATE VIRTUAL TABLE temp.part USING rtree_i32(id, south, north, west, east, +area, +shape)")
    for area in 0..<districts.areas.count {
      try addParts(of: area)
      try keepCountry(area)
    }
    try link()
  }

  private func addParts(of area: Int) throws(DatabaseError) {
    let (shape, isWhole) = districts.shape(of: area)
    if !isWhole, districts.areas[area].kind != .town { incomplete += 1 }
    for part in shape.pieces(of: Self.mostPoints) {
      let box = part.box
      let numbers = [box.minY, box.maxY, box.minX, box.maxX, area]
      try builder.run(
        "INSERT INTO temp.part(south, north, west, east, area, shape) VALUES(?,?,?,?,?,?)",
        numbers.map { DatabaseValue.integer(Int64($0)) } + [.blob(part.bytes)])
      hasAreas = true
    }
  }

  private func keepCountry(_ area: Int) throws(DatabaseError) {
    guard let (code, shape) = districts.country(area) else { return }
    countries.insert(code)
    for part in shape.pieces(of: Self.mostPoints) {
      let box = part.box
      try builder.run(
        "INSERT INTO country(west, east, south, north, code, shape) VALUES(?,?,?,?,?,?)",
        [box.minX, box.maxX, box.minY, box.maxY].map { DatabaseValue.integer(Int64($0)) }
          + [.text(code), .blob(part.bytes)])
    }
  }

  /// A point that lies in an area of its name says the kind of that, and is no district beside it.
  private func link() throws(DatabaseError) {
    var order = Array(0..<districts.points.count)
    order.sort { districts.points[$0].cell < districts.points[$1].cell }
    var rest: [Int] = []
    for point in order {
      let place = districts.points[point]
      let own = try areas(holding: place.spot, in: place.cell)
        .filter { districts.isNamed($0, as: point) }
      for area in own where !districts.areas[area].hasPlace {
        districts.areas[area].kind = place.kind
      }
      if own.isEmpty, place.kind.reach > 0 { rest.append(point) }
    }
    for point in rest {
      let place = districts.points[point]
      let town = town(of: try areas(holding: place.spot, in: place.cell))
      points.append((point, town))
    }
    around.cell = -1
  }
}

// MARK: - A place

extension DistrictFinder {
  /// The number of the district that a place has in the file; nil where it has none.
  func district(of spot: Spot, in cell: Int64) throws(DatabaseError) -> Int64? {
    guard hasAreas || !points.isEmpty else { return nil }
    let areas = try areas(holding: spot, in: cell)
    var (choices, sources) = ([DistrictChoice](), [Source]())
    for area in areas {
      choices.append(.area(districts.areas[area].kind, size: districts.areas[area].size))
      sources.append(.area(area))
    }
    let town = town(of: areas)
    if !around.points.isEmpty {
      let plane = LocalPlane(around: Self.coordinate(spot))
      for (point, own) in around.points where own == town {
        let place = districts.points[point]
        choices.append(
          .point(place.kind, metres: plane.distance(to: Self.coordinate(place.spot))))
        sources.append(.point(point))
      }
    }
    guard let best = DistrictChoice.best(of: choices) else { return nil }
    let number = numbers[sources[best]] ?? Int64(numbers.count + 1)
    numbers[sources[best]] = number
    return number
  }

  /// The smallest of them; a district's point counts in it alone.
  private func town(of areas: [Int]) -> Int? {
    areas.filter { districts.areas[$0].kind == .town }
      .min { districts.areas[$0].size < districts.areas[$1].size }
  }

  private func areas(holding spot: Spot, in cell: Int64) throws(DatabaseError) -> [Int] {
    if around.cell != cell { try look(around: cell) }
    let point = DistrictCollector.point(spot)
    return around.areas.filter { $0.shape.contains(point) }.map(\.index)
  }

  private func look(around cell: Int64) throws(DatabaseError) {
    var around = Around(cell: cell)
    let box = Cells.box(of: cell)
    if hasAreas {
      try builder.each(
        """
        SELECT area, shape FROM temp.part
        WHERE north >= ? AND south <= ? AND east >= ? AND west <= ?
        """, [box.south, box.north, box.west, box.east].map { .integer($0 / 10) }
      ) { row in
        guard let area = row[0].integer, let shape = row[1].blob.flatMap(Shape.init) else { return }
        around.areas.append((Int(area), shape))
      }
    }
    if !points.isEmpty {
      let middle = Coordinate(
        latitude: Double(box.south + box.north) / 2e7, longitude: Double(box.west + box.east) / 2e7)
      let metres = DistrictKind.farthest + Self.halfCell
      for range in Cells.ranges(around: middle, metres: metres) {
        let start = points.partitioningIndex { first(of: $0.index) >= range.lowerBound }
        around.points += points[start...].prefix { first(of: $0.index) <= range.upperBound }
      }
    }
    self.around = around
  }

  private func first(of point: Int) -> Int64 { Cells.first(in: districts.points[point].cell) }

  private static func coordinate(_ spot: Spot) -> Coordinate {
    Coordinate(latitude: Double(spot.latitude) / 1e7, longitude: Double(spot.longitude) / 1e7)
  }
}

// MARK: - The file

extension DistrictFinder {
  /// The names of those that are a thing's.
  func finish() throws(DatabaseError) {
    try builder.run("DROP TABLE IF EXISTS temp.part")
    for (source, number) in numbers.sorted(by: { $0.value < $1.value }) {
      let (name, lines) =
        switch source {
        case .area(let area): districts.names(ofArea: area)
        case .point(let point): districts.names(ofPoint: point)
        }
      try builder.run(
        "INSERT INTO district VALUES(?,?,?)",
        [.integer(number), .text(name), lines.map(DatabaseValue.text) ?? .null])
    }
  }

  /// Districts that reach beyond the extract, in a sentence.
  var sentence: String? {
    guard incomplete > 0 else { return nil }
    return incomplete == 1
      ? "1 district reaches beyond the extract, which does not know what lies in it."
      : "\(incomplete) districts reach beyond the extract, which does not know what lies in them."
  }
}
