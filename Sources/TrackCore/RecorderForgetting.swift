import LocationModel

extension TrackRecorder {
  /// Places of that time that are only in memory are never kept or told.
  mutating func forget(_ time: ClosedRange<Timestamp>) -> [Step] {
    if let lastFix, time.contains(lastFix.timestamp) { self.lastFix = nil }
    if keeper.holds(time) { keeper = LineKeeper(keeper.rule) }
    for i in waiting.indices { waiting[i].entries.removeAll { time.contains($0.timestamp) } }
    waiting.removeAll { $0.entries.isEmpty && $0.event == nil }
    return []
  }

  mutating func wait(_ addition: Addition) {
    waiting.append(addition)
    var count = waiting.reduce(0) { $0 + $1.entries.count }
    guard count > Self.mostUnwritten else { return }
    // Every second place goes where there are too many.
    var isOdd = false
    waiting = waiting.filter { addition in
      guard addition.event == nil else { return true }
      isOdd.toggle()
      return !isOdd
    }
    count = waiting.reduce(0) { $0 + $1.entries.count }
    // The daemon tells an event again that is not acknowledged.
    if count > Self.mostUnwritten { waiting.removeFirst() }
  }

  func places(_ locations: [Location]) -> [TrackEntry] {
    locations.map { TrackEntry(.place, $0) }
  }
}
