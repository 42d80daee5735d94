import Geodesy
import LocationModel
import TestSupport
import Testing

@testable import TrackCore

/// Beside Douglas and Peucker's line, which sees the whole way before it keeps its first place.
@Suite("The kept line") struct KeptLineTests {
  /// Metres from each place to the line between its neighbours in time, in order of size, and the number of places
  /// that lie farther from it than ten metres and their own accuracy.
  static func distances(_ track: [Location], _ kept: [Location]) -> (sorted: [Double], off: Int) {
    var (all, off, i) = ([Double](), 0, 0)
    for place in track {
      while i + 2 < kept.count, kept[i + 1].timestamp < place.timestamp { i += 1 }
      let plane = Plane(at: kept[i].coordinate)
      let end = plane.vector(to: kept[min(i + 1, kept.count - 1)].coordinate)
      let distance = plane.vector(to: place.coordinate).distance(toLineTo: end)
      all.append(distance)
      if distance > max(10, place.horizontalAccuracy) + 0.01 { off += 1 }
    }
    return (all.sorted(), off)
  }

  static func simplified(_ track: [Location], _ tolerance: Double) -> [Location] {
    var kept: Set<Int> = [0, track.count - 1]
    var stack = [(0, track.count - 1)]
    while let (a, b) = stack.popLast() {
      guard b > a + 1 else { continue }
      let plane = Plane(at: track[a].coordinate)
      let end = plane.vector(to: track[b].coordinate)
      var (worst, at) = (0.0, a)
      for i in a + 1..<b {
        let distance = plane.vector(to: track[i].coordinate).distance(toLineTo: end)
        if distance > worst { (worst, at) = (distance, i) }
      }
      guard worst > tolerance else { continue }
      kept.insert(at)
      stack += [(a, at), (at, b)]
    }
    return kept.sorted().map { track[$0] }
  }

  /// The number of kept places as part of Douglas and Peucker's at the same 95th percentile; those that Distance=,
  /// Interval= and Turn= ask for are left out of it.
  static func ratio(_ track: [Location]) -> (ratio: Double, kept: Int, off: Int) {
    var rule = LineKeeper.Rule()
    (rule.distance, rule.turn, rule.interval) = (1e6, 360, .seconds(86_400))
    var keeper = LineKeeper(rule)
    let kept = track.flatMap { keeper.handle($0) } + keeper.rest()
    func p95(_ line: [Location]) -> Double {
      distances(track, line).sorted[track.count * 95 / 100]
    }
    let mine = p95(kept)
    var (low, high) = (0.5, 300.0)
    for _ in 0..<12 {
      let middle = (low + high) / 2
      if p95(simplified(track, middle)) < mine { low = middle } else { high = middle }
    }
    let other = simplified(track, low).count
    return (Double(kept.count) / Double(other), kept.count, distances(track, kept).off)
  }

  @Test(
    "of six real ways five need at most 1.6 times the places of a line that sees the whole way, and no place is left out beyond its tolerance"
  )
  func besideDouglasPeucker() throws {
    var ratios: [Double] = []
    for name in Recordings.ways {
      let track = try Recordings.way(name).compactMap { Location(try JSON(parsing: String($0))) }
        .filter { $0.horizontalAccuracy <= 100 }
      let (ratio, kept, off) = Self.ratio(track)
      #expect(off == 0, "\(name): \(kept) places")
      ratios.append(ratio)
      var keeper = LineKeeper(LineKeeper.Rule())
      let usual = track.flatMap { keeper.handle($0) } + keeper.rest()
      #expect(Self.distances(track, usual).off == 0, "\(name)")
      // A car's five hours, from which the manual reckons what a fleet sends.
      if name == "car-and-bus-1" { #expect((130...160).contains(usual.count), "\(usual.count)") }
    }
    #expect(ratios.count { $0 <= 1.6 } >= 5, "\(ratios)")
    // The sixth, and no line that keeps nothing.
    #expect(ratios.allSatisfy { (0.5...2).contains($0) }, "\(ratios)")
  }
}
