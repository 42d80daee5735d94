import LocationModel

/// Puts sightings together, so that however often a receiver speaks there is one every ten seconds.
///
/// Its place is the median: a burst of wrong fixes that is shorter leaves no trace.
struct Moments {
  private var held: [Sighting] = []
  private var lastMade = -Double.infinity

  private static let step = 10.0
  private static let densest = 0.6
  /// After such a silence what was held is a moment of its own.
  private static let silence = 15.0

  mutating func add(_ sighting: Sighting, _ make: (Sighting) -> Void) {
    if let last = held.last {
      if sighting.time - last.time < Self.densest {
        if sighting.accuracy < last.accuracy { held[held.count - 1] = sighting }
        return
      }
      if sighting.time - last.time > Self.silence { finish(make) }
    }
    held.append(sighting)
    if sighting.time - lastMade >= Self.step { finish(make) }
  }

  mutating func shift(by step: Duration) {
    for i in held.indices { held[i].date = held[i].date + step }
  }

  private mutating func finish(_ make: (Sighting) -> Void) {
    guard let last = held.last else { return }
    lastMade = last.time
    make(held.count == 1 ? last : middle(last))
    held.removeAll(keepingCapacity: true)
  }

  private func middle(_ last: Sighting) -> Sighting {
    var best = Double.infinity
    for sighting in held { best = min(best, sighting.accuracy) }
    let good = held.filter { $0.accuracy <= 2 * best }
    var middle = last
    let centre = Point.median(of: good)
    // One of the places seen is taken: halfway between them the device never was.
    middle.point =
      good.min { $0.point.chord(to: centre) < $1.point.chord(to: centre) }?.point ?? centre
    middle.accuracy = median(of: good) { $0.accuracy }
    let speeds = held.compactMap(\.speed)
    middle.speed = speeds.isEmpty ? nil : median(of: speeds) { $0 }
    return middle
  }
}

func median<Elements: Collection>(
  of elements: Elements, _ value: (Elements.Element) -> Double
) -> Double {
  var values = elements.map(value)
  values.sort()
  return values.isEmpty ? 0 : values[values.count / 2]
}

extension Point {
  /// The median of each of the three numbers: among places near each other one that few are far from.
  static func median(of sightings: some Collection<Sighting>) -> Point {
    Point(
      x: LocationCore.median(of: sightings) { $0.point.x },
      y: LocationCore.median(of: sightings) { $0.point.y },
      z: LocationCore.median(of: sightings) { $0.point.z })
  }
}
