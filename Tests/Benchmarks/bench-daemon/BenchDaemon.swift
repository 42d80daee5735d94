import BenchSupport
import Glibc
import LocationClient
import LocationModel

/// Times the daemon as its clients see it: from the last byte that a receiver says of an epoch to the
/// line that a client has read. Receiver, daemon and clients are processes, or ends, of their own. Beside it,
/// in turns, a loop in C that decodes nothing.
///
///     bench-daemon FOLDER    where locationd is
@main
struct BenchDaemon {
  static func main() {
    do {
      try run(CommandLine.arguments.count > 1 ? CommandLine.arguments[1] : ".build/release")
    } catch {
      print("bench-daemon: \(error)")
      exit(1)
    }
    Figures.end()
  }

  private static func run(_ folder: String) throws {
    for count in [0, 1, 10, 50] {
      let daemon = try BenchedDaemon(folder)
      let relay = try BenchedDaemon.bareRelay()
      defer {
        daemon.stop()
        relay.stop()
      }
      if count > 0 { try measure(count, of: daemon, beside: relay) }
      let clients = count == 0 ? "at rest" : "with \(Self.clients(count))"
      let (ours, theirs) = (daemon.cost.memory, relay.cost.memory)
      Figures.say(
        "private memory \(clients)", Pairs(Double(ours.own), beside: Double(theirs.own)), "kB",
        beside: peer, count == 0 ? .atMost(mostAtRest) : nil)
    }
  }

  private static let peer = "a C relay"
  /// Kilobytes: README.md says 1.2 MB.
  private static let mostAtRest = 1200.0
  /// Microseconds of processor time, with one client.
  private static let mostOfFix = 110.0
  private static let rounds = Figures.isQuick ? 2 : 20
  private static let epochs = 50
  /// 50 Hz: the daemon is asleep again before each.
  private static let pause: useconds_t = 20_000

  private static func clients(_ count: Int) -> String {
    "\(count) client\(count > 1 ? "s" : "")"
  }

  private static func measure(
    _ count: Int, of daemon: BenchedDaemon, beside relay: BenchedDaemon
  ) throws {
    let ours = try (0..<count).map { _ in try Connection(path: daemon.socket) }
    for client in ours { _ = try client.ask(Request.startUpdatingLocation(.init())).get() }
    try daemon.waitForReading()
    let theirs = try (0..<count).map { _ in try Connection(path: relay.socket) }
    var (p50, p99, cpu) = (Pairs(), Pairs(), Pairs())
    // The first round warms both up.
    for round in 0...rounds {
      let first = round * epochs
      let (mine, myCost) = try delays(of: daemon, ours, from: first)
      let (other, otherCost) = try delays(of: relay, theirs, from: first)
      guard round > 0 else { continue }
      p50.add(mine.median, beside: other.median)
      p99.add(mine.at(0.99), beside: other.at(0.99))
      cpu.add(myCost, beside: otherCost)
    }
    let name = clients(count)
    Figures.say("fix to \(name), p50", p50, "ms", beside: peer)
    Figures.say("fix to \(name), p99 of \(epochs)", p99, "ms", beside: peer)
    Figures.say(
      "processor time of a fix, \(name)", cpu, "µs", beside: peer,
      count == 1 ? .atMost(mostOfFix) : nil)
  }

  /// Milliseconds of each epoch until the last client has it, and the server's processor time of each in microseconds.
  private static func delays(
    of server: BenchedDaemon, _ clients: [Connection], from first: Int
  ) throws -> ([Double], Double) {
    let before = server.cost.cpu
    let delays = try (first..<first + epochs).map { epoch in
      let start = now()
      server.say(Receiver.epoch(epoch))
      for client in clients { try waitForLocation(client, server) }
      let delay = (now() - start) * 1000
      usleep(pause)
      return delay
    }
    return (delays, (server.cost.cpu - before) / Double(epochs) * 1e6)
  }

  private static func waitForLocation(_ client: Connection, _ server: BenchedDaemon) throws {
    while client.wait(milliseconds: 5000) {
      for case .event(_, .didUpdateLocations) in try client.receive() { return }
    }
    let words = (try? server.source)?.words ?? "no source"
    throw BenchedDaemon.Failure("no location came for 5 s: \(words)")
  }
}
