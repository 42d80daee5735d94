import BenchSupport
import CoreLocation
import Foundation
import LocationClient
import LocationModel

/// Times what the library adds: from the last byte that a receiver says of an epoch to the delegate of
/// an app, beside a client that reads the socket and does nothing else, in turns.
///
///     bench-corelocation FOLDER    where locationd is
@main
enum BenchCoreLocation {
  private static let rounds = Figures.isQuick ? 2 : 10
  private static let epochs = 50
  private static let warmUp = 10
  private static let peer = "a socket's reader"
  /// An app with one delegate: milliseconds later than a reader of the socket.
  private static let mostLater = 0.5

  static func main() {
    do {
      try run(CommandLine.arguments.count > 1 ? CommandLine.arguments[1] : ".build/release")
    } catch {
      print("bench-corelocation: \(error)")
      exit(1)
    }
    Figures.end()
  }

  private static func run(_ folder: String) throws {
    let daemon = try BenchedDaemon(folder)
    defer { daemon.stop() }
    setenv("LOCATIOND_SOCKET", daemon.socket, 1)
    for count in [1, 10, 1000] {
      var (p50, p99, cpu) = (Pairs(), Pairs(), Pairs())
      var later: [Double] = []
      for _ in 0..<rounds {
        let (theirs, theirCost) = try delays(SocketReader(daemon), daemon)
        let (ours, ourCost) = try delays(App(managers: count), daemon)
        p50.add(ours.median, beside: theirs.median)
        p99.add(ours.at(0.99), beside: theirs.at(0.99))
        cpu.add(ourCost, beside: theirCost)
        later.append(ours.median - theirs.median)
      }
      let name = "\(count) delegate\(count > 1 ? "s" : "")"
      Figures.say("fix to \(name), p50", p50, "ms", beside: peer)
      Figures.say("fix to \(name), p99 of \(epochs)", p99, "ms", beside: peer)
      Figures.say(
        "fix to \(name), later than \(peer)", later.median, "ms",
        count == 1 ? .atMost(mostLater) : nil)
      Figures.say("the app's processor time of a fix, \(name)", cpu, "µs", beside: peer)
    }
  }

  nonisolated(unsafe) private static var epoch = 0

  /// Milliseconds of each epoch, and this process's time of each in microseconds.
  private static func delays(
    _ reader: any Reader, _ daemon: BenchedDaemon
  ) throws -> ([Double], Double) {
    defer { reader.stop() }
    try daemon.waitForReading()
    let me = ProcessCost(of: getpid())
    var (delays, cpu): ([Double], Double) = ([], 0)
    for round in 0..<warmUp + epochs {
      if round == warmUp { cpu = me.cpu }
      let text = Receiver.epoch(epoch)
      epoch += 1
      reader.rest()
      let start = now()
      daemon.say(text)
      try reader.waitForLocation()
      if round >= warmUp { delays.append((now() - start) * 1000) }
    }
    return (delays, (me.cpu - cpu) / Double(epochs) * 1e6)
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
