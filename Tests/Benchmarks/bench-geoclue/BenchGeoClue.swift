import BenchSupport
import Glibc
import LocationModel
import Platform

/// Times what programs written for GeoClue see, from locationd and, where it is installed, from GeoClue
/// itself, in turns, on a bus of the benchmark's own: from a receiver's sentence to the signal.
///
///     bench-geoclue FOLDER    where locationd is; as root, since GeoClue needs a configuration
@main
struct BenchGeoClue {
  static func main() throws {
    let folder = CommandLine.arguments.count > 1 ? CommandLine.arguments[1] : ".build/release"
    let room = try Room()
    defer { room.clear() }
    var servers = [Server.ours(folder)]
    if let theirs = Server.theirs(room) {
      servers.append(theirs)
    } else {
      print("GeoClue is not installed, or this is not root: locationd alone")
    }
    print(
      "             clients   p50 ms   p99 ms   CPU µs/fix   private kB   resident kB   first reply ms"
    )
    for count in [1, 50] {
      for server in servers {
        let trial = try Trial(of: server, in: room)
        defer { trial.stop() }
        try measure(trial, clients: count)
      }
    }
  }

  private static let warmUp = 20
  private static let epochs = 100

  private static func measure(_ trial: Trial, clients count: Int) throws {
    var told = 0
    let clients = try (0..<count).map { _ in try trial.client { told += 1 } }
    var delays: [Double] = []
    var cpu = 0.0
    for epoch in 0..<warmUp + epochs {
      usleep(98_000)
      if epoch == warmUp { cpu = trial.process.cost.cpu }
      told = 0
      let start = Clock.boottime
      trial.receiver.say(epoch)
      while told < count, Clock.boottime - start < .seconds(2) {
        let before = told
        try trial.loop.turn(within: .milliseconds(100))
        // Each client's, when this thread has heard it.
        let delay = Clock.boottime.seconds(since: start) * 1e3
        if epoch >= warmUp { delays += Array(repeating: delay, count: told - before) }
      }
    }
    cpu = (trial.process.cost.cpu - cpu) / Double(epochs) * 1e6
    delays.sort()
    let memory = trial.process.cost.memory
    let lost = count * epochs - delays.count
    let row = [
      trial.server.name.padded(-11), "\(count)".padded(8), at(0.5, delays, 8), at(0.99, delays, 8),
      "\(Int(cpu))".padded(12), "\(memory.own)".padded(12), "\(memory.resident)".padded(13),
      trial.firstReply.text(1).padded(16), lost > 0 ? "  \(lost) signals did not come" : "",
    ]
    print(row.joined(separator: " "))
    withExtendedLifetime(clients) {}
  }

  private static func at(_ part: Double, _ sorted: [Double], _ width: Int) -> String {
    guard !sorted.isEmpty else { return "-".padded(width) }
    return sorted[min(Int(Double(sorted.count) * part), sorted.count - 1)].text(2).padded(width)
  }
}

extension String {
  /// To the right of so many columns, or to the left where it is below zero.
  func padded(_ width: Int) -> String {
    let gap = String(repeating: " ", count: max(0, abs(width) - count))
    return width < 0 ? self + gap : gap + self
  }
}

extension Double {
  func text(_ places: Int) -> String {
    let scale = places == 1 ? 10.0 : 100.0
    return "\((self * scale).rounded() / scale)"
  }
}
