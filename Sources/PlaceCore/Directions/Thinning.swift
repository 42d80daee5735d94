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
      // Degrees of longitude there, as metres.
      let start = polyline[first]
      let aside = start.distance(
        to: Coordinate(latitude: start.latitude, longitude: start.longitude + 0.01))
      var rest = [(first, last)]
      while let (first, last) = rest.popLast() {
        let (furthest, at) = furthest(first, last, aside / 0.01)
        guard furthest > metres else { continue }
        isKept[at] = true
        rest += [(first, at), (at, last)]
      }
    }
    return isKept.indices.filter { isKept[$0] }
  }

  /// The place that lies furthest from the line between two others, and how far.
  private func furthest(_ first: Int, _ last: Int, _ perLongitude: Double) -> (Double, Int) {
    func point(_ i: Int) -> (x: Double, y: Double) {
      (
        (polyline[i].longitude - polyline[first].longitude) * perLongitude,
        (polyline[i].latitude - polyline[first].latitude) * 111_195
      )
    }
    let end = point(last)
    let square = end.x * end.x + end.y * end.y
    var (furthest, at) = (0.0, first)
    for i in first + 1..<max(last, first + 1) {
      let here = point(i)
      let part = square > 0 ? min(max((here.x * end.x + here.y * end.y) / square, 0), 1) : 0
      let (dx, dy) = (here.x - part * end.x, here.y - part * end.y)
      let distance = (dx * dx + dy * dy).squareRoot()
      if distance > furthest { (furthest, at) = (distance, i) }
    }
    return (furthest, at)
  }
}
