import LocationModel
import ReceiverCore
import Testing

@testable import LocationCore

@Suite("Only what is needed") struct DutyTests {
  /// A receiver that takes three seconds to its first fix and then says one a second, while it is
  /// open; time goes from alarm to alarm.
  private struct Life {
    var harness: ServiceHarness
    var openSince: Double?
    var secondsOpen = 0.0
    var openings = 0
    var wakeUps = 0
    var wakeAt: Double?
    var speed: Double?

    init(_ requests: Double..., resting: Double = 300, simulated: Bool = false) {
      harness = ServiceHarness(sources: [("gps", simulated)])
      harness.handle(
        .configured(Life.settings(resting, mayRest: !simulated)))
      for (manager, accuracy) in requests.enumerated() {
        let call = harness.call(
          .startUpdatingLocation(.init(desiredAccuracy: accuracy)), manager: manager)
        heed(call)
      }
    }

    static func settings(_ resting: Double, mayRest: Bool = true) -> LocationService.Settings {
      var settings = LocationService.Settings(
        version: "1", uid: 990,
        sources: [
          SourceDescription(SourceID(0), name: "gps", simulated: !mayRest, mayRest: mayRest)
        ])
      settings.duty.longestPause = .seconds(resting)
      return settings
    }

    mutating func heed(_ outputs: [Output]) {
      if outputs.opens > 0 {
        openSince = harness.now
        openings += 1
      }
      if outputs.closes > 0, let since = openSince {
        secondsOpen += harness.now - since
        openSince = nil
      }
      if let wake = outputs.wake { wakeAt = wake == 0 ? nil : wake }
    }

    mutating func live(_ seconds: Int, accuracy: Double? = 6) {
      for _ in 0..<seconds {
        harness.now += 1
        if let wake = wakeAt, wake <= harness.now {
          wakeUps += 1
          heed(harness.handle(.timer))
        }
        guard let since = openSince, harness.now - since >= 3, let accuracy else { continue }
        let north = harness.now * (speed ?? 0)
        var location = ServiceHarness.location(north: north, accuracy: accuracy, at: harness.now)
        location.speed = speed
        heed(harness.handle(.reading(SourceID(0), .fix(Fix(location)))))
      }
      if let since = openSince {
        secondsOpen += harness.now - since
        openSince = harness.now
      }
    }
  }

  @Test("a source is told what is needed of it, and when that changes, not each change of pace")
  func demands() {
    var harness = ServiceHarness(sources: [("gps", false)])
    func demands(_ outputs: [Output]) -> [String] {
      outputs.compactMap {
        switch $0 {
        case .open(_, let demand): "open \(demand)"
        case .demand(_, let demand): "\(demand)"
        default: nil
        }
      }
    }
    func call(_ accuracy: Double, _ manager: Int, _ harness: inout ServiceHarness) -> [Output] {
      harness.call(.startUpdatingLocation(.init(desiredAccuracy: accuracy)), manager: manager)
    }
    #expect(demands(call(3000, 1, &harness)) == ["open fixes within 3000.0 m, one in 256 s"])
    #expect(demands(call(10, 2, &harness)) == ["fixes within 10.0 m"])
    #expect(
      demands(harness.call(.startUpdatingHeading(.init()), manager: 3)) == [
        "fixes within 10.0 m, headings"
      ])
    #expect(demands(harness.call(.stopUpdatingHeading, manager: 3)) == ["fixes within 10.0 m"])
    for metres in [0.0, 3, 7, 30] {
      harness.now += 1
      #expect(demands(harness.fix(north: metres)) == [])
    }
    #expect(
      demands(harness.call(.stopUpdatingLocation, manager: 2)).allSatisfy { $0.hasPrefix("fixes") })
  }

  @Test("the best there is keeps a receiver on", arguments: [-1.0, -2, 0, 10, 99])
  func best(accuracy: Double) {
    var life = Life(accuracy)
    life.live(3600)
    #expect(life.openings == 1)
    #expect(life.secondsOpen == 3600)
    #expect(life.wakeUps <= 1)
  }

  @Test(
    "who is content with any distance, however far, is told what is at hand",
    arguments: [1e9, 1e300, .greatestFiniteMagnitude, .infinity])
  func contentWithAnything(accuracy: Double) {
    var life = Life(-1)
    life.live(10)
    let outputs = life.harness.call(
      .startUpdatingLocation(.init(desiredAccuracy: accuracy)), manager: 1)
    #expect(outputs.contains { if case .tell(_, .didUpdateLocations) = $0 { true } else { false } })
  }

  @Test(
    "who is content with less has it on for a small part of the time",
    arguments: [(3000, 300, 0.02), (1000, 300, 0.02), (100, 67, 0.06)])
  func coarse(accuracy: Double, every: Double, part: Double) {
    var life = Life(accuracy)
    life.live(3600)
    #expect(life.secondsOpen / 3600 < part)
    #expect((Int(3600 / (every + 4))...Int(3600 / every + 2)).contains(life.openings))
    #expect(life.wakeUps <= life.openings + 1)
  }

  @Test("who moves fast would soon be elsewhere: the receiver stays on")
  func fast() {
    var life = Life(100)
    life.speed = 30
    life.live(3600)
    #expect(life.openings == 1)
  }

  @Test("the most demanding client counts, and only as long as it is there")
  func several() {
    var life = Life(3000, -1)
    life.live(600)
    #expect(life.secondsOpen == 600)
    life.heed(life.harness.call(.stopUpdatingLocation, manager: 1))
    life.live(600)
    #expect(life.secondsOpen < 630)
  }

  @Test("someone who asks for one location is not kept waiting by a rest")
  func oneShot() {
    var life = Life(3000)
    life.live(100)
    #expect(life.openSince == nil)
    life.heed(life.harness.call(.requestLocation(.init())))
    #expect(life.openSince != nil)
    life.live(10)
    let waiting = life.harness.status?.client.waiting
    #expect(waiting == 0)
    #expect(life.openSince == nil)
  }

  @Test("who needs little begins with what is known, and nothing is opened for it")
  func start() {
    var life = Life(3000)
    life.live(100)
    let outputs = life.harness.call(
      .startUpdatingLocation(.init(desiredAccuracy: 1000)), manager: 1)
    #expect(outputs.told == [1])
    #expect(outputs.opens == 0)
    #expect(
      life.harness.call(.startUpdatingLocation(.init(desiredAccuracy: -1)), manager: 2).opens == 1)
  }

  @Test("where nothing is to be had it is sought for a while, and again later")
  func nothing() {
    var life = Life(3000)
    life.live(3600, accuracy: nil)
    #expect((8...11).contains(life.openings))
    #expect(life.secondsOpen < 660)
  }

  @Test("a recording is not cut, and nobody rests where that is not wanted")
  func exempt() {
    var recording = Life(3000, simulated: true)
    recording.live(600)
    #expect(recording.openings == 1)
    #expect(recording.secondsOpen == 600)
    var unwanted = Life(3000, resting: 0)
    unwanted.live(600)
    #expect(unwanted.secondsOpen == 600)
  }

  @Test("the status says what is on, and why")
  func status() throws {
    var life = Life(3000)
    life.live(100)
    let answer = life.harness.status
    let status = try #require(answer)
    #expect(status.sources?.first?.state == .resting)
    let need = try #require(status.need)
    #expect(need.accuracy == 3000)
    #expect(need.every == 300)
    #expect(need.updating == 1)
    #expect((150...250).contains(try #require(need.resting)))
    life.heed(life.harness.call(.stopUpdatingLocation))
    let after = life.harness.status
    #expect(after?.need == nil)
    #expect(after?.sources?.first?.state == .closed)
  }

  @Test("a need of one's own rhythm is met in that rhythm")
  func rhythm() {
    #expect(Need(accuracy: 50, every: 60).pause(at: 30) == 60)
    #expect(Need(accuracy: 50).pause(at: 0) == 0)
    #expect(Need(accuracy: 3000).pause(at: 30) == 100)
    #expect(Need.all.pause(at: 0) == 0)
  }
}
