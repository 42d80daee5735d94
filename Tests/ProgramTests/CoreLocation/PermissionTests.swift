import Foundation
import LocationModel
import TestSupport
import Testing

@testable import CoreLocation

@MainActor @Suite("What an app may know, by CLLocationManager", .timeLimit(.minutes(60)))
struct ManagerPermissionTests {
  @Test("permission is asked for, its answer is told, and the updates that waited begin")
  func asked() async throws {
    let daemon = try RunningDaemon.driving(files: askingAboutEveryApp)
    let typist = try Typist(daemon, answers: ["w"])
    try typist.wait(for: "come here")
    let library = daemon.library(
      AppDescription(
        name: "x",
        info: [
          "NSLocationWhenInUseUsageDescription": "to show the way", "CFBundleName": "Wayfinder",
        ]))
    let (manager, recorder) = library.manager()
    #expect(manager.authorizationStatus == .notDetermined)
    manager.startUpdatingLocation()
    try #require(await until { recorder.count("authorization") == 1 })
    manager.requestWhenInUseAuthorization()
    let question = try typist.wait(for: "to show the way")
    #expect(question.contains("to show the way"))
    try #require(await until { recorder.locations.count >= 1 })
    #expect(
      recorder.calls.prefix(3) == [
        "authorization notDetermined", "authorization authorizedWhenInUse", "locations",
      ])
    manager.requestWhenInUseAuthorization()
    #expect(recorder.count("authorization") == 2)
  }

  @Test("a single request waits for the person's answer; without anybody to ask it is denied")
  func singleAsks() async throws {
    let daemon = try RunningDaemon.driving(files: askingAboutEveryApp)
    let library = daemon.library()
    let nobody = Recorder()
    let first = library.serves { CLLocationManager() }
    first.delegate = nobody
    first.requestLocation()
    #expect(await until { nobody.errors.map(\.code) == [.denied] })
    let typist = try Typist(daemon, answers: ["w"])
    try typist.wait(for: "come here")
    let (manager, recorder) = library.manager()
    manager.requestWhenInUseAuthorization()
    manager.requestLocation()
    #expect(await until { recorder.locations.count == 1 })
    #expect(recorder.errors.isEmpty)
  }

  @Test("a single request of an app that nobody has decided about waits for the decision")
  func singleWaits() async throws {
    let daemon = try RunningDaemon.driving(files: askingAboutEveryApp)
    let library = daemon.library()
    let (manager, recorder) = library.manager()
    manager.requestLocation()
    // The main queue may be held by other tests for longer than a request waits: nothing is awaited on it before.
    let person = try daemon.connect()
    let isWaiting = try eventually(within: patience) {
      let clients = try person.ask("status")["result"]?["clients"]?.array ?? []
      return clients.contains { $0["waiting"]?.integer == 1 }
    }
    try #require(isWaiting)
    try person.decide("authorizedWhenInUse")
    #expect(await until { recorder.locations.count == 1 })
    #expect(recorder.errors.isEmpty)
  }

  @Test("an app that describes itself without saying why is not asked about")
  func noUsageDescription() async throws {
    let daemon = try RunningDaemon.driving(files: askingAboutEveryApp)
    let typist = try Typist(daemon, answers: ["w"])
    try typist.wait(for: "come here")
    let silent = daemon.library(AppDescription(name: "x", info: ["CFBundleName": "x"]))
    let (manager, recorder) = silent.manager()
    manager.requestWhenInUseAuthorization()
    let session = silent.serves { CLServiceSession(authorization: .whenInUse) }
    let updates = silent.serves { CLLocationUpdate.liveUpdates().makeAsyncIterator() }
    try #require(await until { recorder.count("authorization") == 1 })
    await silent.catchesUp()
    withExtendedLifetime((session, updates)) {}
    let purpose = ["NSLocationWhenInUseUsageDescription": "to show the way"]
    let (other, _) = daemon.library(AppDescription(name: "x", info: purpose)).manager()
    other.requestWhenInUseAuthorization()
    #expect(try typist.wait(for: "It says").contains("to show the way"), "the first question")
    #expect(await until { recorder.calls.count == 2 })
    #expect(recorder.calls[0] == "authorization notDetermined")
  }

  @Test("a revocation is told as a changed authorization and an error; a grant lets updates go on")
  func revoked() async throws {
    let daemon = try RunningDaemon.driving()
    let (manager, recorder) = daemon.library().manager()
    manager.startUpdatingLocation()
    try #require(await until { recorder.locations.count >= 2 })
    let administrator = try daemon.connect()
    try administrator.decide("denied")
    try #require(await until { recorder.errors.map(\.code) == [.denied] })
    #expect(recorder.calls.contains("authorization denied"))
    let count = recorder.locations.count
    try administrator.decide("authorizedWhenInUse")
    #expect(await until { recorder.locations.count > count })
    #expect(recorder.count("authorization") == 3)
    #expect(recorder.errors.count == 1)
  }

  @Test("reduced accuracy is told, and asking for more needs a purpose")
  func reduced() async throws {
    let daemon = try RunningDaemon()
    let recorder = Recorder()
    let library = daemon.library(
      AppDescription(
        info: ["NSLocationTemporaryUsageDescriptionDictionary": ["Way": "to show the way"]]))
    let manager = library.serves { CLLocationManager() }
    manager.delegate = recorder
    #expect(manager.accuracyAuthorization == .fullAccuracy)
    await #expect(throws: CLError.self) {
      try await manager.requestTemporaryFullAccuracyAuthorization(withPurposeKey: "Way")
    }
    try #require(await until { recorder.count("authorization") == 1 }, "each is told by itself")
    let administrator = try daemon.connect()
    let me = try #require(try administrator.ask("hello")["result"]?["app"])
    _ = try administrator.ask(
      "permissions.set",
      ["app": me, "authorization": "authorizedWhenInUse", "accuracy": "reduced"])
    #expect(await until { manager.accuracyAuthorization == .reducedAccuracy })
    #expect(await until { recorder.count("authorization") >= 2 })
    manager.requestLocation()
    #expect(await until { recorder.locations.count == 1 })
    #expect(recorder.locations.first?.horizontalAccuracy ?? 0 >= 3000)
    do {
      try await manager.requestTemporaryFullAccuracyAuthorization(withPurposeKey: "Other")
      Issue.record("a purpose that is not described is none")
    } catch CLError.promptDeclined {}
  }

  @Test("an app that wishes for a reduced place is told one, whatever it may know")
  func reducedWish() async throws {
    let daemon = try RunningDaemon()
    let (manager, recorder) = daemon.library().manager()
    manager.desiredAccuracy = kCLLocationAccuracyReduced
    manager.requestLocation()
    try #require(await until { recorder.locations.count == 1 })
    manager.startUpdatingLocation()
    try #require(await until { recorder.locations.count == 2 })
    #expect(recorder.locations.allSatisfy { $0.horizontalAccuracy >= 3000 })
    #expect(recorder.locations.allSatisfy { $0.coordinate.latitude != 45 && $0.altitude == 0 })
    manager.desiredAccuracy = kCLLocationAccuracyBest
    #expect(await until { recorder.locations.last?.horizontalAccuracy == 5 })
  }

  @Test("while in use, regions, visits and significant changes are refused by a manager")
  func whenInUse() async throws {
    let daemon = try RunningDaemon()
    try daemon.connect().decide("authorizedWhenInUse")
    let (manager, recorder) = daemon.library().manager()
    manager.startMonitoring(
      for: CLCircularRegion(center: .init(latitude: 45, longitude: 7), radius: 100, identifier: "a")
    )
    manager.startMonitoringVisits()
    manager.startMonitoringSignificantLocationChanges()
    manager.startUpdatingHeading()
    #expect(await until { recorder.calls.count == 4 })
    #expect(
      recorder.calls == [
        "authorization authorizedWhenInUse", "failed a 4", "error 1", "error 1",
      ])
    #expect(manager.monitoredRegions.isEmpty)
  }
}
