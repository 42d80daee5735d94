import Geodesy
import LocationModel
import Testing

@testable import LocationCore

/// The table, row by row: what is known of an app, and what each service answers.
@Suite("The permission table") struct AccessTests {
  private static let all: [Service] = [.standard, .heading, .regions, .significant, .visits]

  private func verdicts(
    _ authorization: Authorization, _ accuracy: AccuracyAuthorization = .full, inUse: Bool = true,
    provisional: Bool = false
  ) -> [Verdict] {
    var standing = Standing()
    standing.permission = Permission(authorization, accuracy)
    standing.permission.isProvisional = provisional
    standing.isInUse = inUse
    let access = Access(standing)
    return Self.all.map { access.verdict(for: $0) }
  }

  private static let full = Verdict.allow(.full)
  private static let coarse = Verdict.allow(.reduced)

  @Test("nobody has decided: every service waits for a person, in use or not")
  func notDetermined() {
    for inUse in [true, false] {
      #expect(verdicts(.notDetermined, inUse: inUse).allSatisfy { $0 == .ask })
    }
  }

  @Test("denied: nothing, in use or not, however exact it was to be")
  func denied() {
    for inUse in [true, false] {
      for accuracy in [AccuracyAuthorization.full, .reduced] {
        #expect(verdicts(.denied, accuracy, inUse: inUse).allSatisfy { $0 == .refuse })
      }
    }
  }

  @Test("While Using: what needs no Always, and only while in use")
  func whenInUse() {
    let (full, coarse) = (Self.full, Self.coarse)
    #expect(verdicts(.authorizedWhenInUse) == [full, full, full, .refuse, .refuse])
    #expect(
      verdicts(.authorizedWhenInUse, inUse: false) == [.wait, .wait, .wait, .refuse, .refuse])
    #expect(
      verdicts(.authorizedWhenInUse, .reduced) == [coarse, coarse, .wait, .refuse, .refuse])
    #expect(
      verdicts(.authorizedWhenInUse, .reduced, inUse: false)
        == [.wait, .wait, .wait, .refuse, .refuse])
  }

  @Test("Always: everything, in use or not; of reduced accuracy no regions, and coarse places")
  func always() {
    let (full, coarse) = (Self.full, Self.coarse)
    for inUse in [true, false] {
      #expect(verdicts(.authorizedAlways, inUse: inUse).allSatisfy { $0 == full })
      #expect(
        verdicts(.authorizedAlways, .reduced, inUse: inUse)
          == [coarse, coarse, .wait, coarse, coarse])
    }
  }

  @Test("provisional Always is Always in use, and asks again before anything beyond it")
  func provisional() {
    #expect(verdicts(.authorizedAlways, provisional: true).allSatisfy { $0 == Self.full })
    #expect(
      verdicts(.authorizedAlways, inUse: false, provisional: true).allSatisfy { $0 == .confirm })
    // Nobody is asked for what would not be had anyway.
    #expect(
      verdicts(.authorizedAlways, .reduced, inUse: false, provisional: true)
        == [.confirm, .confirm, .wait, .confirm, .confirm])
  }

  private struct Row: CustomTestStringConvertible {
    var what: String
    var standing: Standing
    var authorization: Authorization
    var accuracy = AccuracyAuthorization.full
    var source = PermissionSource.person
    var testDescription: String { what }

    init(
      _ what: String, _ authorization: Authorization, _ accuracy: AccuracyAuthorization = .full,
      _ source: PermissionSource = .person, _ change: (inout Standing) -> Void
    ) {
      self.what = what
      self.authorization = authorization
      self.accuracy = accuracy
      self.source = source
      standing = Standing()
      change(&standing)
    }
  }

  private static let rows = [
    Row("nothing is known", .notDetermined) { _ in },
    Row("the person decided", .authorizedWhenInUse, .reduced) {
      $0.permission = Permission(.authorizedWhenInUse, .reduced)
    },
    Row("the master switch is off", .denied) {
      $0.servicesEnabled = false
      $0.permission = Permission(.authorizedAlways)
    },
    Row("the master switch is off, for root too", .denied) {
      $0.servicesEnabled = false
      $0.isTrusted = true
    },
    Row("the master switch is off, whatever a file allows", .denied) {
      $0.servicesEnabled = false
      $0.rule = .allow(.authorizedAlways, .full)
    },
    Row("it is restricted, whatever the person decided", .restricted, .full, .administrator) {
      $0.isRestricted = true
      $0.permission = Permission(.authorizedAlways)
    },
    Row("it is restricted, whatever a file allows", .restricted, .full, .administrator) {
      $0.isRestricted = true
      $0.rule = .allow(.authorizedAlways, .full)
    },
    Row("a file restricts it, whatever the person decided", .restricted, .full, .policy) {
      $0.rule = .restrict
      $0.permission = Permission(.authorizedAlways)
    },
    Row("a file restricts it, though it is root's", .restricted, .full, .policy) {
      $0.rule = .restrict
      $0.isTrusted = true
    },
    Row("a file denies it, whatever the person decided", .denied, .full, .policy) {
      $0.rule = .deny
      $0.permission = Permission(.authorizedAlways)
    },
    Row("a file allows it, and nobody has decided", .authorizedWhenInUse, .reduced, .policy) {
      $0.rule = .allow(.authorizedWhenInUse, .reduced)
    },
    Row("a file allows it, and the person does not", .denied) {
      $0.rule = .allow(.authorizedAlways, .full)
      $0.permission = Permission(.denied)
    },
    Row("a file allows more than the person", .authorizedWhenInUse, .reduced) {
      $0.rule = .allow(.authorizedAlways, .full)
      $0.permission = Permission(.authorizedWhenInUse, .reduced)
    },
    Row("a file has people asked, though it is root's", .notDetermined) {
      $0.rule = .ask
      $0.isTrusted = true
    },
    Row("a file has people asked, and they have answered", .authorizedAlways) {
      $0.rule = .ask
      $0.permission = Permission(.authorizedAlways)
    },
    Row("nobody can tell who it is", .denied, .full, .policy) {
      $0.isAnonymous = true
      $0.permission = Permission(.authorizedAlways)
    },
    Row("nobody can tell who it is, but that root runs it", .denied, .full, .policy) {
      $0.isAnonymous = true
      $0.isTrusted = true
    },
    Row("root's own program", .authorizedAlways, .full, .policy) { $0.isTrusted = true },
    Row("root's own program that was denied", .denied, .full, .administrator) {
      $0.isTrusted = true
      $0.permission = Permission(.denied, by: .administrator)
    },
    Row("full accuracy for a while", .authorizedWhenInUse) {
      $0.permission = Permission(.authorizedWhenInUse, .reduced)
      $0.hasTemporaryFull = true
    },
    Row("full accuracy for a while is nothing to who is denied", .denied, .reduced) {
      $0.permission = Permission(.denied, .reduced)
      $0.hasTemporaryFull = true
    },
  ]

  @Test("who decides", arguments: rows.indices)
  func decides(number: Int) {
    let row = Self.rows[number]
    let access = Access(row.standing)
    #expect(access.authorization == row.authorization, "\(row.what)")
    #expect(access.accuracy == row.accuracy, "\(row.what)")
    #expect(access.source == row.source, "\(row.what)")
  }

  @Test("of an administrator's rules the last that speaks of an app decides")
  func policy() {
    let policy = Policy([
      .init(app: "flatpak:*", uids: nil, rule: .deny),
      .init(app: "flatpak:org.good", uids: [1000], rule: .allow(.authorizedAlways, .full)),
      .init(app: nil, uids: [1001], rule: .restrict),
    ])
    #expect(policy.entry(for: App(uid: 1000, name: "flatpak:org.bad"))?.rule == .deny)
    #expect(
      policy.entry(for: App(uid: 1000, name: "flatpak:org.good"))?.rule
        == .allow(.authorizedAlways, .full)
    )
    #expect(policy.entry(for: App(uid: 1002, name: "flatpak:org.good"))?.rule == .deny)
    #expect(policy.entry(for: App(uid: 1001, name: "flatpak:org.good"))?.rule == .restrict)
    #expect(policy.entry(for: App(uid: 1000, name: "snap:x"))?.rule == nil)
  }
}

@Suite("CoarsePlace") struct CoarsePlaceTests {
  private func instant(_ minutes: Double) -> Instant { ServiceHarness.instant(minutes * 60) }

  private func location(_ latitude: Double, _ longitude: Double) -> Location {
    var location = Location(
      coordinate: Coordinate(latitude: latitude, longitude: longitude), horizontalAccuracy: 5,
      timestamp: Timestamp(microseconds: 0), source: "gps")
    location.altitude = 100
    location.speed = 3
    location.course = 90
    return location
  }

  @Test("the same cell is the same place, whoever asks and however often")
  func stable() {
    let first = CoarsePlace(location(45.01, 7.01), at: instant(0)).location
    for i in 0..<100 {
      let metres = Double(i % 10)
      let other = CoarsePlace(
        location(45.012 + metres * 1e-5, 7.012 - metres * 1e-5), at: instant(Double(i)))
      #expect(other.location.coordinate == first.coordinate)
    }
  }

  @Test("it is some kilometres off at most, its accuracy says so, and nothing else is said")
  func coarse() {
    var largest = 0.0
    for latitude in stride(from: -89.99, through: 89.99, by: 7.3) {
      for longitude in stride(from: -180.0, through: 180, by: 13.7) {
        let exact = location(latitude, longitude)
        let place = CoarsePlace(exact, at: instant(0)).location
        #expect(place.coordinate.isValid)
        #expect(place.isValid)
        largest = max(largest, exact.coordinate.distance(to: place.coordinate))
        #expect(place.horizontalAccuracy >= 2000)
        #expect(place.altitude == nil && place.speed == nil && place.course == nil)
        #expect(place.source == "gps")
      }
    }
    #expect(largest < 4200)
    #expect(largest > 2500)
  }

  @Test("it changes at most every quarter of an hour, and does not flicker at a border")
  func calm() {
    var place = CoarsePlace(location(45.01, 7.01), at: instant(0))
    let first = place.location.coordinate
    place.update(location(46, 8), at: instant(14.9))
    #expect(place.location.coordinate == first)
    place.update(location(46, 8), at: instant(15))
    #expect(place.location.coordinate.distance(to: Coordinate(latitude: 46, longitude: 8)) < 4200)

    // 45.05 is a border.
    var border = CoarsePlace(location(45.0499, 7.01), at: instant(0))
    let south = border.location.coordinate
    border.update(location(45.0503, 7.01), at: instant(20))
    #expect(border.location.coordinate == south)
    border.update(location(45.06, 7.01), at: instant(40))
    #expect(border.location.coordinate != south)
  }

  @Test("across the date line it is the same cell or its neighbour")
  func dateLine() {
    var place = CoarsePlace(location(0.01, 179.999), at: instant(0))
    place.update(location(0.01, -179.9999), at: instant(15))
    #expect(place.location.coordinate.longitude > 179)
  }
}
