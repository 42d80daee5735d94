import Dispatch
import Foundation
import Glibc
import LocationClient
import LocationModel
import TestSupport
import Testing

@testable import CoreLocation

/// A disk that writes nothing until it is let go on.
private final class SlowDisk: Sendable {
  private let isSlow = Guarded(true)
  private let waiting = Guarded(0)
  private let goesOn = DispatchSemaphore(value: 0)

  /// Writers that wait for it.
  var writers: Int { waiting.withLock { $0 } }

  func write(_ data: Data, to url: URL) throws {
    waiting.withLock { $0 += 1 }
    if isSlow.withLock({ $0 }) {
      goesOn.wait()
      goesOn.signal()
    }
    waiting.withLock { $0 -= 1 }
    try data.write(to: url, options: .atomic)
  }

  func hurry() {
    isSlow.withLock { $0 = false }
    goesOn.signal()
  }
}

/// What the daemon keeps for the only program that monitors something.
@MainActor private func waiting(_ daemon: RunningDaemon) throws -> Int {
  try #require(try daemon.status(daemon.connect()).monitors).map(\.waiting).reduce(0, +)
}

/// Takes each event that comes, off the main queue, which other tests hold up.
private func takesAll(_ events: sending CLMonitor.Events.Iterator) -> Task<Void, any Error> {
  Task.detached {
    var events = events
    while try await events.next() != nil {}
  }
}

@MainActor @Suite("A slow disk, and receivers that see an event late", .timeLimit(.minutes(60)))
struct SlowDiskTests {
  private static func circle() -> CLMonitor.CircularGeographicCondition {
    .init(center: .init(latitude: 45, longitude: 7), radius: 400)
  }

  @Test("a monitor's disk that does not answer stops nothing of the app but its acknowledgements")
  func slowWriter() async throws {
    let daemon = try RunningDaemon.toAndFro()
    let library = daemon.library()
    let (manager, recorder) = library.manager()
    let disk = SlowDisk()
    let writer: MonitorFile.Writer = { try disk.write($0, to: $1) }
    let monitor = await MonitorFile.$writer.withValue(writer) { await library.monitor() }
    defer { disk.hurry() }
    await monitor.add(Self.circle(), identifier: "home")
    #expect(disk.writers == 1)
    // Its events come, and are seen.
    var iterator = monitor.events.makeAsyncIterator()
    var states: [CLMonitor.Event.State] = []
    while states.count < 3, let event = try await iterator.next() { states.append(event.state) }
    #expect(Set(states) == [.satisfied, .unsatisfied])
    #expect(await monitor.identifiers == ["home"])
    // So do those of managers, and each call returns.
    manager.startUpdatingLocation()
    try #require(await until { recorder.locations.count >= 3 })
    #expect(manager.authorizationStatus == .authorizedAlways && manager.location != nil)
    manager.stopUpdatingLocation()
    #expect(disk.writers == 1)
    // The daemon keeps what is not written down here.
    #expect(try await until { try waiting(daemon) >= 2 })
    disk.hurry()
    // More come as long as it lasts: the last one may be new.
    let rest = takesAll(iterator)
    #expect(try await until { try waiting(daemon) <= 1 })
    rest.cancel()
    await monitor.remove("home")
  }

  @Test("a monitor whose file cannot be read yet holds up no other monitor, and no manager")
  func slowReader() async throws {
    let daemon = try RunningDaemon()
    let library = daemon.library()
    let disk = DispatchSemaphore(value: 0)
    let reader = { @Sendable (url: URL) in
      disk.wait()
      return try Data(contentsOf: url)
    }
    let slow = MonitorFile.$reader.withValue(reader) { Task { await library.monitor() } }
    defer { disk.signal() }
    let other = await library.monitor()
    await other.add(Self.circle(), identifier: "home")
    var iterator = other.events.makeAsyncIterator()
    #expect(try await iterator.next()?.state == .satisfied)
    let (manager, recorder) = library.manager()
    manager.startUpdatingLocation()
    try #require(await until { !recorder.locations.isEmpty })
    disk.signal()
    #expect(await slow.value.identifiers.isEmpty)
    await other.remove("home")
  }

  /// A manager on a thread of its own, whose run loop does nothing until it is let go on.
  private final class LateManager: Sendable {
    let goesOn = DispatchSemaphore(value: 0)
    let crossings = Guarded<[String]>([])
    private let isOver = Guarded(false)

    init(_ library: CoreLocation.Daemon) async {
      await withCheckedContinuation { continuation in
        Thread.detachNewThread { [self] in
          let recorder = Recorder()
          recorder.heard = { [crossings] _, call in
            if call.hasPrefix("e") { crossings.withLock { $0.append(call) } }
          }
          let manager = CoreLocation.Daemon.$current.withValue(library) { CLLocationManager() }
          manager.delegate = recorder
          continuation.resume()
          goesOn.wait()
          while !isOver.withLock({ $0 }) {
            _ = RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.05))
          }
          manager.delegate = nil
        }
      }
    }

    func end() {
      isOver.withLock { $0 = true }
      goesOn.signal()
    }
  }

  private static func home() -> CLCircularRegion {
    CLCircularRegion(center: .init(latitude: 45, longitude: 7), radius: 400, identifier: "home")
  }

  @Test("an event that the second of two managers sees late is acknowledged then, and not before")
  func late() async throws {
    let daemon = try RunningDaemon.toAndFro()
    let library = daemon.library()
    let (manager, recorder) = library.manager()
    let second = await LateManager(library)
    defer { second.end() }
    manager.startMonitoring(for: Self.home())
    try #require(await until { recorder.count("e") >= 3 })
    #expect(try waiting(daemon) >= 3)
    #expect(second.crossings.withLock { $0 }.isEmpty)
    second.goesOn.signal()
    #expect(try await until { try waiting(daemon) <= 1 })
    // In turn, and once each.
    let crossings = second.crossings.withLock { $0 }
    #expect(crossings.count >= 3)
    for (a, b) in zip(crossings, crossings.dropFirst()) { #expect(a != b) }
    manager.stopMonitoring(for: Self.home())
  }

  @Test("an event that one of two managers never saw before the app ended is told to the next run")
  func killed() async throws {
    let daemon = try RunningDaemon.toAndFro()
    var library: CoreLocation.Daemon? = daemon.library()
    var first = library?.manager()
    let second = await LateManager(try #require(library))
    first?.0.startMonitoring(for: Self.home())
    try #require(await until { first?.1.count("e") ?? 0 >= 1 })
    let seen = try #require(first?.1.calls.first { $0.hasPrefix("e") })
    // The connection ends as it does where the app is killed: nothing more is said.
    library?.state.withLock { $0.connection }?.close()
    let (manager, recorder) = daemon.library().manager()
    try #require(await until { recorder.count("e") >= 1 })
    #expect(recorder.calls.first { $0.hasPrefix("e") } == seen)
    manager.stopMonitoring(for: Self.home())
    second.end()
    first = nil
    library = nil
  }

  @Test("a manager whose delegate has gone keeps an event for the next delegate")
  func delegateGone() async throws {
    let daemon = try RunningDaemon.toAndFro()
    let library = daemon.library()
    let manager = library.serves { CLLocationManager() }
    var recorder: Recorder? = Recorder()
    manager.delegate = recorder
    manager.startMonitoring(for: Self.home())
    try #require(await until { recorder?.count("started") == 1 })
    recorder = nil
    #expect(try await until { try waiting(daemon) >= 1 })
    await library.catchesUp()
    let next = Recorder()
    manager.delegate = next
    try #require(await until { next.count("e") >= 1 })
    manager.stopMonitoring(for: Self.home())
  }

  @Test("a monitor's event is acknowledged when each of its loops has it")
  func loops() async throws {
    let daemon = try RunningDaemon.toAndFro()
    let monitor = await daemon.library().monitor()
    var one = monitor.events.makeAsyncIterator()
    var two: CLMonitor.Events.Iterator? = monitor.events.makeAsyncIterator()
    await monitor.add(Self.circle(), identifier: "home")
    var states: [CLMonitor.Event.State] = []
    for _ in 0..<4 { states.append(try #require(try await one.next()).state) }
    #expect(try await until { try waiting(daemon) >= 3 })
    #expect(try await two?.next()?.state == states.first)
    // Its end leaves the others to the loop that has them.
    two = nil
    let rest = takesAll(one)
    #expect(try await until { try waiting(daemon) <= 1 })
    rest.cancel()
    await monitor.remove("home")
  }
}
