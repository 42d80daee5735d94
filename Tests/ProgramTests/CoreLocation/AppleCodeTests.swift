import AppleCode
import Foundation
import LocationClient
import TestSupport
import Testing

@testable import CoreLocation

@MainActor @Suite("Code that was written for Apple's platforms", .timeLimit(.minutes(60)))
struct AppleCodeTests {
  @Test("a map asks, hears the answer, and follows the device")
  func map() async throws {
    let daemon = try RunningDaemon.driving(files: askingAboutEveryApp)
    let typist = try Typist(daemon, answers: ["w"])
    try typist.wait(for: "come here")
    try await CoreLocation.Daemon.$current.withValue(daemon.library()) {
      let app = MapScreen()
      app.checkLocationServices()
      try #require(await until { app.shown.count >= 3 })
      #expect(app.steps.first == "ask")
      let rest = app.steps.dropFirst()
      #expect(rest.filter { $0 == "changed" }.count <= 2)
      let authorized = try #require(rest.firstIndex(of: "authorized"))
      #expect(rest[..<authorized].allSatisfy { $0 == "changed" })
      #expect(rest[(authorized + 1)...].allSatisfy { $0 == "update" })
      #expect(app.isWorthAWay(CLLocationCoordinate2D(latitude: 44, longitude: 7)) == true)
    }
  }

  @Test("an app that may always know the location has every service")
  func services() async throws {
    let daemon = try RunningDaemon.driving()
    await CoreLocation.Daemon.$current.withValue(daemon.library()) {
      let app = Services()
      app.askForBoth()
      app.checkAuthorizationStatus()
      #expect(app.steps == ["all features"])
      #expect(Services.availability() == [true, true, true, true, true])
      app.startUpdatingLocation()
      #expect(await until { app.distances.count >= 3 })
      #expect(app.distances.allSatisfy { $0 == 0 })
      app.startTheOthers()
      #expect(await until { app.steps.contains("monitors náměstí") })
      #expect(app.steps == ["all features", "authorized", "monitors náměstí"])
    }
  }

  @Test("while in use an app has the services that Apple's table names")
  func table() async throws {
    let daemon = try RunningDaemon.driving()
    try daemon.connect().decide("authorizedWhenInUse")
    await CoreLocation.Daemon.$current.withValue(daemon.library()) {
      let app = Services()
      app.startUpdatingLocation()
      app.startTheOthers()
      #expect(await until { app.distances.count >= 1 && app.steps.count == 4 })
      #expect(app.steps == ["authorized", "error 1", "error 1", "no náměstí"])
    }
  }

  @Test("a controller, a publisher and an async function get their locations")
  func oneShot() async throws {
    let daemon = try RunningDaemon.driving()
    try await CoreLocation.Daemon.$current.withValue(daemon.library()) {
      let controller = LinesController()
      controller.setupLocationManager()
      #expect(await until { controller.lines.count >= 2 })
      let service = LocationService()
      var received: [CLLocationCoordinate2D] = []
      service.locationPublisher().sink { _ in
      } receiveValue: {
        received.append($0)
      }
      #expect(await until { received.count == 1 })
      let location = try await OneLocation().current()
      #expect(location.horizontalAccuracy > 0)
    }
  }

  @Test("the publisher hears of a failure, and the async function throws")
  func failures() async throws {
    let daemon = try RunningDaemon.driving()
    try daemon.connect().decide("denied")
    await CoreLocation.Daemon.$current.withValue(daemon.library()) {
      let service = LocationService()
      var failures: [any Error] = []
      service.locationPublisher().sink { completion in
        if case .failure(let error) = completion { failures.append(error) }
      } receiveValue: { _ in
      }
      #expect(await until { failures.count == 1 })
      #expect((failures.first as? CLError)?.code == .denied)
      await #expect(throws: CLError.self) { try await OneLocation().current() }
    }
  }

  @Test("without a service geocoding says how to start one")
  func geocoding() async throws {
    var errors: [(any Error)?] = []
    PlacesClient.$current.withValue(PlacesClient(path: "/tmp/nobody-\(UUID())")) {
      let app = Services()
      app.find("서울 시청") { coordinate, error in
        #expect(!CLLocationCoordinate2DIsValid(coordinate))
        errors.append(error)
      }
    }
    #expect(await until { errors.count == 1 })
    #expect((errors[0] as? CLError)?.code == .network)
    #expect(errors[0]?.localizedDescription.contains("locationd-places.socket") == true)
  }

  @Test("mocks that inherit a manager, and call its delegate with question marks")
  func mocks() async throws {
    let library = CoreLocation.Daemon(path: "/tmp/nobody-\(UUID())")
    library.serves {
      let mock = MockLocationManager()
      let model = ViewModel(mock)
      mock.requestLocation()
      #expect(model.problem == .locationUnknown)
      mock.mockLocation = CLLocation(latitude: 100, longitude: 200)
      mock.requestLocation()
      #expect(model.last?.coordinate.latitude == 100)
      MockLocationManager.mockStatus = .authorizedAlways
      mock.startMonitoring(for: CLRegion())
      #expect(model.status == .authorizedAlways)
      model.locationManager.requestWhenInUseAuthorization()
      #expect(mock.asked == 1 && mock.monitoredRegions.count == 1)
    }
  }

  @Test("a stream around a delegate, beside a loop over live updates")
  func streams() async throws {
    let daemon = try RunningDaemon.driving()
    let library = daemon.library()
    let stream = library.serves { LocationStream() }
    var count = 0
    for await _ in stream.locations {
      count += 1
      if count == 3 { break }
    }
    for try await update in library.serves({ CLLocationUpdate.liveUpdates() })
    where update.location != nil {
      break
    }
    #expect(count == 3)
  }
}
