import LocationModel

/// How well visits were told of a way.
struct StayScore {
  private(set) var stays = 0
  private(set) var found = 0
  /// Told before it was over, or of a stay that there was not.
  private(set) var falseArrivals = 0
  private(set) var falseDepartures = 0
  /// Seconds from each arrival to when it was told.
  private(set) var delays: [Double] = []

  mutating func add(_ told: [Playback.Told], of way: Way) {
    stays += way.stays.count
    var open = Set(way.stays.indices)
    for (time, visit) in told.visits {
      // A minute early is as good as a minute late.
      let during = way.stays.firstIndex { $0.contains(Int(time) + 60) || $0.contains(Int(time)) }
      if visit.departureDate != nil {
        if let during, Int(time) + 60 < way.stays[during].upperBound { falseDepartures += 1 }
      } else if let during, open.remove(during) != nil {
        found += 1
        delays.append(time - Double(way.stays[during].lowerBound))
      } else {
        falseArrivals += 1
      }
    }
  }

  var medianDelay: Double { delays.sorted()[delays.count / 2] }
}
