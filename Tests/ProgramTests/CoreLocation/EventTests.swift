import Foundation
import LocationModel
import TestSupport
import Testing

@testable import CoreLocation

@MainActor
@Suite("Regions, visits and significant changes by CLLocationManager", .timeLimit(.minutes(60)))
struct EventTests {
  private static func home(_ identifier: String = "home") -> CLCircularRegion {
    CLCircularRegion(
      center: .init(latitude: 45, longitude: 7), radius: 400, identifier: identifier)
  }

  @Test("a region is started, crossed, asked about and stopped; each manager is told of crossings")
  func regions() async throws {
    let daemon = try RunningDaemon.toAndFro()
    let library = daemon.library()
    let recorder = Recorder()
    let other = Recorder()
    let manager = library.serves { CLLocationManager() }
    let second = library.serves { CLLocationManager() }
    manager.delegate = recorder
    second.delegate = other
    manager.startMonitoring(for: Self.home())
    try #require(await until { recorder.count("enter") >= 1 && other.count("enter") >= 1 })
    let calls = recorder.calls.filter { !$0.hasPrefix("authorization") }
    // A crossing is on the disk before it is told; a state waits for no disk.
    let states = calls.filter { $0.hasPrefix("state") }
    #expect(states.prefix(2) == ["state home outside", "state home inside"])
    let crossings = calls.filter { !$0.hasPrefix("state") }
    #expect(crossings.prefix(3) == ["started home", "exit home", "enter home"])
    #expect(other.count("started") == 0)
    #expect(manager.monitoredRegions.map(\.identifier) == ["home"])
    #expect((second.monitoredRegions.first as? CLCircularRegion)?.radius == 400)
    recorder.forget()
    manager.requestState(for: Self.home())
    let elsewhere = CLCircularRegion(
      center: .init(latitude: -45, longitude: 7), radius: 400, identifier: "elsewhere")
    manager.requestState(for: elsewhere)
    #expect(await until { recorder.calls.contains("state elsewhere outside") })
    manager.stopMonitoring(for: Self.home())
    #expect(manager.monitoredRegions.isEmpty)
    await library.catchesUp()
    recorder.forget()
    try await daemon.gives(300, to: library)
    #expect(recorder.calls.isEmpty)
  }

  @Test("kill -9 of the daemon again and again: each crossing is told once, in turn")
  func killed() async throws {
    let daemon = try RunningDaemon.toAndFro()
    let (manager, recorder) = daemon.library().manager()
    manager.startMonitoring(for: Self.home())
    for round in 1...4 {
      try #require(await until { recorder.count("e") >= round * 2 })
      try daemon.restart()
    }
    try #require(await until { recorder.count("e") >= 12 })
    let crossings = recorder.calls.filter { $0.hasPrefix("enter") || $0.hasPrefix("exit") }
    for (a, b) in zip(crossings, crossings.dropFirst()) { #expect(a != b) }
    #expect(recorder.count("started") == 1)
    #expect(recorder.errors.isEmpty)
  }

  @Test("an event that nobody acknowledged is told by the daemon again, and by the library not")
  func once() async throws {
    let daemon = try RunningDaemon.toAndFro()
    let library = daemon.library()
    let (manager, recorder) = library.manager()
    manager.startMonitoring(for: Self.home())
    // The daemon dies in the callback, before it can hear that the event was seen.
    recorder.heard = { [weak daemon, weak recorder] _, call in
      guard call.hasPrefix("exit"), recorder?.count("exit") == 1 else { return }
      daemon?.program.signal(SIGSTOP)
    }
    try #require(await until { recorder.count("exit") >= 1 })
    daemon.program.signal(SIGKILL)
    _ = try daemon.program.exit()
    try daemon.startAgain()
    try #require(await until { recorder.count("enter") >= 1 })
    let crossings = recorder.calls.filter { $0.hasPrefix("e") }
    #expect(crossings.prefix(2) == ["exit home", "enter home"])
  }

  @Test("events of a program that was gone are told to its next manager, once it has a delegate")
  func missed() async throws {
    let daemon = try RunningDaemon.toAndFro()
    let before = Recorder()
    var library: CoreLocation.Daemon? = daemon.library()
    var manager: CLLocationManager? = library?.serves { CLLocationManager() }
    manager?.delegate = before
    manager?.startMonitoring(for: Self.home())
    try #require(await until { before.count("started") == 1 })
    manager = nil
    library = nil
    let administrator = try daemon.connect()
    try #require(
      await until {
        let monitors = try? administrator.ask("status")["result"]?["monitors"]?.array
        return (monitors?.first?["waiting"]?.integer ?? 0) >= 1
      })
    let again = daemon.library().serves { CLLocationManager() }
    await again.daemon.catchesUp()
    let recorder = Recorder()
    again.delegate = recorder
    try #require(await until { recorder.count("e") >= 1 })
    #expect(recorder.calls.first == "authorization authorizedAlways")
    #expect(recorder.calls[1].hasPrefix("exit") || recorder.calls[1].hasPrefix("enter"))
    #expect(again.monitoredRegions.map(\.identifier) == ["home"])
  }

  @Test("a region too many fails, and the others stay")
  func tooMany() async throws {
    let daemon = try RunningDaemon(files: ["locationd.conf": "[Limits]\nRegionsPerApp=2\n"])
    let (manager, recorder) = daemon.library().manager()
    for name in ["a", "b", "c"] { manager.startMonitoring(for: Self.home(name)) }
    #expect(await until { recorder.calls.contains("failed c 5") })
    #expect(await until { recorder.count("started") == 2 })
    #expect(Set(manager.monitoredRegions.map(\.identifier)) == ["a", "b"])
  }

  @Test("a visit is told when it begins and when it ends, with Apple's dates, once each")
  func visits() async throws {
    // Forty minutes at a place, a drive, forty minutes at another.
    let lines = (0..<6000).map { i in
      let north = Double(min(max(i - 2400, 0), 600)) * 15 / 111_131.7
      let date = Date(timeIntervalSince1970: 1_772_359_200 + Double(i))
      return """
        {"timestamp":"\(date.formatted(.iso8601))","latitude":\(45 + north),"longitude":7,\
        "horizontalAccuracy":5}
        """
    }
    func recording(_ lines: some Sequence<String>) -> String { lines.map { $0 + "\n" }.joined() }
    let daemon = try RunningDaemon(
      ["replay://{folder}/track.jsonl?rate=600"],
      files: ["track.jsonl": recording(lines.prefix(2400))])
    let (manager, recorder) = daemon.library().manager()
    manager.startMonitoringVisits()
    manager.startMonitoringSignificantLocationChanges()
    try #require(await until { recorder.visits.count >= 1 })
    // The drive begins after the restart, however late that is.
    try daemon.write(recording(lines), to: "track.jsonl")
    try daemon.restart()
    try #require(await until { recorder.visits.contains { $0.departureDate != .distantFuture } })
    let told = recorder.visits.map { [$0.arrivalDate, $0.departureDate] }
    #expect(Set(told).count == told.count, "\(told)")
    let arrivals = recorder.visits.filter { $0.departureDate == .distantFuture }
    let first = try #require(arrivals.first)
    #expect(
      CLLocation(latitude: 45, longitude: 7)
        .distance(
          from: CLLocation(
            latitude: first.coordinate.latitude, longitude: first.coordinate.longitude)) < 100)
    #expect(recorder.count("locations") >= 1, "a significant change")
    manager.stopMonitoringVisits()
    manager.stopMonitoringSignificantLocationChanges()
  }
}
