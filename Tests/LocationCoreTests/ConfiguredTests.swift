import LocationModel
import ReceiverCore
import Testing

@testable import LocationCore

@Suite("Configured anew") struct ConfiguredTests {
  @Test("while a location is needed, new sources open, those that leave close, others go on")
  func change() {
    var harness = ServiceHarness(sources: [("a", false), ("b", false)])
    harness.call(.startUpdatingLocation(.init()))
    harness.fix(from: 1)
    let outputs = harness.configure([(1, "b"), (2, "c")])
    #expect(outputs.opened == [2])
    #expect(outputs.closed == [0])
    #expect(outputs.failures.isEmpty)
    #expect(harness.status?.sources?.map(\.name) == ["b", "c"])
    #expect(harness.status?.sources?.map(\.state) == [.running, .waiting])
    #expect(harness.status?.sources?.map(\.fixes) == [1, 0])
  }

  @Test("while none is needed, nothing opens or closes until one is")
  func asleep() {
    var harness = ServiceHarness(sources: [("a", false)])
    #expect(harness.configure([(1, "b"), (2, "c")]).isEmpty)
    #expect(harness.call(.startUpdatingLocation(.init())).opened == [1, 2])
  }

  @Test("a source that comes just after the last need waits for the next")
  func lingering() {
    var harness = ServiceHarness(sources: [("a", false)])
    harness.call(.startUpdatingLocation(.init()))
    harness.call(.stopUpdatingLocation)
    #expect(harness.configure([(0, "a"), (1, "b")]).opened.isEmpty)
    #expect(harness.call(.startUpdatingLocation(.init())).opened == [1])
    harness.call(.stopUpdatingLocation)
    harness.now = 105
    #expect(harness.handle(.timer).closed == [0, 1])
  }

  @Test("what a source says after it has left is passed over, also where its place is taken")
  func late() {
    var harness = ServiceHarness(sources: [("a", false)])
    harness.call(.startUpdatingLocation(.init()))
    harness.configure([(1, "b")])
    #expect(harness.fix(from: 0).isEmpty)
    #expect(harness.handle(.failed(SourceID(0), "x")).isEmpty)
    #expect(harness.handle(.found(SourceID(0))).isEmpty)
    #expect(harness.status?.sources?.map(\.state) == [.waiting])
    #expect(harness.fix(from: 1).told == [0])
  }

  @Test("when the source believed leaves, a less accurate one is believed at once")
  func chosenLeaves() {
    var harness = ServiceHarness(sources: [("a", false), ("b", false)])
    harness.call(.startUpdatingLocation(.init()))
    harness.fix(accuracy: 2, from: 0)
    #expect(harness.fix(accuracy: 20, from: 1).told.isEmpty)
    harness.configure([(1, "b")])
    #expect(harness.fix(north: 100, accuracy: 20, from: 1).told == [0])
  }

  @Test("sources may change places")
  func order() {
    var harness = ServiceHarness(sources: [("a", false), ("b", false)])
    harness.call(.startUpdatingLocation(.init()))
    harness.fix(accuracy: 2, from: 0)
    #expect(harness.configure([(1, "b"), (0, "a")]).isEmpty)
    #expect(harness.fix(accuracy: 20, from: 1).told.isEmpty)
    #expect(harness.fix(north: 9, accuracy: 2, from: 0).told == [0])
    #expect(harness.status?.sources?.map(\.fixes) == [1, 2])
  }

  @Test("clients are told when only failed sources are left, or none")
  func failing() {
    var harness = ServiceHarness(sources: [("a", false), ("b", false)])
    harness.call(.startUpdatingLocation(.init()))
    harness.handle(.failed(SourceID(0), "x"))
    harness.fix(from: 1)
    #expect(harness.configure([(0, "a")]).failures.count == 1)
    #expect(harness.configure([]).failures.isEmpty)
    harness.configure([(2, "c")])
    #expect(harness.configure([]).failures.count == 1)
  }

  @Test("limits hold for what is asked from then on, and take nothing away")
  func limits() {
    var harness = ServiceHarness()
    for manager in 0..<3 { harness.call(.startUpdatingLocation(.init()), manager: manager) }
    harness.configure([(0, "gps")]) {
      $0.limits.managersPerUser = 2
      $0.limits.waitingPerUser = 0
    }
    #expect(harness.call(.startUpdatingLocation(.init()), manager: 3).refusals.count == 1)
    #expect(harness.call(.requestLocation(.init())).refusals.count == 1)
    #expect(harness.fix().told == [0, 1, 2])
  }

  @Test("how long sources linger holds also for those that linger now")
  func linger() {
    var harness = ServiceHarness()
    harness.call(.startUpdatingLocation(.init()))
    #expect(harness.call(.stopUpdatingLocation).wake == 105)
    harness.now = 101
    #expect(harness.configure([(0, "gps")]) { $0.linger = .seconds(60) }.wake == 160)
    harness.now = 130
    #expect(harness.configure([(0, "gps")]) { $0.linger = .zero }.closed == [0])
  }
}

extension ServiceHarness {
  @discardableResult
  fileprivate mutating func configure(
    _ sources: [(number: Int, name: String)],
    _ change: (inout LocationService.Settings) -> Void = { _ in }
  ) -> [Output] {
    var settings = LocationService.Settings(
      version: "1", uid: 990,
      sources: sources.map { SourceDescription(SourceID($0), name: $1, simulated: false) })
    settings.isFiltered = false
    change(&settings)
    return handle(.configured(settings))
  }
}

extension [Output] {
  fileprivate var opened: [Int] {
    compactMap { if case .open(let id, _) = $0 { id.number } else { nil } }
  }

  fileprivate var closed: [Int] {
    compactMap { if case .close(let id) = $0 { id.number } else { nil } }
  }
}
