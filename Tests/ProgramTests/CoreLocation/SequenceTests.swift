import Foundation
import LocationClient
import LocationModel
import TestSupport
import Testing

@testable import CoreLocation

@MainActor @Suite("Live updates, monitors and sessions", .timeLimit(.minutes(60)))
struct SequenceTests {
  @Test("a loop over live updates gets locations in order, and its end ends the service")
  func liveUpdates() async throws {
    let daemon = try RunningDaemon.driving()
    let library = daemon.library()
    let updates = library.serves { CLLocationUpdate.liveUpdates(.automotiveNavigation) }
    var dates: [Date] = []
    for try await update in updates {
      guard let location = update.location else { continue }
      dates.append(location.timestamp)
      if dates.count == 5 { break }
    }
    #expect(dates == dates.sorted() && Set(dates).count == 5)
    #expect(try await until { try daemon.updating() == 0 })
  }

  @Test("a loop that is cancelled ends, and another one begins anew")
  func cancelled() async throws {
    let daemon = try RunningDaemon.driving()
    let library = daemon.library()
    let loop = Task {
      var count = 0
      for try await update in library.serves({ CLLocationUpdate.liveUpdates() })
      where update.location != nil {
        count += 1
      }
      return count
    }
    #expect(try await until { try daemon.updating() == 1 })
    loop.cancel()
    _ = await loop.result
    #expect(try await until { try daemon.updating() == 0 })
    for try await update in library.serves({ CLLocationUpdate.liveUpdates() })
    where update.location != nil {
      break
    }
  }

  @Test("live updates ask for permission by themselves, and say what keeps locations away")
  func liveUpdatesAsk() async throws {
    let daemon = try RunningDaemon.driving(files: askingAboutEveryApp)
    let typist = try Typist(daemon, answers: ["w"])
    try typist.wait(for: "come here")
    let library = daemon.library()
    var words: [String] = []
    for try await update in library.serves({ CLLocationUpdate.liveUpdates() }) {
      if update.authorizationRequestInProgress { words.append("asking") }
      if update.authorizationDenied { words.append("denied") }
      if update.location != nil, words.last != "location" {
        words.append("location")
        try daemon.connect().decide("denied")
      }
      if words.last == "denied" { break }
    }
    #expect(words == ["asking", "location", "denied"])
  }

  @Test("an app that asks by a session of its own is told that it needs one")
  func explicitSession() async throws {
    let daemon = try RunningDaemon.driving(files: askingAboutEveryApp)
    let library = daemon.library(
      AppDescription(info: [
        "NSLocationRequireExplicitServiceSession": true,
        "NSLocationWhenInUseUsageDescription": "to show the way",
      ]))
    var iterator = library.serves { CLLocationUpdate.liveUpdates() }.makeAsyncIterator()
    let first = try await iterator.next()
    #expect(first?.serviceSessionRequired == true)
    let typist = try Typist(daemon, answers: ["w"])
    try typist.wait(for: "come here")
    let session = library.serves { CLServiceSession(authorization: .whenInUse) }
    while let update = try await iterator.next(), update.location == nil {}
    session.invalidate()
  }

  @Test("a service session says how it fares, until it is invalidated")
  func session() async throws {
    let daemon = try RunningDaemon.driving()
    let administrator = try daemon.connect()
    try administrator.decide("authorizedWhenInUse")
    let session = daemon.library().serves { CLServiceSession(authorization: .always) }
    var denied = false
    for try await diagnostic in session.diagnostics {
      if diagnostic.authorizationDenied {
        denied = true
        session.invalidate()
      } else {
        try administrator.decide("denied")
      }
    }
    #expect(denied)
  }

  @Test("a background activity session is begun and ended at the daemon")
  func backgroundSession() async throws {
    let daemon = try RunningDaemon.driving()
    let library = daemon.library()
    let session = library.serves { CLBackgroundActivitySession() }
    var iterator = session.diagnostics.makeAsyncIterator()
    let first = try await iterator.next()
    #expect(first?.authorizationDenied == false && first?.insufficientlyInUse == false)
    #expect(try await until { try daemon.holdsUse() })
    session.invalidate()
    #expect(try await iterator.next() == nil)
    #expect(try await until { try !daemon.holdsUse() })
  }

  private static func circle() -> CLMonitor.CircularGeographicCondition {
    .init(center: .init(latitude: 45, longitude: 7), radius: 400)
  }

  @Test("a monitor tells each change of state, keeps its records, and forgets what is removed")
  func monitor() async throws {
    let daemon = try RunningDaemon.toAndFro()
    let library = daemon.library()
    let monitor = await library.monitor()
    await monitor.add(Self.circle(), identifier: "home")
    #expect(await monitor.identifiers == ["home"])
    var states: [CLMonitor.Event.State] = []
    for try await event in monitor.events {
      #expect(event.identifier == "home" && event.refinement == nil)
      states.append(event.state)
      if states.count == 5 { break }
    }
    for (a, b) in zip(states, states.dropFirst()) { #expect(a != b) }
    #expect(Set(states) == [.satisfied, .unsatisfied])
    let record = await monitor.record(for: "home")
    #expect((record?.condition as? CLMonitor.CircularGeographicCondition)?.radius == 400)
    #expect([.satisfied, .unsatisfied].contains(record?.lastEvent.state))
    #expect(library.serves { CLLocationManager() }.monitoredRegions.isEmpty)
    await monitor.remove("home")
    #expect(await monitor.identifiers.isEmpty)
    #expect(await monitor.record(for: "home") == nil)
    let client = try daemon.connect()
    #expect(
      try await until {
        try client.ask("monitoredRegions")["result"]?["regions"]?.array?.isEmpty == true
      })
  }

  @Test("a monitor that is made anew has its conditions and goes on with its events")
  func monitorAgain() async throws {
    let daemon = try RunningDaemon.toAndFro()
    let name = "again\(UInt32.random(in: 0 ... .max))"
    var states: [CLMonitor.Event.State] = []
    do {
      let monitor = await daemon.library().monitor(name)
      await monitor.add(Self.circle(), identifier: "home", assuming: .satisfied)
      for try await event in monitor.events {
        states.append(event.state)
        if states.count == 2 { break }
      }
    }
    try daemon.restart()
    let monitor = await daemon.library().monitor(name)
    #expect(await monitor.identifiers == ["home"])
    for try await event in monitor.events {
      states.append(event.state)
      if states.count == 5 { break }
    }
    #expect(states.first == .unsatisfied)
    for (a, b) in zip(states, states.dropFirst()) { #expect(a != b) }
    await monitor.remove("home")
  }

  @Test("conditions that cannot be monitored say why; two monitors of one name are one")
  func unmonitored() async throws {
    let daemon = try RunningDaemon(
      files: ["locationd.conf": "[Limits]\nRegionsPerApp=1\n"])
    let library = daemon.library()
    let monitor = await library.monitor()
    await monitor.add(Self.circle(), identifier: "home")
    var iterator = monitor.events.makeAsyncIterator()
    #expect(try await iterator.next()?.state == .satisfied)
    await monitor.add(
      CLMonitor.CircularGeographicCondition(center: .init(latitude: 45, longitude: 7), radius: 0),
      identifier: "point")
    let point = try await iterator.next()
    #expect(point?.state == .unmonitored && point?.conditionUnsupported == true)
    await monitor.add(Self.circle(), identifier: "second")
    let second = try await iterator.next()
    #expect(second?.state == .unmonitored && second?.conditionLimitExceeded == true)
    for identifier in await monitor.identifiers { await monitor.remove(identifier) }
  }

  @Test("while in use a monitor works, and a revocation ends what it watches until it may again")
  func monitorWhileInUse() async throws {
    let daemon = try RunningDaemon()
    let administrator = try daemon.connect()
    try administrator.decide("authorizedWhenInUse")
    let monitor = await daemon.library().monitor()
    await monitor.add(Self.circle(), identifier: "home")
    var iterator = monitor.events.makeAsyncIterator()
    #expect(try await iterator.next()?.state == .satisfied)
    try administrator.decide("denied")
    let denied = try await iterator.next()
    #expect(denied?.state == .unmonitored && denied?.authorizationDenied == true)
    try administrator.decide("authorizedAlways")
    #expect(try await iterator.next()?.state == .satisfied)
    await monitor.remove("home")
  }
}
