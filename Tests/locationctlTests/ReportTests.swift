import Console
import LocationModel
import Testing

@testable import locationctl

@Suite("Apps in a table") struct AppTableTests {
  private let now = Timestamp(microseconds: 1_795_206_421_000_000)

  private func app(
    _ authorization: Authorization, _ accuracy: AccuracyAuthorization = .full,
    _ change: (inout AppPermission) -> Void = { _ in }
  ) -> AppPermission {
    var app = AppPermission(
      app: "app:maps", uid: 4711, authorization: authorization, accuracy: accuracy, source: .person)
    change(&app)
    return app
  }

  @Test("what an app may is said in the words that grant takes")
  func words() {
    let apps: [(AppPermission, String)] = [
      (app(.authorizedWhenInUse), "when-in-use"),
      (app(.authorizedWhenInUse) { $0.isOnce = true }, "once"),
      (app(.authorizedAlways, .reduced), "always, reduced"), (app(.denied, .reduced), "denied"),
      (app(.restricted), "restricted"), (app(.notDetermined), "not decided"),
    ]
    for (app, words) in apps {
      let line = AppTable([app], at: now).lines.last ?? ""
      #expect(line.contains("  \(words)  "), "\(line)")
    }
  }

  @Test("an app of all users, its last use and how often; who starts it only where one is started")
  func rows() {
    let used = app(.authorizedAlways) {
      $0.uid = nil
      $0.lastUsed = now + .seconds(-300)
      $0.uses = 12
    }
    #expect(
      AppTable([used], at: now).lines == [
        "APP       USER  MAY     BY      LAST USE   USES",
        "app:maps  all   always  person  5 min ago  12",
      ])
    let started = app(.denied) { $0.activation = Activation(busName: "org.maps") }
    let lines = AppTable([used, started], at: now).lines
    #expect(lines[0].hasSuffix("USES  STARTED BY") && lines[2].hasSuffix("org.maps"))
    #expect(lines[2].contains("  never  "))
  }
}

@Suite("Status in words") struct StatusReportTests {
  private func status(in say: Speech = .english, _ change: (inout Status) -> Void) -> [String] {
    var status = Status(
      version: "1.2", services: [.standard],
      client: ClientStatus(
        app: "user:ann", uid: 1000, pid: 7, name: nil, authorization: .authorizedAlways,
        accuracy: .full))
    change(&status)
    return StatusReport(status, in: say).lines
  }

  @Test("a person is told what they may and why no location comes, and nothing of others")
  func person() {
    #expect(
      status { _ in } == [
        "locationd 1.2: services standard", "You are user:ann: authorizedAlways, not in use",
      ])
    let obstacle = status {
      $0.client.isInUse = true
      $0.obstacle = "no receiver is plugged in"
    }
    #expect(obstacle[1].hasSuffix(", in use"))
    #expect(
      obstacle.last
        == "No location now: no receiver is plugged in. 'locationctl doctor' says what to do.")
    let off = status {
      $0.isEnabled = false
      $0.obstacle = "it is off"
    }
    #expect(off.last?.hasPrefix("Location is switched off for all") == true)
  }

  /// All that there can be.
  private static func fill(_ status: inout Status) {
    var source = SourceStatus(name: "gpsd://localhost", state: .running, stateAge: 5)
    source.lastFixAge = 0.5
    source.horizontalAccuracy = 4.2
    (source.fixes, source.doubted, source.isChosen) = (1, 2, true)
    let off = SourceState.failed("the Bluetooth adapter is off")
    status.sources = [source, SourceStatus(name: "beacons", state: off, stateAge: 2)]
    var client = status.client
    client.name = "Maps\u{1B}[2J"
    (client.updating, client.waiting, client.turning, client.holdsUse) = (1, 1, 1, true)
    (client.ranging, client.isAdvertising) = (1, true)
    status.clients = [client]
    var monitor = MonitorStatus(app: "app:run", uid: 1000)
    (monitor.regions, monitor.visits, monitor.isResting) = (2, true, true)
    status.monitors = [monitor]
    var need = NeedStatus()
    (need.updating, need.monitoring, need.headings) = (1, 2, 1)
    (need.accuracy, need.every, need.resting) = (100, 60, 5)
    (need.ranging, need.advertising) = (3, 1)
    status.need = need
    status.counters = Status.Counters()
    status.trouble = "no room"
  }

  @Test("a status in Korean has no English word but names, commands and what JSON has")
  func korean() {
    let lines = status(in: Speech("ko_KR"), Self.fill)
    #expect(
      lines.contains(
        "  gpsd://localhost: 작동 중 (5.0 s 동안), 마지막 위치 0.5 s 전 ±4.2 m, 위치 1번, 믿지 않은 것 2번, 지금 가장 좋음"),
      "\(lines)")
    let names: Set = [
      "locationd", "standard", "user", "ann", "authorizedAlways", "no", "room", "gpsd", "localhost",
      "beacons", "pid", "uid", "Maps", "app", "run",
    ]
    let words = lines.joined(separator: "\n").matches(of: /[A-Za-z]{2,}/).map { String($0.output) }
    #expect(Set(words).isSubset(of: names), "\(Set(words).subtracting(names))")
  }

  @Test(
    "why a source has no fix is said in Korean, behind the names of devices and before the system's words"
  )
  func koreanReasons() {
    func state(_ state: SourceState, _ remark: String? = nil) -> String {
      var source = SourceStatus(name: "nmea", state: state, stateAge: 2)
      source.details.remark = remark
      return SourceReport(source).state(in: Speech("ko_KR"))
    }
    #expect(
      state(.failed("it was unplugged: Input/output error"))
        == "실패, 뽑혔음: 입출력 오류 (2.0 s 동안)")
    #expect(
      state(.waiting, "/dev/ttyUSB0: gpsd has it; a source gpsd://localhost reads it there; x: y")
        == "첫 위치를 기다리는 중 (2.0 s 동안): /dev/ttyUSB0: gpsd가 쓰고 있음;"
        + " gpsd://localhost가 거기서 읽음; x: y")
    #expect(
      state(.waiting, "the receiver has no fix, and sees 5 satellites")
        .hasSuffix("수신기가 위치를 잡지 못함, 보이는 위성 5개"))
    #expect(
      Speech("ko_KR")(said: "no fix now (nmea: it does not answer)")
        == "지금은 위치가 잡히지 않습니다(nmea: 대답하지 않음)")
  }

  @Test("an administrator is told of sources, clients, what goes on without them, and the need")
  func administrator() {
    let lines = status(Self.fill)
    for line in [
      "Nothing can be kept: no room. Nothing new is granted; what was taken away stays so.",
      "  gpsd://localhost: running (for 5.0 s), last fix 0.5 s ago ±4.2 m, 1 fix, 2 not believed,"
        + " the best now",
      "  app:run (uid 1000): 2 regions, visits, its unit is off, so nothing is powered for it",
      "Needed: ±100 m, a fix every 60 s, for 1 updating, 2 monitoring; headings, for 1;"
        + " beacons that are near, for 3; this machine is to be 1 beacon; receivers rest for 5.0 s",
      "  beacons: failed, the Bluetooth adapter is off (for 2.0 s)",
      "0 fixes, 0 impossible; 0 events told",
    ] {
      #expect(lines.contains(line), "\(lines)")
    }
    let client = lines.first { $0.hasPrefix("  user:ann ") } ?? ""
    #expect(
      client.hasSuffix(
        "(pid 7): authorizedAlways, stays in use, updating, waiting for a location, headings,"
          + " ranging beacons, this machine is to be a beacon for it"))
    #expect(client.contains("Maps") && client.unicodeScalars.allSatisfy { $0.isPlain })
    #expect(status { $0.sources = [] }.last == SourceReport.none)
  }

  @Test("a source says its state and why it has no fix, and only what it knows")
  func source() {
    func report(_ state: SourceState, _ change: (inout SourceStatus) -> Void = { _ in }) -> [String]
    {
      var source = SourceStatus(name: "nmea:auto", state: state, stateAge: 130)
      change(&source)
      return SourceReport(source).lines
    }
    let states: [(SourceState, String)] = [
      (.closed, "closed, as nobody needs it"), (.resting, "resting until the next fix is needed"),
      (.waiting, "waiting for its first fix"), (.running, "running"),
      (.failed("it hung up"), "failed, it hung up"),
    ]
    for (state, words) in states {
      #expect(report(state) == ["nmea:auto", "    \(words) (for 2 min)"])
    }
    let lines = report(.waiting) { source in
      source.lastFixAge = 12
      source.details.device = "/dev/ttyUSB0"
      source.details.baud = 9600
      source.details.satellitesUsed = 4
      source.details.dilution.horizontal = 1.25
      source.details.nextRetry = -1
      source.details.remark = "nothing comes from it"
      source.counters = [
        "bytes": .integer(100), "sentences": .integer(1), "withoutFix": .integer(2),
        "refused": ["badChecksum": .integer(3), "cut": .integer(0)],
      ]
    }
    #expect(
      lines == [
        "nmea:auto", "    waiting for a fix (for 2 min): nothing comes from it",
        "    reads       /dev/ttyUSB0, 9600 baud", "    last fix    12 s ago",
        "    satellites  4 used, HDOP 1.3",
        "    heard       100 bytes, 1 sentence, 0 fixes, 2 epochs without one",
        "    refused     3 with a wrong checksum", "    next try    in 0.0 s",
      ])
  }
}
