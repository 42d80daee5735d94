import LocationModel
import Testing

@testable import LocationCore

@Suite("Configured anew") struct ConfiguredTests {
  @Test("while a location is needed, new sources open, those that leave close, others go on")
  func change() {
    var desk = Desk(sources: [("a", false), ("b", false)])
    desk.call(.startUpdatingLocation(.init()))
    desk.fix(from: 1)
    let outputs = desk.configure([(1, "b"), (2, "c")])
    #expect(outputs.opened == [2])
    #expect(outputs.closed == [0])
    #expect(outputs.failures.isEmpty)
    #expect(desk.status?.sources?.map(\.name) == ["b", "c"])
    #expect(desk.status?.sources?.map(\.state) == [.running, .waiting])
    #expect(desk.status?.sources?.map(\.fixes) == [1, 0])
  }

  @Test("while none is needed, nothing opens or closes until one is")
  func asleep() {
    var desk = Desk(sources: [("a", false)])
    #expect(desk.configure([(1, "b"), (2, "c")]).isEmpty)
    #expect(desk.call(.startUpdatingLocation(.init())).opened == [1, 2])
  }

  @Test("a source that comes just after the last need waits for the next")
  func lingering() {
    var desk = Desk(sources: [("a", false)])
    desk.call(.startUpdatingLocation(.init()))
    desk.call(.stopUpdatingLocation)
    #expect(desk.configure([(0, "a"), (1, "b")]).opened.isEmpty)
    #expect(desk.call(.startUpdatingLocation(.init())).opened == [1])
    desk.call(.stopUpdatingLocation)
    desk.now = 105
    #expect(desk.handle(.timer).closed == [0, 1])
  }

  @Test("what a source says after it has left is passed over, also where its place is taken")
  func late() {
    var desk = Desk(sources: [("a", false)])
    desk.call(.startUpdatingLocation(.init()))
    desk.configure([(1, "b")])
    #expect(desk.fix(from: 0).isEmpty)
    #expect(desk.handle(.failed(SourceID(0), "x")).isEmpty)
    #expect(desk.handle(.found(SourceID(0))).isEmpty)
    #expect(desk.status?.sources?.map(\.state) == [.waiting])
    #expect(desk.fix(from: 1).told == [0])
  }

  @Test("when the source believed leaves, a less accurate one is believed at once")
  func chosenLeaves() {
    var desk = Desk(sources: [("a", false), ("b", false)])
    desk.call(.startUpdatingLocation(.init()))
    desk.fix(accuracy: 2, from: 0)
    #expect(desk.fix(accuracy: 20, from: 1).told.isEmpty)
    desk.configure([(1, "b")])
    #expect(desk.fix(north: 100, accuracy: 20, from: 1).told == [0])
  }

  @Test("sources may change places")
  func order() {
    var desk = Desk(sources: [("a", false), ("b", false)])
    desk.call(.startUpdatingLocation(.init()))
    desk.fix(accuracy: 2, from: 0)
    #expect(desk.configure([(1, "b"), (0, "a")]).isEmpty)
    #expect(desk.fix(accuracy: 20, from: 1).told.isEmpty)
    #expect(desk.fix(north: 9, accuracy: 2, from: 0).told == [0])
    #expect(desk.status?.sources?.map(\.fixes) == [1, 2])
  }

  @Test("clients are told when only failed sources are left, or none")
  func failing() {
    var desk = Desk(sources: [("a", false), ("b", false)])
    desk.call(.startUpdatingLocation(.init()))
    desk.handle(.failed(SourceID(0), "x"))
    desk.fix(from: 1)
    #expect(desk.configure([(0, "a")]).failures.count == 1)
    #expect(desk.configure([]).failures.isEmpty)
    desk.configure([(2, "c")])
    #expect(desk.configure([]).failures.count == 1)
  }

  @Test("limits hold for what is asked from then on, and take nothing away")
  func limits() {
    var desk = Desk()
    for manager in 0..<3 { desk.call(.startUpdatingLocation(.init()), manager: manager) }
    desk.configure([(0, "gps")]) {
      $0.limits.managersPerUser = 2
      $0.limits.waitingPerUser = 0
    }
    #expect(desk.call(.startUpdatingLocation(.init()), manager: 3).refusals.count == 1)
    #expect(desk.call(.requestLocation(.init())).refusals.count == 1)
    #expect(desk.fix().told == [0, 1, 2])
  }

  @Test("how long sources linger holds also for those that linger now")
  func linger() {
    var desk = Desk()
    desk.call(.startUpdatingLocation(.init()))
    #expect(desk.call(.stopUpdatingLocation).wake == 105)
    desk.now = 101
    #expect(desk.configure([(0, "gps")]) { $0.linger = .seconds(60) }.wake == 160)
    desk.now = 130
    #expect(desk.configure([(0, "gps")]) { $0.linger = .zero }.closed == [0])
  }
}

extension Desk {
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
