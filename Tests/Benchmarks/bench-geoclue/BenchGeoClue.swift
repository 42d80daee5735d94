import BenchSupport
import Glibc
import LocationModel
import Platform

/// Times what programs written for GeoClue see, from locationd and, where it is installed, from GeoClue
/// itself, in turns, each on a bus of its own: from a receiver's sentence to the signal.
///
///     bench-geoclue FOLDER    where locationd is; as root, since GeoClue needs a configuration
@main
struct BenchGeoClue {
  static func main() throws {
    try run(CommandLine.arguments.count > 1 ? CommandLine.arguments[1] : ".build/release")
    Figures.end()
  }

  private static func run(_ folder: String) throws {
    let rooms = try (Room("ours"), Room("theirs"))
    defer {
      rooms.0.clear()
      rooms.1.clear()
    }
    let theirs = Server.theirs(rooms.1)
    if theirs == nil { print("GeoClue is not installed, or this is not root: locationd alone") }
    for count in [1, 50] {
      let mine = try Trial(of: Server.ours(folder), in: rooms.0, clients: count)
      let other = try theirs.map { try Trial(of: $0, in: rooms.1, clients: count) }
      defer {
        mine.stop()
        other?.stop()
      }
      try measure(mine, beside: other, clients: count)
    }
  }

  private static let rounds = Figures.isQuick ? 1 : 7
  private static let warmUp = 20
  private static let epochs = 50
  /// A part of GeoClue's processor time, by the number of clients.
  private static let mostOfPeer = [1: 0.3, 50: 0.05]

  private static func measure(
    _ mine: Trial, beside other: Trial?, clients count: Int
  ) throws {
    var (p50, p99, cpu) = (Pairs(), Pairs(), Pairs())
    for round in 0...rounds {
      let ours = try delays(of: mine, round)
      let theirs = try other.map { try delays(of: $0, round) }
      // The first round warms both up.
      guard round > 0 else { continue }
      let none = Double.nan
      p50.add(ours.delays.median, beside: theirs?.delays.median ?? none)
      p99.add(ours.delays.at(0.99), beside: theirs?.delays.at(0.99) ?? none)
      cpu.add(ours.cpu, beside: theirs?.cpu ?? none)
    }
    let name = "\(count) client\(count > 1 ? "s" : "")"
    func say(_ what: String, _ pairs: Pairs, _ unit: String, _ bar: Bar? = nil) {
      if other == nil {
        Figures.say(what, pairs.median.ours, unit)
      } else {
        Figures.say(what, pairs, unit, beside: "GeoClue", bar)
      }
    }
    say("signal to \(name), p50", p50, "ms")
    say("signal to \(name), p99", p99, "ms")
    say(
      "processor time of a fix, \(name)", cpu, "µs",
      mostOfPeer[count].map { .atMostOfPeer($0) })
    func memory(_ part: (Trial) -> Double) -> Pairs {
      Pairs(part(mine), beside: other.map(part) ?? .nan)
    }
    say("private memory, \(name)", memory { Double($0.process.cost.memory.own) }, "kB")
    say("resident memory, \(name)", memory { Double($0.process.cost.memory.resident) }, "kB")
    if count == 1 { say("first reply after a start", memory(\.firstReply), "ms") }
  }

  /// Milliseconds until this thread has heard each client's signal, and the server's time of a fix in microseconds.
  private static func delays(
    of trial: Trial, _ round: Int
  ) throws -> (delays: [Double], cpu: Double) {
    let count = trial.clients.count
    let epochs = round == 0 ? warmUp : self.epochs
    let cpu = trial.process.cost.cpu
    var delays: [Double] = []
    for epoch in 0..<epochs {
      usleep(98_000)
      trial.told = 0
      let start = Clock.boottime
      trial.receiver.say(round * self.epochs + epoch)
      while trial.told < count, Clock.boottime - start < .seconds(2) {
        let before = trial.told
        try trial.loop.turn(within: .milliseconds(100))
        let delay = Clock.boottime.seconds(since: start) * 1e3
        delays += Array(repeating: delay, count: trial.told - before)
      }
    }
    if delays.count < count * epochs {
      let lost = count * epochs - delays.count
      throw Failure(what: "\(trial.server.name): \(lost) signals did not come")
    }
    return (delays, (trial.process.cost.cpu - cpu) / Double(epochs) * 1e6)
  }
}
