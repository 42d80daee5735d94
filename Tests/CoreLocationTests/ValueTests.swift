import Foundation
import LocationModel
import Testing

@testable import CoreLocation

@Suite("Core Location's values") struct ValueTests {
  @Test("constants and numbers are Apple's")
  func constants() {
    #expect(kCLLocationAccuracyBestForNavigation == -2 && kCLLocationAccuracyBest == -1)
    #expect(kCLLocationAccuracyNearestTenMeters == 10 && kCLLocationAccuracyHundredMeters == 100)
    #expect(kCLLocationAccuracyKilometer == 1000 && kCLLocationAccuracyThreeKilometers == 3000)
    #expect(kCLDistanceFilterNone == -1 && kCLHeadingFilterNone == -1)
    #expect(CLLocationDistanceMax == .greatestFiniteMagnitude)
    #expect(kCLErrorDomain == "kCLErrorDomain")
    #expect(CLAuthorizationStatus.authorizedAlways.rawValue == 3)
    #expect(CLAuthorizationStatus.authorizedWhenInUse.rawValue == 4)
    #expect(CLActivityType.other.rawValue == 1 && CLActivityType.airborne.rawValue == 5)
    #expect(CLDeviceOrientation.faceDown.rawValue == 6 && CLRegionState.outside.rawValue == 2)
    #expect(CLProximity.far.rawValue == 3 && CLAccuracyAuthorization.reducedAccuracy.rawValue == 1)
    #expect(CLMonitor.Event.State.unmonitored.rawValue == 3)
    #expect(CLServiceSession.AuthorizationRequirement.always.rawValue == 2)
    #expect(CLLocationUpdate.LiveConfiguration.airborne.rawValue == 4)
  }

  @Test("each enumeration has Apple's numbers")
  func enumerations() {
    let statuses: [CLAuthorizationStatus] = [
      .notDetermined, .restricted, .denied, .authorizedAlways, .authorizedWhenInUse,
    ]
    #expect(statuses.map(\.rawValue) == [0, 1, 2, 3, 4])
    let activities: [CLActivityType] = [
      .other, .automotiveNavigation, .fitness, .otherNavigation, .airborne,
    ]
    #expect(activities.map(\.rawValue) == [1, 2, 3, 4, 5])
    let orientations: [CLDeviceOrientation] = [
      .unknown, .portrait, .portraitUpsideDown, .landscapeLeft, .landscapeRight, .faceUp, .faceDown,
    ]
    #expect(orientations.map(\.rawValue) == [0, 1, 2, 3, 4, 5, 6])
    let states: [CLMonitor.Event.State] = [.unknown, .satisfied, .unsatisfied, .unmonitored]
    #expect(states.map(\.rawValue) == [0, 1, 2, 3])
    let errors: [CLError.Code] = [
      .locationUnknown, .denied, .network, .headingFailure, .regionMonitoringDenied,
      .regionMonitoringFailure, .regionMonitoringSetupDelayed, .regionMonitoringResponseDelayed,
      .geocodeFoundNoResult, .geocodeFoundPartialResult, .geocodeCanceled, .deferredFailed,
      .deferredNotUpdatingLocation, .deferredAccuracyTooLow, .deferredDistanceFiltered,
      .deferredCanceled, .rangingUnavailable, .rangingFailure, .promptDeclined,
      .historicalLocationError,
    ]
    #expect(errors.map(\.rawValue) == Array(0...19))
    #expect(CLLocationPushServiceError.Code.unsupportedPlatform.rawValue == 4)
    #expect([CLRegionState.unknown, .inside, .outside].map(\.rawValue) == [0, 1, 2])
    #expect([CLProximity.unknown, .immediate, .near, .far].map(\.rawValue) == [0, 1, 2, 3])
  }

  @Test("a coordinate is valid on the Earth only, and odd ones trap nowhere")
  func coordinates() {
    #expect(CLLocationCoordinate2DIsValid(CLLocationCoordinate2DMake(90, -180)))
    for (latitude, longitude) in [(91.0, 0.0), (0, 181), (.nan, 0), (0, .infinity)] {
      let place = CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
      #expect(!CLLocationCoordinate2DIsValid(place))
      let odd = CLLocation(latitude: latitude, longitude: longitude)
      _ = odd.distance(from: CLLocation(latitude: 0, longitude: 0))
      _ = odd.description
      let region = CLCircularRegion(center: place, radius: .nan, identifier: "odd")
      #expect(!region.contains(place))
      _ = region.description
    }
    #expect(!CLLocationCoordinate2DIsValid(kCLLocationCoordinate2DInvalid))
    #expect(CLLocationCoordinate2D().latitude == 0)
  }

  @Test("a location that is made has Apple's defaults, and says itself as Apple's does")
  func location() {
    let location = CLLocation(latitude: 37.785834, longitude: -122.406417)
    #expect(location.altitude == 0 && location.horizontalAccuracy == 0)
    #expect(location.verticalAccuracy == -1 && location.speed == -1 && location.course == -1)
    #expect(abs(location.timestamp.timeIntervalSinceNow) < 10)
    #expect(
      location.description.hasPrefix(
        "<+37.78583400,-122.40641700> +/- 0.00m (speed -1.00 mps / course -1.00) @ "))
    #expect(location != CLLocation(latitude: 37.785834, longitude: -122.406417))
    #expect(location.floor == nil && location.sourceInformation == nil)
  }

  @Test("a distance is that of the geodesic")
  func distance() {
    let seoul = CLLocation(latitude: 37.5663528, longitude: 126.9779564)
    let busan = CLLocation(latitude: 35.1795543, longitude: 129.0756416)
    #expect(abs(seoul.distance(from: busan) - 325_110) < 200)
    #expect(seoul.distance(from: seoul) == 0)
  }

  @Test("what the daemon leaves out is -1 or far away in time here")
  func unknown() throws {
    let location = CLLocation(
      Location(
        coordinate: Coordinate(latitude: 1, longitude: 2), horizontalAccuracy: 3,
        timestamp: Timestamp(microseconds: 1_500_000)))
    #expect(location.verticalAccuracy == -1 && location.speedAccuracy == -1)
    #expect(location.courseAccuracy == -1 && location.course == -1 && location.speed == -1)
    #expect(location.timestamp == Date(timeIntervalSince1970: 1.5))
    #expect(location.sourceInformation?.isProducedByAccessory == true)
    let visit = CLVisit(
      Visit(coordinate: Coordinate(latitude: 1, longitude: 2), horizontalAccuracy: 50))
    #expect(visit.arrivalDate == .distantPast && visit.departureDate == .distantFuture)
    let heading = CLHeading(
      Heading(magneticHeading: 350, timestamp: .epoch), from: .landscapeLeft)
    #expect(heading.magneticHeading == 80 && heading.trueHeading == -1)
    #expect(heading.headingAccuracy == -1)
  }

  @Test("objects are archived and found again")
  func archives() throws {
    func again<T: NSObject & NSSecureCoding>(_ object: T) throws -> T {
      let data = try NSKeyedArchiver.archivedData(
        withRootObject: object, requiringSecureCoding: true)
      return try #require(
        try NSKeyedUnarchiver.unarchivedObject(ofClass: T.self, from: data))
    }
    let location = CLLocation(
      coordinate: .init(latitude: 1, longitude: -2), altitude: 3, horizontalAccuracy: 4,
      verticalAccuracy: 5, course: 6, courseAccuracy: 7, speed: 8, speedAccuracy: 9,
      timestamp: Date(timeIntervalSinceReferenceDate: 10),
      sourceInfo: .init(softwareSimulationState: true, andExternalAccessoryState: false))
    let copy = try again(location)
    #expect(copy.description == location.description && copy.speedAccuracy == 9)
    #expect(copy.altitude == 3 && copy.sourceInformation?.isSimulatedBySoftware == true)
    let region = CLCircularRegion(
      center: .init(latitude: 1, longitude: 2), radius: 3, identifier: "here")
    region.notifyOnExit = false
    #expect(try again(region).radius == 3 && again(region).notifyOnExit == false)
    let beacon = CLBeaconRegion(uuid: UUID(), major: 4, identifier: "b")
    beacon.notifyEntryStateOnDisplay = true
    #expect(try again(beacon).uuid == beacon.uuid && again(beacon).major == 4)
    #expect(try again(beacon).notifyEntryStateOnDisplay)
    #expect((beacon.copy() as? CLBeaconRegion)?.notifyEntryStateOnDisplay == true)
    #expect(try again(CLVisit()).departureDate == .distantFuture)
    #expect(try again(CLHeading()).magneticHeading == -1)
    #expect(try again(CLBeacon()).proximity == .unknown)
    #expect((location.copy() as? CLLocation)?.altitude == 3)
    #expect((region.copy() as? CLCircularRegion)?.notifyOnExit == false)
  }

  @Test("regions are equal when their identifiers are")
  func regions() {
    let a = CLCircularRegion(center: .init(), radius: 1, identifier: "a")
    let b = CLCircularRegion(center: .init(latitude: 9, longitude: 9), radius: 2, identifier: "a")
    #expect(a == b && Set<CLRegion>([a, b]).count == 1)
    #expect(a.contains(.init(latitude: 0, longitude: 0.000001)))
    #expect(!a.contains(.init(latitude: 0, longitude: 1)))
  }

  @Test("beacon constraints, regions and their advertisement")
  func beacons() {
    let uuid = UUID()
    #expect(
      CLBeaconIdentityConstraint(uuid: uuid, major: 1)
        == CLBeaconIdentityConstraint(uuid: uuid, major: 1))
    #expect(
      CLBeaconIdentityConstraint(uuid: uuid) != CLBeaconIdentityConstraint(uuid: uuid, major: 1))
    let region = CLBeaconRegion(uuid: uuid, major: 258, minor: 3, identifier: "b")
    let data = region.peripheralData(withMeasuredPower: -60)["kCBAdvDataAppleBeaconKey"] as? Data
    #expect(data?.suffix(5) == Data([1, 2, 0, 3, 0xC4]))
    #expect(region.minor == 3 && region.beaconIdentityConstraint.minor == 3)
    #expect(CLBeacon().rssi == 0 && CLBeacon().accuracy == -1)
  }

  @Test("an error is caught and compared in each of Apple's ways")
  func errors() {
    let thrown: any Error = CLError(.denied, userInfo: [NSLocalizedDescriptionKey: "no"])
    #expect((thrown as? CLError)?.code == .denied)
    #expect(thrown._code == 1 && (thrown as NSError).domain == kCLErrorDomain)
    #expect(thrown.localizedDescription == "no")
    do { throw thrown } catch CLError.denied {} catch { Issue.record("not caught") }
    switch thrown {
    case CLError.network: Issue.record("another")
    case CLError.denied: break
    default: Issue.record("none")
    }
    #expect(CLError(.network).errorCode == 2 && CLError.errorDomain == "kCLErrorDomain")
    #expect(CLError.historicalLocationError.rawValue == 19)
    let region = CLCircularRegion(center: .init(), radius: 1, identifier: "near")
    let delayed = CLError(
      .regionMonitoringResponseDelayed, userInfo: [kCLErrorUserInfoAlternateRegionKey: region])
    #expect(delayed.alternateRegion === region && CLError(.denied).alternateRegion == nil)
  }

  @Test("a placemark has Apple's members")
  func placemark() throws {
    let place = CLPlacemark(
      .init(name: "City Hall", thoroughfare: "Sejong-daero", locality: "Seoul"),
      at: CLLocation(latitude: 37.5, longitude: 127), in: nil, TimeZone(identifier: "Asia/Seoul"))
    let copy = CLPlacemark(placemark: place)
    #expect(copy.locality == "Seoul" && copy.location === place.location)
    #expect(copy.timeZone?.identifier == "Asia/Seoul" && copy.country == nil)
    let data = try NSKeyedArchiver.archivedData(withRootObject: place, requiringSecureCoding: true)
    let again = try NSKeyedUnarchiver.unarchivedObject(ofClass: CLPlacemark.self, from: data)
    #expect(again?.thoroughfare == "Sejong-daero" && again?.location?.coordinate.latitude == 37.5)
  }

  @Test("a program's reasons come from its Info.plist")
  func descriptions() {
    let plain = AppDescription(name: "tool")
    #expect(plain.maySay(.authorizedAlways) && plain.purpose(.authorizedWhenInUse) == nil)
    #expect(plain.temporaryPurpose("Way") == "Way")
    let app = AppDescription(
      name: "tool",
      info: [
        "CFBundleName": "Map", "NSLocationWhenInUseUsageDescription": "to show the way",
        "NSLocationTemporaryUsageDescriptionDictionary": ["Way": "to turn in time"],
      ])
    #expect(app.name == "Map" && app.purpose(.authorizedAlways) == "to show the way")
    #expect(app.temporaryPurpose("Way") == "to turn in time" && app.temporaryPurpose("X") == nil)
    #expect(app.maySay(.authorizedWhenInUse) && !app.maySay(.authorizedAlways))
    #expect(!AppDescription(info: [:]).maySay(.authorizedWhenInUse))
    for (key, mayAlways) in [("", true), ("AlwaysAndWhenInUse", true), ("WhenInUse", false)] {
      let described = AppDescription(info: ["NSLocation\(key)UsageDescription": "to show the way"])
      #expect(described.maySay(.authorizedWhenInUse))
      #expect(described.maySay(.authorizedAlways) == mayAlways, "\(key)")
    }
  }
}

@Suite("Numbered events in the library") struct EventLedgerTests {
  private func visit(_ latitude: Double) -> Event {
    .didVisit(
      Visit(coordinate: Coordinate(latitude: latitude, longitude: 0), horizontalAccuracy: 1))
  }

  @Test("an event is admitted once, and acknowledged when it and all before it are seen")
  func once() {
    var ledger = EventLedger()
    let r1 = ledger.admits(5, visit(5))
    let r2 = ledger.admits(6, visit(6))
    #expect(r1 && r2)
    let r3 = ledger.admits(5, visit(5))
    #expect(!r3)
    ledger.send(5, to: [1])
    ledger.send(6, to: [1])
    ledger.acknowledge(Receipt(event: 6, subscriber: 1))
    let r4 = ledger.acknowledgement()
    #expect(r4 == nil)
    ledger.acknowledge(Receipt(event: 5, subscriber: 1))
    let r5 = ledger.acknowledgement()
    #expect(r5 == 6)
    let again = ledger.acknowledgement()
    #expect(again == nil)
    let r6 = ledger.admits(6, visit(6))
    #expect(!r6)
    ledger.repeatAcknowledgement()
    let r7 = ledger.acknowledgement()
    #expect(r7 == 6)
  }

  @Test("a daemon that lost its memory begins with small numbers again")
  func newNumbers() {
    var ledger = EventLedger()
    let r8 = ledger.admits(5, visit(5))
    #expect(r8)
    ledger.acknowledge(Receipt(event: 5, subscriber: 1))
    let r9 = ledger.acknowledgement()
    #expect(r9 == 5)
    let r10 = ledger.admits(1, visit(7))
    #expect(r10)
    ledger.acknowledge(Receipt(event: 1, subscriber: 1))
    let r11 = ledger.acknowledgement()
    #expect(r11 == 1)
    let r12 = ledger.admits(5, visit(8))
    #expect(r12, "the same number for another event")
  }

  @Test("what nobody is to see waits, also when the one that was to see it has gone")
  func waiting() {
    var ledger = EventLedger()
    let r13 = ledger.admits(1, visit(1))
    #expect(r13)
    #expect(ledger.waiting.map(\.number) == [1])
    ledger.send(1, to: [7])
    #expect(ledger.waiting.isEmpty)
    ledger.leave(7)
    #expect(ledger.waiting.map(\.number) == [1])
    ledger.send(1, to: [8])
    ledger.giveBack(Receipt(event: 1, subscriber: 8))
    #expect(ledger.waiting.map(\.number) == [1])
    ledger.drop(1)
    #expect(ledger.waiting.isEmpty)
  }

  @Test("an event is acknowledged when each subscriber that it was sent to has it, or has gone")
  func all() {
    var ledger = EventLedger()
    for number in 1...3 as ClosedRange<UInt64> {
      let isNew = ledger.admits(number, visit(Double(number)))
      #expect(isNew)
      ledger.send(number, to: [7, 8])
    }
    ledger.acknowledge(Receipt(event: 1, subscriber: 7))
    let one = ledger.acknowledgement()
    #expect(one == nil)
    #expect(ledger.waiting.isEmpty)
    ledger.acknowledge(Receipt(event: 1, subscriber: 8))
    let both = ledger.acknowledgement()
    #expect(both == 1)
    // One has the second event, the other goes without it; nobody has the third.
    ledger.acknowledge(Receipt(event: 2, subscriber: 7))
    ledger.leave(8)
    let left = ledger.acknowledgement()
    #expect(left == 2)
    ledger.leave(7)
    #expect(ledger.waiting.map(\.number) == [3])
    let nobody = ledger.acknowledgement()
    #expect(nobody == nil)
  }

  @Test("a thousand events are remembered, and no more")
  func bounded() {
    var ledger = EventLedger()
    for number in 1...3000 as ClosedRange<UInt64> {
      let r14 = ledger.admits(number, visit(1))
      #expect(r14)
      ledger.acknowledge(Receipt(event: number, subscriber: 1))
    }
    let r15 = ledger.acknowledgement()
    #expect(r15 == 3000)
    let r16 = ledger.admits(2500, visit(1))
    #expect(!r16)
  }
}
