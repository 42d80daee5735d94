import LocationModel
import ReceiverCore
import TestSupport
import Testing

@testable import LocationCore

/// Two honest receivers 7,000 km apart, one heard each second and the other five times.
private struct Apart {
  var harness = ServiceHarness(sources: [("slow", false), ("fast", false)], filtered: true)
  var told: [Location] = []
  var dice: Dice
  /// Metres that the last digit of a place is worth.
  var digit = 0.0
  var accuracies = 5.0...5.0
  var speed = 0.0

  init(seed: UInt64) {
    dice = Dice(seed: seed)
    harness.call(.startUpdatingLocation(.init()))
  }

  var switches: Int { zip(told, told.dropFirst()).count { $0.source != $1.source } }

  mutating func hear(_ seconds: Range<Int>, silent: Int? = nil) {
    for fifth in seconds.lowerBound * 5..<seconds.upperBound * 5 {
      let time = 100 + Double(fifth) / 5
      if silent != 1 { say(1, at: time) }
      if fifth % 5 == 2, silent != 0 { say(0, at: time + 0.1) }
    }
  }

  private mutating func say(_ source: Int, at time: Double) {
    let wobble = Double.random(in: -1...1, using: &dice) + speed * (time - 100)
    let metres = digit > 0 ? (wobble / digit).rounded() * digit : wobble
    var location = ServiceHarness.location(
      north: Double(source) * -7e6 + metres, accuracy: .random(in: accuracies, using: &dice),
      at: time)
    location.speed = speed
    harness.now = time
    for case .tell(_, .didUpdateLocations(let one, _)) in harness.handle(
      .reading(SourceID(source), .fix(Fix(location))))
    {
      told.append(one)
    }
  }
}

@Suite("Two receivers far apart") struct ReceiversApartTests {
  @Test(
    "do not take turns: one is believed, whatever wobbles",
    arguments: 1...(isSoak ? 16 : 2) as ClosedRange<UInt64>, [0, 0.2, 1, 3])
  func steady(seed: UInt64, digit: Double) {
    for accuracies in [5...5, 1...4, 3...15] as [ClosedRange<Double>] {
      for speed in [0.0, 20] {
        var apart = Apart(seed: seed)
        apart.digit = digit
        apart.accuracies = accuracies
        apart.speed = speed
        apart.hear(0..<300)
        #expect(apart.switches <= 1, "\(accuracies), \(speed) m/s: \(apart.switches)")
        #expect(apart.told.count > 280)
      }
    }
  }

  @Test("take turns only where one falls silent")
  func silence() {
    var apart = Apart(seed: 1)
    apart.hear(0..<60)
    let first = apart.told.last?.source
    apart.hear(60..<90, silent: first == "fast" ? 1 : 0)
    #expect(apart.told.last?.source != first)
    let before = apart.switches
    apart.hear(90..<300)
    #expect(apart.switches == before)
  }

  @Test("within one source, a sender is left for one that is clearly better, and not for a moment")
  func senders() {
    var preferred = PreferredSender<Int>()
    var dice = Dice(seed: 5)
    var senders: [Int] = []
    func hear(_ seconds: Range<Int>, _ accuracies: [ClosedRange<Double>]) {
      for second in seconds {
        for (sender, range) in accuracies.enumerated() {
          let accuracy = Double.random(in: range, using: &dice)
          let location = ServiceHarness.location(
            north: Double(sender) * 7e6, accuracy: accuracy, at: Double(second))
          let isTold = preferred.admits(
            Fix(location), from: sender, at: .start + .seconds(second) + .nanoseconds(sender))
          if isTold, senders.last != sender { senders.append(sender) }
        }
      }
    }
    hear(0..<300, [4...20, 4...20])
    #expect(senders == [0])
    hear(300..<400, [4...20, 2...3])
    #expect(senders == [0, 1])
    hear(400..<700, [4...20, 4...20])
    #expect(senders == [0, 1])
  }
}
