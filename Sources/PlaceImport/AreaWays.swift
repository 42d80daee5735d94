internal import LocationModel
internal import PlaceCore
internal import Platform

/// The ways around areas, as they are read; those of a country lie in files.
final class AreaWays {
  private struct Piece: BitwiseCopyable {
    var area: Int
    var isInner: Bool
    var first: Int64
    var last: Int64
    var start: Int
    var count: Int
  }

  private let pieces: ScratchArray<Piece>
  private let points: ScratchArray<GridPoint>
  private var isSorted = false

  init(in folder: String) throws(SystemError) {
    pieces = try ScratchArray(in: folder)
    points = try ScratchArray(in: folder)
  }

  var isEmpty: Bool { pieces.count == 0 }

  /// A way, or a piece of one; `first` and `last` are the numbers of the nodes at its ends.
  func add(
    _ line: [GridPoint], of area: Int, isInner: Bool, _ first: Int64, _ last: Int64
  ) throws(SystemError) {
    try pieces.append(
      Piece(
        area: area, isInner: isInner, first: first, last: last, start: points.count,
        count: line.count))
    try points.append(line)
  }

  /// After all ways.
  func of(_ area: Int) -> [(isInner: Bool, way: WayJoining.Way)] {
    var all = pieces.buffer
    if !isSorted { all.sort { ($0.area, $0.start) < ($1.area, $1.start) } }
    isSorted = true
    return all[all.partitioningIndex { $0.area >= area }...].prefix { $0.area == area }.map {
      let line = Array(points.buffer[$0.start..<$0.start + $0.count])
      return ($0.isInner, WayJoining.Way(first: $0.first, last: $0.last, points: line))
    }
  }

  /// The rings of an area, each point once. `open`: lines of its outline that make none.
  func rings(of area: Int) -> (outer: [[GridPoint]], inner: [[GridPoint]], open: [[GridPoint]]) {
    let own = of(area)
    func joined(isInner: Bool) -> (rings: [[GridPoint]], open: [[GridPoint]]) {
      let ways = WayJoining(own.filter { $0.isInner == isInner }.map(\.way), mayTurn: true)
      return (ways.rings.filter { $0.count > 3 }.map { Array($0.dropLast()) }, ways.open)
    }
    let (outer, inner) = (joined(isInner: false), joined(isInner: true))
    return (outer.rings, inner.rings, outer.open)
  }
}
