import BenchSupport
import Glibc
import LocationClient
import LocationModel

/// Times the daemon as its clients see it: from the last byte that a receiver says of an epoch to the
/// line that a client has read. Receiver, daemon and clients are processes, or ends, of their own.
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
  }

  private static func run(_ folder: String) throws {
    print("clients      p50 ms   p99 ms   max ms   CPU µs/fix   private kB   resident kB")
    for clients in [0, 1, 10, 50] {
      let daemon = try BenchedDaemon(folder)
      defer { daemon.stop() }
      if clients == 0 {
        print("      0", "         -        -        -            -", memory(of: daemon))
      } else {
        try measure(daemon, clients: clients)
      }
    }
  }

  private static func memory(of daemon: BenchedDaemon) -> String {
    let (own, resident) = daemon.cost.memory
    return pad("\(own)", 12) + " " + pad("\(resident)", 13)
  }

  private static let warmUp = 50
  private static let epochs = 1000
  /// 50 Hz: the daemon is asleep again before each.
  private static let pause: useconds_t = 20_000

  private static func measure(_ daemon: BenchedDaemon, clients number: Int) throws {
    let clients = try (0..<number).map { _ in try Connection(path: daemon.socket) }
    for client in clients { _ = try client.ask(Request.startUpdatingLocation(.init())).get() }
    try daemon.waitForReading()
    var latencies: [Double] = []
    var cpu = 0.0
    for epoch in 0..<warmUp + epochs {
      if epoch == warmUp { cpu = daemon.cost.cpu }
      let text = Receiver.epoch(epoch)
      let start = now()
      daemon.say(text)
      for client in clients { try waitForLocation(client, daemon) }
      if epoch >= warmUp { latencies.append((now() - start) * 1000) }
      usleep(pause)
    }
    cpu = (daemon.cost.cpu - cpu) / Double(epochs) * 1e6
    latencies.sort()
    let row = [
      pad("\(number)", 7), pad(latencies[epochs / 2], 3, 10),
      pad(latencies[epochs * 99 / 100], 3, 8),
      pad(latencies[epochs - 1], 3, 8), pad(cpu, 0, 12), memory(of: daemon),
    ]
    print(row.joined(separator: " "))
  }

  private static func waitForLocation(_ client: Connection, _ daemon: BenchedDaemon) throws {
    while client.wait(milliseconds: 5000) {
      for case .event(_, .didUpdateLocations) in try client.receive() { return }
    }
    throw BenchedDaemon.Failure(
      "no location came for 5 s: \(try daemon.source?.words ?? "no source")")
  }

  private static func pad(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }

  private static func pad(_ value: Double, _ places: Int, _ width: Int) -> String {
    var text = TextBuffer()
    text.append(decimal: value, places: places)
    return pad(String(decoding: text.bytes, as: UTF8.self), width)
  }
}
