import BenchSupport
import CoreLocation
import Foundation
import LocationClient
import LocationModel

/// Times what the library adds: from the last byte that a receiver says of an epoch to the delegate of
/// an app, beside a client that reads the socket and does nothing else.
///
///     bench-corelocation FOLDER    where locationd is
@main
enum BenchCoreLocation {
  private static let epochs = 1000
  private static let warmUp = 50

  static func main() {
    do {
      try run()
    } catch {
      print("bench-corelocation: \(error)")
      exit(1)
    }
  }

  private static func run() throws {
    let folder = CommandLine.arguments.count > 1 ? CommandLine.arguments[1] : ".build/release"
    let daemon = try BenchedDaemon(folder)
    defer { daemon.stop() }
    setenv("LOCATIOND_SOCKET", daemon.socket, 1)
    print("to                     p50 ms   p99 ms   max ms   CPU µs/fix")
    try measure("a socket's reader", SocketReader(daemon), daemon, from: 0)
    for (i, count) in [1, 10, 1000].enumerated() {
      let name = "\(count) delegate\(count > 1 ? "s" : "")"
      try measure(name, App(managers: count), daemon, from: (i + 1) * 2000)
    }
  }

  private static func measure(
    _ name: String, _ reader: any Reader, _ daemon: BenchedDaemon, from first: Int
  ) throws {
    try daemon.waitForReading()
    let epochs = name.hasPrefix("1000") ? 100 : Self.epochs
    let me = ProcessCost(of: getpid())
    var latencies: [Double] = []
    var cpu = 0.0
    for epoch in 0..<warmUp + epochs {
      if epoch == warmUp { cpu = me.cpu }
      let text = Receiver.epoch(first + epoch)
      reader.rest()
      let start = now()
      daemon.say(text)
      try reader.waitForLocation()
      if epoch >= warmUp { latencies.append((now() - start) * 1000) }
    }
    cpu = (me.cpu - cpu) / Double(epochs) * 1e6
    reader.stop()
    latencies.sort()
    let label = name.padding(toLength: 20, withPad: " ", startingAt: 0)
    print(
      label
        + String(
          format: "%9.3f%9.3f%9.3f%13.0f", latencies[epochs / 2], latencies[epochs * 99 / 100],
          latencies[epochs - 1], cpu))
  }
}

protocol Reader {
  /// Takes what came late, and nothing for a while.
  func rest()
  func waitForLocation() throws
  func stop()
}

final class SocketReader: Reader {
  private let connection: Connection

  init(_ daemon: BenchedDaemon) throws {
    connection = try Connection(path: daemon.socket)
    _ = try connection.ask(Request.startUpdatingLocation(.init())).get()
  }

  func rest() { usleep(20_000) }

  func waitForLocation() throws {
    while connection.wait(milliseconds: 5000) {
      for message in try connection.receive() {
        if case .event(manager: _, .didUpdateLocations) = message { return }
      }
    }
    throw BenchedDaemon.Failure("no location came for 5 s")
  }

  func stop() {}
}

/// An app with a run loop on the main thread, as most have.
final class App: NSObject, CLLocationManagerDelegate, Reader {
  private let managers: [CLLocationManager]
  private var told = 0

  init(managers count: Int) {
    managers = (0..<count).map { _ in CLLocationManager() }
    super.init()
    // A run loop with nothing to wait for does not wait.
    RunLoop.main.add(Timer(timeInterval: 3600, repeats: true) { _ in }, forMode: .default)
    for manager in managers {
      manager.delegate = self
      manager.pausesLocationUpdatesAutomatically = false
      manager.startUpdatingLocation()
    }
  }

  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
    told += 1
  }

  func rest() {
    RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.02))
    told = 0
  }

  func waitForLocation() throws {
    let deadline = Date(timeIntervalSinceNow: 5)
    while told < managers.count {
      guard RunLoop.main.run(mode: .default, before: deadline), Date() < deadline else {
        throw BenchedDaemon.Failure("no location came for 5 s")
      }
    }
  }

  func stop() {
    for manager in managers { manager.stopUpdatingLocation() }
  }
}
