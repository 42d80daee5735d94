import Geodesy
import LocationModel

extension Way {
  /// More places make an answer that is longer than a client's connection may hold.
  static let mostPlaces = 6000
  /// More steps nobody follows.
  static let mostMoves = 3000
  /// What a place and a step take of an answer, in bytes, about.
  private static let (placeSize, moveSize) = (42, 200)

  /// Bytes of an answer, about.
  package var size: Int { polyline.count * Self.placeSize + moves.count * Self.moveSize }

  /// With so many places at most: those near the line between their neighbours are left out first.
  func thinned(to most: Int = mostPlaces) -> Way {
    guard polyline.count > most else { return self }
    var metres = 1.0
    var kept = places(beside: metres)
    while kept.count > most, metres < 1e6 {
      metres *= 4
      kept = places(beside: metres)
    }
    var way = self
    way.polyline = kept.map { polyline[$0] }
    var now = 0
    for (i, move) in moves.enumerated().sorted(by: { $0.element.start < $1.element.start }) {
      while now + 1 < kept.count, kept[now] < move.start { now += 1 }
      way.moves[i].start = now
    }
    return way
  }

  /// So many places are looked at at once: the work grows with the way, not with its square.
  private static let window = 256

  /// The numbers of places that are left when those within so many metres of a line are not. Where something is
  /// to be done a place stays.
  private func places(beside metres: Double) -> [Int] {
    var isKept = [Bool](repeating: false, count: polyline.count)
    for i in stride(from: 0, to: polyline.count, by: Self.window) { isKept[i] = true }
    isKept[polyline.count - 1] = true
    for move in moves where polyline.indices.contains(move.start) { isKept[move.start] = true }
    let fixed = isKept.indices.filter { isKept[$0] }
    for (first, last) in zip(fixed, fixed.dropFirst()) {
      let plane = LocalPlane(around: polyline[first])
      var rest = [(first, last)]
      while let (first, last) = rest.popLast() {
        let (furthest, at) = furthest(first, last, on: plane)
        guard furthest > metres else { continue }
        isKept[at] = true
        rest += [(first, at), (at, last)]
      }
    }
    return isKept.indices.filter { isKept[$0] }
  }

  /// The place that lies furthest from the line between two others, and how far.
  private func furthest(_ first: Int, _ last: Int, on plane: LocalPlane) -> (Double, Int) {
    func point(_ i: Int) -> LocalPlane.Point {
      plane.point(polyline[i].latitude, polyline[i].longitude)
    }
    let (start, end) = (point(first), point(last))
    var (furthest, at) = (0.0, first)
    for i in first + 1..<max(last, first + 1) {
      let distance = LocalPlane.distance(from: point(i), toLine: start, end)
      if distance > furthest { (furthest, at) = (distance, i) }
    }
    return (furthest, at)
  }
}
