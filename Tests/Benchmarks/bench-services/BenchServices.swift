import Glibc
import LocationCore
import LocationModel
import ReceiverCore

/// The cost of a fix with programs that monitor: the service alone, without doors and disk.
///
/// `bench-services [FOLDER]`: and what a replay costs, with the programs in that folder.
@main struct BenchServices {
  static func main() {
    if let folder = CommandLine.arguments.dropFirst().first { replay(folder) }
    print("a fix with clients that update, each monitoring 20 regions that hold it, microseconds:")
    for clients in [1, 10, 100] {
      print("  \(clients) clients: \(cost(clients: clients, radius: 1000))")
    }
    print("the same, where every few seconds each is told a crossing:")
    for clients in [1, 10, 100] {
      print("  \(clients) clients: \(cost(clients: clients, radius: 150))")
    }
    print("a fix told to 10 clients, by what is remembered and ruled of other apps, microseconds:")
    for apps in [0, 1_000, 100_000] {
      print("  \(apps) permissions and rules: \(cost(apps: apps))")
    }
    print("a fix with regions spread evenly over 300 km, ten within 1 km, microseconds:")
    for regions in [100, 1_000, 10_000, 100_000] {
      print("  \(regions) regions: \(cost(regions: regions))")
    }
  }

  /// First, since a program has at most had as much memory as whoever started it.
  static func replay(_ folder: String) {
    print("a million fixes replayed with visits, significant changes and 20 regions:")
    if let (seconds, megabytes) = Replay().run(folder + "/locationctl") {
      print("  \(rounded(seconds)) s, \(rounded(megabytes)) MB")
    } else {
      print("  could not be run")
    }
  }

  /// Every client updates and monitors 20 regions within some hundred metres.
  static func cost(clients: Int, radius: Double) -> Double {
    var bench = Bench(clients: clients)
    for client in 0..<clients {
      bench.ask(.startUpdatingLocation(.init()), of: client)
      bench.ask(.startMonitoringVisits, of: client)
      bench.ask(.startMonitoringSignificantLocationChanges, of: client)
      bench.ask(
        .startMonitoring(
          (0..<20).map { i in
            Region(
              identifier: "r\(i)",
              .circle(
                Bench.place(Double(i % 5) * 200 - 400, Double(i / 5) * 200 - 300), radius: radius))
          }), of: client)
    }
    return bench.microseconds(fixes: 200_000 / clients)
  }

  /// Clients of who decides nothing: what others may do is of no concern to a fix.
  static func cost(apps: Int) -> Double {
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
    return bench.microseconds(fixes: 200_000)
  }

  static func cost(regions: Int) -> Double {
    var bench = Bench(clients: 1)
    var dice = SystemRandomNumberGenerator()
    let far = (0..<regions - 10).map { i in
      Region(
        identifier: "far\(i)",
        .circle(
          Bench.place(
            Double.random(in: -150_000...150_000, using: &dice),
            Double.random(in: -150_000...150_000, using: &dice)), radius: 150))
    }
    let near = (0..<10).map { i in
      Region(
        identifier: "near\(i)",
        .circle(Bench.place(Double(i) * 100 - 500, Double(i % 3) * 200), radius: 150))
    }
    bench.ask(.startMonitoring(far + near), of: 0)
    return bench.microseconds(fixes: 100_000)
  }
}

/// A service that is told fixes of a walk around.
struct Bench: ~Copyable {
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

  /// One fix, the median of nine rounds of a walk to and fro.
  mutating func microseconds(fixes: Int) -> Double {
    var rounds: [Double] = []
    for _ in 0..<9 {
      let clock = ContinuousClock()
      let time = clock.measure {
        for _ in 0..<max(fixes / 9, 1) {
          count += 1
          let way = Double(count % 1200) * 1.4
          let north = way < 840 ? way - 420 : 1260 - way
          handle(
            .reading(
              SourceID(0),
              .fix(
                Fix(
                  Location(
                    coordinate: Self.place(north, 30), horizontalAccuracy: 5,
                    timestamp: .epoch + .seconds(count))))))
        }
      }
      rounds.append(time / .microseconds(1) / Double(max(fixes / 9, 1)))
    }
    return rounded(rounds.sorted()[4])
  }
}

func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }
