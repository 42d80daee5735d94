import BenchSupport
import Glibc
import LocationCore
import LocationModel
import ReceiverCore

/// The cost of a fix with programs that monitor: the service alone, without doors and disk, beside a service that has
/// less to do, in turns.
///
/// `bench-services [FOLDER]`: and what a replay costs, with the programs in that folder.
@main struct BenchServices {
  static func main() {
    if let folder = CommandLine.arguments.dropFirst().first { replay(folder) }
    for clients in [1, 10, 100] {
      let name = "\(clients) client\(clients > 1 ? "s" : "") with 20 regions each"
      for (how, radius) in [("that hold it", 1000.0), ("that it crosses", 150)] {
        var ours = monitoring(clients: clients, radius: radius)
        var theirs = updating(clients: clients)
        compare(
          "fix, \(name) \(how)", &ours, &theirs, 200_000 / clients,
          beside: "they without regions")
      }
    }
    var alone = remembering(apps: 0)
    for apps in [1_000, 100_000] {
      var full = remembering(apps: apps)
      compare(
        "fix to 10 clients, \(apps) permissions and rules of others", &full, &alone, 200_000,
        beside: "none", .atMostOfPeer(1.5))
    }
    var few = spread(regions: 100)
    for regions in [1_000, 10_000, 100_000] {
      var many = spread(regions: regions)
      compare(
        "fix, \(regions) regions over 300 km", &many, &few, 100_000, beside: "100 regions",
        .atMostOfPeer(3))
    }
    Figures.end()
  }

  /// Microseconds of a fix, by rounds of a walk to and fro.
  private static func compare(
    _ name: String, _ ours: inout Bench, _ theirs: inout Bench, _ fixes: Int, beside peer: String,
    _ bar: Bar? = nil
  ) {
    let rounds = Figures.isQuick ? 3 : 9
    var pairs = Pairs()
    for _ in 0..<rounds {
      pairs.add(ours.microseconds(fixes: fixes / 9), beside: theirs.microseconds(fixes: fixes / 9))
    }
    Figures.say(name, pairs, "µs", beside: peer, bar)
  }

  /// First, since a program has at most had as much memory as whoever started it.
  private static func replay(_ folder: String) {
    let recording = Replay()
    defer { recording.clear() }
    let theirs = recording.convert()
    guard let ours = recording.run(folder + "/locationctl") else {
      print("a replay could not be run")
      exit(1)
    }
    let name = "\(Replay.fixes) fixes replayed, with visits and 20 regions"
    if let theirs {
      let peer = "gpsbabel, to CSV"
      Figures.say(name, Pairs(ours.seconds, beside: theirs.seconds), "s", beside: peer)
      Figures.say(
        "\(name): memory", Pairs(ours.megabytes, beside: theirs.megabytes), "MB", beside: peer,
        .atMost(mostMegabytes))
    } else {
      Figures.say(name, ours.seconds, "s")
      Figures.say("\(name): memory", ours.megabytes, "MB", .atMost(mostMegabytes))
    }
  }

  private static let mostMegabytes = 40.0

  private static func updating(clients: Int) -> Bench {
    var bench = Bench(clients: clients)
    for client in 0..<clients { bench.ask(.startUpdatingLocation(.init()), of: client) }
    return bench
  }

  /// Every client updates and monitors 20 regions within some hundred metres.
  private static func monitoring(clients: Int, radius: Double) -> Bench {
    var bench = updating(clients: clients)
    for client in 0..<clients {
      bench.ask(.startMonitoringVisits, of: client)
      bench.ask(.startMonitoringSignificantLocationChanges, of: client)
      let regions = (0..<20).map { i in
        let middle = Bench.place(Double(i % 5) * 200 - 400, Double(i / 5) * 200 - 300)
        return Region(identifier: "r\(i)", .circle(middle, radius: radius))
      }
      bench.ask(.startMonitoring(regions), of: client)
    }
    return bench
  }

  /// Clients of who decides nothing: what others may do is of no concern to a fix.
  private static func remembering(apps: Int) -> Bench {
    var remembered = StoreSnapshot()
    var rules: [Policy.Entry] = []
    for i in 0..<apps {
      let name = "flatpak:org.app\(i)"
      remembered.permissions[App(uid: 1000, name: name)] = Permission(.authorizedAlways)
      remembered.usage[App(uid: 1000, name: name)] = Usage(
        last: Timestamp(microseconds: 0), count: 1)
      rules.append(.init(app: name, uids: [1000], rule: .ask))
    }
    var bench = Bench(clients: 10, remembered, Policy(rules))
    for client in 0..<10 { bench.ask(.startUpdatingLocation(.init()), of: client) }
    return bench
  }

  /// Regions far away by chance, the same in each run, and ten within 1 km.
  private static func spread(regions: Int) -> Bench {
    var bench = Bench(clients: 1)
    var dice = Dice()
    let far = (0..<regions - 10).map { i in
      let middle = Bench.place(dice.metres(150_000), dice.metres(150_000))
      return Region(identifier: "far\(i)", .circle(middle, radius: 150))
    }
    let near = (0..<10).map { i in
      Region(
        identifier: "near\(i)",
        .circle(Bench.place(Double(i) * 100 - 500, Double(i % 3) * 200), radius: 150))
    }
    bench.ask(.startMonitoring(far + near), of: 0)
    return bench
  }
}

/// Numbers by chance, the same in each run.
struct Dice {
  private var state: UInt64 = 20_261_128

  /// To either side.
  mutating func metres(_ most: Double) -> Double {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return (Double(state >> 11) / Double(1 << 53) * 2 - 1) * most
  }
}

/// A service that is told fixes of a walk around.
struct Bench {
  private var service: LocationService
  private var outputs: [Output] = []
  private var count = 0

  init(clients: Int, _ remembered: StoreSnapshot = .init(), _ policy: Policy = .init()) {
    var settings = LocationService.Settings(
      version: "", uid: 0,
      sources: [SourceDescription(SourceID(0), name: "gps", simulated: false, mayRest: false)])
    settings.limits.regionsPerApp = 0
    settings.policy = policy
    service = LocationService(settings, remembered, at: Self.instant(0))
    for client in 0..<clients {
      handle(
        .connected(
          ClientID(UInt64(client)), Caller(uid: 0, pid: 0, app: "unit:bench\(client).service")))
    }
  }

  static func instant(_ count: Int) -> Instant {
    Instant(
      boottime: .start + .seconds(count), utc: .epoch + .seconds(count), utcTrusted: true)
  }

  static func place(_ north: Double, _ east: Double) -> Coordinate {
    Coordinate(latitude: 45 + north / 111_131.7, longitude: 7 + east / 78_846.8)
  }

  mutating func ask(_ request: Request, of client: Int) {
    handle(.called(ClientID(UInt64(client)), Call(id: .null, request)))
  }

  private mutating func handle(_ input: Input) {
    service.handle(input, at: Self.instant(count), into: &outputs)
    var next: [Input] = []
    for output in outputs {
      switch output {
      case .commit(_, let id): next.append(.committed(id))
      case .report(let recipients, _, let number):
        for recipient in recipients {
          next.append(
            .called(recipient.client, Call(id: nil, .acknowledge(event: number))))
        }
      default: break
      }
    }
    outputs.removeAll(keepingCapacity: true)
    for input in next { handle(input) }
  }

  mutating func microseconds(fixes: Int) -> Double {
    let clock = ContinuousClock()
    let time = clock.measure {
      for _ in 0..<max(fixes, 1) {
        count += 1
        let way = Double(count % 1200) * 1.4
        let north = way < 840 ? way - 420 : 1260 - way
        let location = Location(
          coordinate: Self.place(north, 30), horizontalAccuracy: 5,
          timestamp: .epoch + .seconds(count))
        handle(.reading(SourceID(0), .fix(Fix(location))))
      }
    }
    return time / .microseconds(1) / Double(max(fixes, 1))
  }
}
