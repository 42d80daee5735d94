import LocationModel
import ReceiverCore
import Testing

@testable import LocationCore

private let office = RadioPlace(
  Coordinate(latitude: 45, longitude: 7), horizontalAccuracy: 80)

private func scan(_ numbers: ClosedRange<UInt64>, signal: Double = -60) -> NetworkScan {
  NetworkScan(
    numbers.compactMap {
      HeardNetwork(address: 0x0016_3E00_0000 + $0 * 256, name: "a".utf8, signal: signal)
    }, timestamp: Timestamp(microseconds: 0))
}

private let cell = CellTower(radio: .lte, country: 262, network: 2, area: 7, cell: 9)

extension ServiceHarness {
  /// Without a disk's last place, whose sources say nothing.
  fileprivate init(here: SetPlace? = nil) {
    var remembered = StoreSnapshot()
    remembered.here = here
    self.init(.init(), remembered)
  }

  @discardableResult
  fileprivate mutating func hear(_ scan: NetworkScan) -> [Output] {
    handle(.reading(SourceID(0), .scan(scan)))
  }

  /// Time goes by, from one alarm that was asked for to the next; all that comes out.
  @discardableResult
  fileprivate mutating func pass(_ seconds: Double) -> [Output] {
    let end = now + seconds
    var all: [Output] = []
    while now < end {
      let alarm = service.wakeAsked.map { $0.seconds(since: .start) } ?? end
      now = min(max(alarm, now + 0.001), end)
      all += handle(.timer)
    }
    return all
  }
}

extension [Output] {
  fileprivate var questions: [(number: Int64, question: GeolocateRequest)] {
    compactMap {
      if case .locate(let number, let question) = $0 { (number, question) } else { nil }
    }
  }

  /// Each demand on an open source: true where the cell is wanted.
  fileprivate var cellDemands: [Bool] {
    compactMap {
      switch $0 {
      case .open(_, let demand), .demand(_, let demand): demand.cells
      default: nil
      }
    }
  }

  fileprivate var places: [Location] {
    compactMap {
      guard case .tell(_, .didUpdateLocations(let location, .standard)) = $0 else { return nil }
      return location
    }
  }
}

@Suite("A named server's word") struct LocatorQuestionsTests {
  @Test("nobody asks while no client wants a place, however much is heard")
  func unwanted() {
    var harness = ServiceHarness()
    for _ in 0..<20 {
      #expect(harness.hear(scan(1...9)).questions.isEmpty)
      #expect(harness.pass(30).questions.isEmpty)
    }
    harness.call(.startMonitoringVisits)
    #expect(harness.hear(scan(1...9)).questions.isEmpty && harness.pass(60).questions.isEmpty)
  }

  @Test("a client that waits is told the place, with the word that it is a server's")
  func told() throws {
    var harness = ServiceHarness()
    harness.call(.startUpdatingLocation(.init()))
    harness.hear(scan(1...9))
    let (number, question) = try #require(harness.pass(2).questions.first)
    #expect(question.networks.count == 9 && question.cells.isEmpty)
    let places = harness.handle(.located(number, .success(office))).places
    #expect(places.map(\.source) == ["server-wifi:"] && places[0].horizontalAccuracy == 80)
    #expect(places[0].kind == .askedNetworks && !places[0].kind.isEvidence)
    // Networks heard again are no question, and the place does not grow old.
    for _ in 0..<20 {
      #expect(harness.hear(scan(1...8)).questions.isEmpty && harness.pass(30).questions.isEmpty)
    }
    let kept = harness.call(.location).located
    #expect(kept?.horizontalAccuracy == 80 && kept?.source == "server-wifi:")
    // The radio hears nothing any more: the place becomes vague, and then unknown.
    harness.pass(60)
    #expect((harness.call(.location).located?.horizontalAccuracy ?? 0) > 400)
    harness.pass(600)
    #expect(harness.call(.location).located == nil)
  }

  @Test("a receiver that says better is given time, and keeps all questions away")
  func better() {
    var harness = ServiceHarness()
    harness.call(.startUpdatingLocation(.init()))
    harness.fix(accuracy: 90)
    harness.hear(scan(1...9))
    for _ in 0..<20 {
      harness.now += 25
      #expect(harness.handle(.timer).questions.isEmpty)
      harness.fix(accuracy: 90)
    }
    #expect(harness.pass(29).questions.isEmpty && harness.pass(2).questions.count == 1)
  }

  @Test(
    "other networks are asked about at most twice a minute, for a coarse wish every other minute")
  func pace() {
    for (wish, most) in [(-1.0, 20), (3000, 5)] {
      var harness = ServiceHarness()
      harness.call(.startUpdatingLocation(.init(desiredAccuracy: wish)))
      var count = 0
      for second in 0..<600 {
        let number = UInt64(second) * 10 + 1
        var outputs = harness.hear(scan(number...(number + 5)))
        outputs += harness.pass(1)
        count += outputs.questions.count
        for (number, _) in outputs.questions {
          harness.handle(.located(number, .success(office)))
        }
      }
      #expect((most - 1...most).contains(count), "\(wish): \(count)")
    }
  }

  @Test("no server is named: one question an hour, and one when the configuration is read anew")
  func off() throws {
    var harness = ServiceHarness()
    harness.call(.startUpdatingLocation(.init()))
    harness.hear(scan(1...9))
    let (number, _) = try #require(harness.pass(2).questions.first)
    harness.handle(.located(number, .failure(Refusal(.unknownMethod, ""))))
    for minute in 0..<59 {
      harness.hear(scan(UInt64(minute) * 50 + 1...UInt64(minute) * 50 + 5))
      #expect(harness.pass(60).questions.isEmpty)
    }
    let settings = LocationService.Settings(
      version: "1", uid: 990,
      sources: [SourceDescription(SourceID(0), name: "gps", simulated: false)])
    #expect(harness.handle(.configured(settings)).questions.count == 1)
  }

  @Test("a server that fails, or a service that is not there, is asked less and less often")
  func failing() {
    var harness = ServiceHarness()
    harness.call(.startUpdatingLocation(.init()))
    var moments: [Double] = []
    for _ in 0..<(7200 / 10) {
      var outputs = harness.hear(scan(1...9))
      outputs += harness.pass(10)
      for (number, _) in outputs.questions {
        moments.append(harness.now)
        // Every other one is never answered at all.
        if moments.count % 2 == 0 {
          harness.handle(.located(number, .failure(Refusal(.network, ""))))
        }
      }
    }
    #expect((4...8).contains(moments.count), "\(moments)")
  }

  @Test("networks that nobody knows are not asked about again for an hour; the cell is, once")
  func unknown() throws {
    var harness = ServiceHarness()
    harness.call(.startUpdatingLocation(.init()))
    harness.handle(.heard(cell))
    harness.hear(scan(1...9))
    let (number, question) = try #require(harness.pass(2).questions.first)
    #expect(!question.networks.isEmpty)
    let next = harness.handle(
      .located(number, .failure(Refusal(.geocodeFoundNoResult, "")))
    ).questions
    let (second, cells) = try #require(next.first)
    #expect(cells.networks.isEmpty && cells.cells.count == 1)
    let place = RadioPlace(office.coordinate, horizontalAccuracy: 4000)
    let told = harness.handle(.located(second, .success(place))).places
    #expect(told.map(\.source) == ["server-cells:"])
    for _ in 0..<50 {
      harness.handle(.heard(cell))
      #expect(harness.hear(scan(1...9)).questions.isEmpty && harness.pass(60).questions.isEmpty)
    }
  }

  @Test("one network is no question, nor are those that were not heard of late")
  func few() throws {
    var harness = ServiceHarness()
    harness.call(.startUpdatingLocation(.init()))
    harness.hear(scan(1...1))
    #expect(harness.pass(30).questions.isEmpty)
    var old = scan(1...5)
    for i in old.networks.indices { old.networks[i].age = .seconds(61) }
    harness.hear(old)
    #expect(harness.pass(30).questions.isEmpty)
    // The strongest are enough.
    var many = scan(1...60, signal: -80)
    for i in 0..<20 { many.networks[i * 3].signal = -40 }
    let outputs = harness.hear(many) + harness.pass(1)
    let (_, question) = try #require(outputs.questions.first)
    #expect(question.networks.count == 20 && question.networks.allSatisfy { $0.signal == -40 })
  }

  @Test(
    "a single request has the server's word in time where it meets the wish, and at its end else")
  func request() throws {
    var harness = ServiceHarness()
    harness.hear(scan(1...9))
    #expect(harness.call(.requestLocation(.init(desiredAccuracy: 100))).located == nil)
    let (number, _) = try #require(harness.pass(2).questions.first)
    let answer = harness.handle(.located(number, .success(office))).located
    #expect(answer?.source == "server-wifi:")
    #expect(harness.call(.requestLocation(.init(desiredAccuracy: 10))).located == nil)
    #expect(harness.pass(10).located?.source == "server-wifi:")
  }

  @Test("the networks around set the set place aside, and a better fix is not disturbed")
  func setPlace() throws {
    let here = SetPlace(Coordinate(latitude: 46, longitude: 7))
    var harness = ServiceHarness(here: here)
    #expect(harness.call(.startUpdatingLocation(.init())).places.map(\.source) == ["set:"])
    harness.hear(scan(1...9))
    let (number, _) = try #require(harness.pass(2).questions.first)
    #expect(
      harness.handle(.located(number, .success(office))).places.map(\.source) == ["server-wifi:"])
    #expect(harness.service.sources.known.status.isSetAside)
    harness.fix(accuracy: 5)
    let late = harness.handle(.located(number, .success(office)))
    #expect(late.places.isEmpty && harness.call(.location).located?.source == "gps")
  }

  @Test("a modem is asked for its cell only where a server is named, as an empty question tells")
  func probe() throws {
    var settings = LocationService.Settings(
      version: "1", uid: 990,
      sources: [SourceDescription(SourceID(0), name: "modem:", simulated: false, kind: .modem)])
    settings.linger = .zero
    for isNamed in [false, true] {
      var harness = ServiceHarness()
      harness.handle(.configured(settings))
      #expect(harness.pass(60).questions.isEmpty)
      #expect(harness.call(.startUpdatingLocation(.init())).cellDemands == [false])
      let (number, question) = try #require(harness.pass(2).questions.first)
      #expect(question == GeolocateRequest())
      let answer = Refusal(isNamed ? .invalidParameters : .unknownMethod, "")
      let outputs = harness.handle(.located(number, .failure(answer)))
      #expect(outputs.cellDemands == (isNamed ? [true] : []))
      #expect(harness.pass(600).questions.isEmpty)
      let asked = harness.handle(.heard(cell)) + harness.pass(60)
      #expect(asked.questions.count == (isNamed ? 1 : 0))
      // A receiver's fix needs no cell.
      guard isNamed else { continue }
      harness.fix()
      #expect(harness.handle(.timer).cellDemands + harness.pass(1).cellDemands == [false])
    }
  }

  @Test("forget and the switch forget the answer, and what is under way counts for nothing")
  func forgotten() throws {
    var harness = ServiceHarness()
    harness.call(.startUpdatingLocation(.init()))
    harness.hear(scan(1...9))
    let (number, _) = try #require(harness.pass(2).questions.first)
    harness.call(.forget)
    #expect(harness.handle(.located(number, .success(office))).places.isEmpty)
    #expect(harness.call(.location).located == nil)
  }
}
