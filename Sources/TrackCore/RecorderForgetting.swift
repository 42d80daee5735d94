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

  func places(_ locations: [Location]) -> [TrackEntry] {
    locations.map { TrackEntry(.place, $0) }
  }
}
