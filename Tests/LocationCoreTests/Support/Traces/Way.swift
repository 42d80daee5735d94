/// A true way: a place for each second.
struct Way {
  private(set) var places: [Spot]
  private(set) var stays: [ClosedRange<Int>] = []

  init(from start: Spot) { places = [start] }

  var here: Spot { places[places.count - 1] }
  var seconds: Int { places.count - 1 }

  mutating func go(to goal: Spot, _ pace: Double) {
    let way = goal - here
    let start = here
    let steps = max(1, Int(way.length / pace))
    for step in 1...steps { places.append(start + way * (Double(step) / Double(steps))) }
  }

  /// Waits on the way, which is no stay.
  mutating func wait(_ seconds: Int) {
    places += Array(repeating: here, count: seconds)
  }

  mutating func stay(_ seconds: Int) {
    stays.append(self.seconds...self.seconds + seconds)
    wait(seconds)
  }

  func place(at time: Double) -> Spot {
    let second = min(max(0, Int(time)), places.count - 1)
    let next = min(second + 1, places.count - 1)
    let share = min(max(0, time - Double(second)), 1)
    return places[second] + (places[next] - places[second]) * share
  }

  func isStaying(at time: Double) -> Bool { stays.contains { $0 ~= Int(time) } }
}
