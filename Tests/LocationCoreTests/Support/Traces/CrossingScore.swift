import LocationModel

/// How well crossings were told.
struct CrossingScore {
  private(set) var required = 0
  private(set) var matched = 0
  /// Told though nothing that has to be told was crossed.
  private(set) var extra = 0
  private(set) var delays: [Double] = []

  var recall: Double { Double(matched) / Double(max(required, 1)) }
  var medianDelay: Double { delays.sorted()[delays.count / 2] }

  mutating func add(_ told: [Playback.Told], of trace: CrossingTrace) {
    for circle in trace.circles { add(told.crossings(of: circle.identifier), circle, trace) }
  }

  /// The events of a test of each fix by itself.
  mutating func addPointInCircle(of trace: CrossingTrace) {
    for circle in trace.circles {
      var told: [(time: Double, isEntry: Bool)] = []
      var isInside = trace.fixes.first.map { circle.depth(of: $0.place) > 0 }
      for fix in trace.fixes where (circle.depth(of: fix.place) > 0) != isInside {
        isInside = circle.depth(of: fix.place) > 0
        told.append((fix.time, isInside == true))
      }
      add(told, circle, trace)
    }
  }

  private mutating func add(
    _ told: [(time: Double, isEntry: Bool)], _ circle: CrossingTrace.Circle,
    _ trace: CrossingTrace
  ) {
    let wanted = Self.crossings(of: circle, trace)
    required += wanted.count
    var left = told
    for (i, crossing) in wanted.enumerated() {
      let next = i + 1 < wanted.count ? wanted[i + 1].time : Double(trace.way.seconds)
      let due =
        crossing.time - Self.early...max(crossing.time, min(next, crossing.time + Self.late))
      let found = left.firstIndex { $0.isEntry == crossing.isEntry && due ~= $0.time }
      guard let found else { continue }
      matched += 1
      delays.append(left.remove(at: found).time - crossing.time)
    }
    extra += left.count
  }

  /// A side counts where it is gone 25 m into, stayed on for 20 s and seen at least three times.
  private static func crossings(
    of circle: CrossingTrace.Circle, _ trace: CrossingTrace
  ) -> [(time: Double, isEntry: Bool)] {
    let depths = trace.way.places.map(circle.depth)
    var crossings: [(time: Double, isEntry: Bool)] = []
    var state: Bool?
    var start = 0
    while start < depths.count {
      let isInside = depths[start] > 0
      let end = depths[start...].firstIndex { ($0 > 0) != isInside } ?? depths.count
      let isDeep = depths[start..<end].contains { $0.magnitude >= 25 }
      let isLong = end - start >= 20 || start == 0 || end == depths.count
      if isDeep, isLong {
        if let state, state != isInside { crossings.append((Double(start), isInside)) }
        state = isInside
      }
      start = end
    }
    var i = 0
    while i + 1 < crossings.count {
      let pass = crossings[i].time..<crossings[i + 1].time
      if trace.fixes.count(where: { pass.contains($0.time) }) < 3 {
        crossings.removeSubrange(i...i + 1)
        i = max(0, i - 1)
      } else {
        i += 1
      }
    }
    return crossings
  }

  private static let early = 45.0
  private static let late = 900.0
}
