import Geodesy
import LocationModel
import TestSupport
import Testing

@testable import LocationCore

@Suite("Regions") struct RegionTests {
  private func depth(_ shape: Region.Shape, _ latitude: Double, _ longitude: Double) -> Double {
    let place = Coordinate(latitude: latitude, longitude: longitude)
    return RegionShape(shape)?.depth(of: Point(place), at: place) ?? .nan
  }

  private func polygon(_ corners: (Double, Double)..., holes: [[(Double, Double)]] = [])
    -> Region.Shape
  {
    .polygon(
      corners.map { Coordinate(latitude: $0, longitude: $1) },
      holes: holes.map { $0.map { Coordinate(latitude: $0, longitude: $1) } })
  }

  @Test("how deep one is in a circle is the geodesic's answer", arguments: [50.0, 5_000, 900_000])
  func circles(radius: Double) {
    let centre = Coordinate(latitude: 61, longitude: -179.999)
    var dice = Dice(seed: 4)
    for _ in 0..<200 {
      let reach = radius / 50_000
      let place = Coordinate(
        latitude: 61 + Double.random(in: -reach...reach, using: &dice) / 2,
        longitude: (180 - Double.random(in: 0...reach, using: &dice)))
      let exact = radius - centre.distance(to: place)
      let found = depth(.circle(centre, radius: radius), place.latitude, place.longitude)
      #expect((found > 0) == (exact > 0) || exact.magnitude < 0.01)
      if exact.magnitude < radius / 100 { #expect((found - exact).magnitude < 0.05) }
    }
  }

  @Test("a polygon across the date line has its inside there")
  func dateLine() {
    let shape = polygon((-17, 179.9), (-17, -179.9), (-16.8, -179.9), (-16.8, 179.9))
    #expect(depth(shape, -16.9, 180) > 10_000)
    #expect(depth(shape, -16.9, -180) > 10_000)
    #expect(depth(shape, -16.9, 179.89) < 0)
    #expect((depth(shape, -16.9, -179.899) - -107).magnitude < 3)
    #expect(depth(shape, -16.9, 0) < -1e6)
  }

  @Test("a polygon around a pole has the pole inside")
  func poles() {
    for sign in [1.0, -1.0] {
      let shape = polygon((sign * 89, 0), (sign * 89, 90), (sign * 89, 180), (sign * 89, -90))
      #expect(depth(shape, sign * 90, 12) > 70_000)
      #expect(depth(shape, sign * 89.5, 45) > 0)
      #expect(depth(shape, sign * 88.9, 0) < 0)
      #expect(depth(shape, -sign * 90, 0) < -1e6)
    }
  }

  @Test("a hole is outside, and its edge is an edge")
  func holes() {
    let shape = polygon(
      (45, 7), (45, 7.1), (45.1, 7.1), (45.1, 7),
      holes: [[(45.04, 7.04), (45.04, 7.06), (45.06, 7.06), (45.06, 7.04)]])
    #expect(depth(shape, 45.05, 7.05) < -500)
    #expect(depth(shape, 45.02, 7.02) > 500)
    #expect((depth(shape, 45.05, 7.0605) - 39.5).magnitude < 1)
  }

  @Test(
    "what is no region is none",
    arguments: [
      Region.Shape.circle(Coordinate(latitude: 91, longitude: 0), radius: 5),
      .circle(Coordinate(latitude: 0, longitude: 0), radius: 0),
      .circle(Coordinate(latitude: 0, longitude: 0), radius: .nan),
      .circle(Coordinate(latitude: 0, longitude: 0), radius: 3e7),
      .polygon([Coordinate(latitude: 0, longitude: 0)], holes: []),
      .polygon([45.0, 45.1, 45.3].map { Coordinate(latitude: $0, longitude: 7) }, holes: []),
      .polygon(
        [0.0, 120, 240].map { Coordinate(latitude: 0, longitude: $0 > 180 ? $0 - 360 : $0) },
        holes: []),
    ])
  func none(shape: Region.Shape) {
    #expect(RegionShape(shape) == nil)
  }

  @Test("the index finds the regions that a place lies in, as looking at all of them does")
  func index() {
    var dice = Dice(seed: 9)
    var index = RegionIndex()
    var all: [(Point, Double)?] = []
    for slot in Int32(0)..<600 {
      let place = Coordinate(
        latitude: Double.random(in: -90...90, using: &dice),
        longitude: Double.random(in: -180...180, using: &dice))
      let extents: [Double] = [10, 300, 5e4, 2e6]
      let extent = extents.randomElement(using: &dice) ?? 1
      all.append((Point(place), extent))
      index.insert(slot, Point(place), extent)
    }
    for slot in stride(from: 0, to: 600, by: 3) {
      if let (middle, extent) = all[slot] { index.remove(Int32(slot), middle, extent) }
      all[slot] = nil
    }
    for (middle, extent) in all.compactMap({ $0 }) {
      let place = middle + Point(x: extent / 2, y: -extent / 3, z: extent / 3)
      var found: Set<Int32> = []
      index.forEach(at: place) { #expect(found.insert($0).inserted) }
      for (slot, one) in all.enumerated() {
        guard let one, place.chord(to: one.0) <= one.1 else { continue }
        #expect(found.contains(Int32(slot)))
      }
    }
  }
}

@Suite("RegionWatch") struct RegionWatchTests {
  private func told(
    _ depths: [Double], accuracy: Double = 10, every seconds: Double = 1
  ) -> [Int] {
    var watch = RegionWatch(.outside)
    return depths.indices.filter { see(depths[$0], accuracy, &watch, after: seconds) }
  }

  /// Whether the state is another one then.
  private func see(
    _ depth: Double, _ accuracy: Double, _ watch: inout RegionWatch, after seconds: Double,
    from: Double? = nil, middle: Double? = nil
  ) -> Bool {
    let step = RegionWatch.Step(seconds: seconds, from: from, middle: middle)
    guard let change = watch.observe(depth, accuracy, after: step) else { return false }
    watch.make(change)
    return true
  }

  @Test("who walks in is told within a quarter of a minute, and only once")
  func walkingIn() {
    let depths = (0..<120).map { Double($0) * 1.4 - 20 }
    let told = told(depths)
    #expect(told.count == 1)
    #expect((told.first ?? 0) - 15 <= 22)
  }

  @Test("some wrong fixes deep inside are no entry")
  func burst() {
    #expect(told([-80, -80, 70, 70, 70, 70, 70, 70, 70, -80, -80, -80]).isEmpty)
  }

  @Test("who stands at the edge is not told again and again")
  func edge() {
    var dice = Dice(seed: 1)
    let depths = (0..<3600).map { _ in Double.random(in: -12...12, using: &dice) }
    #expect(told(depths).isEmpty)
  }

  @Test("a way that led right across, unseen, counts when it ends inside")
  func across() {
    var watch = RegionWatch(.outside)
    #expect(!see(-120, 10, &watch, after: 1))
    #expect(!see(26, 10, &watch, after: 90, from: -120, middle: 95))
    #expect(see(21, 10, &watch, after: 1))
    var grazing = RegionWatch(.outside)
    #expect(!see(26, 10, &grazing, after: 90, from: -120, middle: -20))
    #expect(!see(21, 10, &grazing, after: 1))
  }

  @Test("some fixes far inside after a silence are no entry: they may be wrong")
  func leap() {
    var watch = RegionWatch(.outside)
    #expect(!see(90, 15, &watch, after: 60, from: -90, middle: 0))
    #expect(!see(88, 15, &watch, after: 3))
    #expect(watch.patience == nil)
    #expect(!see(-90, 10, &watch, after: 10))
  }

  @Test("who goes in and is heard of no more is in, those who only came near are not")
  func silence() {
    var watch = RegionWatch(.outside)
    for depth in stride(from: -30.0, through: 45, by: 6) { _ = see(depth, 10, &watch, after: 1) }
    let patience = watch.patience ?? .infinity
    #expect((1...13).contains(patience))
    #expect(watch.wait()?.state == .inside)
    var near = RegionWatch(.outside)
    for depth in stride(from: -30.0, through: 15, by: 6) { _ = see(depth, 10, &near, after: 1) }
    #expect(near.patience == nil)
  }

  @Test("a coarse fix that spans the edge decides nothing, also at the beginning")
  func coarse() {
    var watch = RegionWatch()
    #expect(see(90, 1000, &watch, after: 1) == false)
    #expect(watch.state == .unknown)
    #expect(see(-90, 10, &watch, after: 1) == true)
    for _ in 0..<100 { #expect(see(300, 1000, &watch, after: 30) == false) }
    #expect(watch.state == .outside)
  }

  @Test("vague fixes that span the edge do not add up with one that is less vague")
  func vague() {
    var watch = RegionWatch(.inside)
    for _ in 0..<40 { #expect(!see(-1700, 1300, &watch, after: 60)) }
    #expect(!see(-500, 600, &watch, after: 60))
    #expect(!see(-500, 600, &watch, after: 60))
    #expect(!see(170, 700, &watch, after: 60))
    #expect(!watch.isPending)
  }
}

/// East along a line through the middle of a circle of 100 m, at so many metres a second.
private struct Drive {
  var detector = RegionDetector()
  var told: [Double] = []

  init(_ pace: Double, until end: Double) {
    let shape = RegionShape(.circle(MonitoringHarness.place(north: 0), radius: 100))
    if let shape { _ = detector.add(shape, .outside) }
    var time = 0.0
    while -200 + pace * time < end {
      let place = MonitoringHarness.place(north: 0, east: -200 + pace * time)
      var findings: [Finding] = []
      detector.observe(Observation(place, 5, at: time), into: &findings)
      if !findings.isEmpty { told.append(time) }
      time += 1
    }
  }

  mutating func wait(until time: Double) {
    var findings: [Finding] = []
    detector.wait(until: time, into: &findings)
    if !findings.isEmpty { told.append(time) }
  }
}

@Suite("RegionDetector") struct RegionDetectorTests {
  @Test("a drive through of half a minute is told, one of a quarter of a minute is not")
  func passing() {
    let slow = Drive(200.0 / 30, until: 300)
    #expect(slow.told.count == 2)
    let fast = Drive(200.0 / 16, until: 300)
    #expect(fast.told.isEmpty)
  }

  @Test("who drives in and falls silent is told of once it is sure, and only once")
  func silence() {
    var drive = Drive(5, until: -40)
    #expect(drive.told.isEmpty)
    let due = drive.detector.wakesAt ?? .infinity
    #expect((20...40).contains(due))
    drive.wait(until: due - 1)
    #expect(drive.told.isEmpty)
    drive.wait(until: due)
    #expect(drive.told == [due])
    #expect(drive.detector.state(of: 0) == .inside)
    #expect(drive.detector.wakesAt == nil)
  }

  @Test("who is on the way out again when he falls silent is not told of")
  func corner() {
    var drive = Drive(18, until: 60)
    drive.wait(until: 1000)
    #expect(drive.told.isEmpty)
  }
}
