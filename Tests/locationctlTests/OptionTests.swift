import Console
import LocationModel
import Testing

@testable import locationctl

@Suite("Options of commands") struct OptionTests {
  private func failure(_ body: () throws(Failure) -> Void) -> Failure? {
    do throws(Failure) {
      try body()
      return nil
    } catch {
      return error
    }
  }

  @Test("a region's identifier may have commas; its place and radius are the last three numbers")
  func region() throws {
    let region = try Region(option: "home, sweet home,45.5,-7.25,100")
    #expect(region.identifier == "home, sweet home")
    #expect(region.shape == .circle(Coordinate(latitude: 45.5, longitude: -7.25), radius: 100))
  }

  @Test(
    "a region that is none is refused with its words",
    arguments: ["", "home", "45,7,100", ",45,7,100", "home,45,7", "home,45,east,100"])
  func noRegion(text: String) {
    let failure = failure { () throws(Failure) in _ = try Region(option: text) }
    #expect(failure?.code == .usage)
    #expect(
      failure?.message
        == "--region wants ID,LAT,LON,RADIUS or ID,UUID[,MAJOR[,MINOR]], not '\(text)'")
  }

  @Test("a file of regions that is none says which file")
  func geoJSON() {
    let failure = failure { () throws(Failure) in
      _ = try Region.geoJSON(Array("{}".utf8), of: "regions.json")
    }
    #expect(failure?.code == .failed)
    #expect(failure?.message.hasPrefix("regions.json: ") == true)
  }

  @Test("either name of an option is taken, and no number that cannot be")
  func names() throws {
    for words in [
      ["--accuracy", "5", "--distance", "-1"], ["--desired-accuracy=5", "--distance-filter=-1"],
    ] {
      var arguments = Arguments(words)
      #expect(try arguments.accuracy() == 5)
      #expect(try arguments.distance() == -1)
      try arguments.nothingElse()
    }
    for words in [["--accuracy", "-3"], ["--distance", "far"], ["--distance-filter", "nan"]] {
      let failure = failure { () throws(Failure) in
        var arguments = Arguments(words)
        _ = (try arguments.accuracy(), try arguments.distance())
      }
      #expect(failure?.code == .usage, "\(words)")
    }
  }

  @Test("watch monitors what is asked for instead of locations")
  func monitoring() throws {
    for words in [["--visits"], ["--significant"], ["--region", "home,45,7,100"]] {
      var arguments = Arguments(words)
      let monitoring = try Monitoring(&arguments)
      #expect(!monitoring.isEmpty)
      try arguments.nothingElse()
    }
    var none = Arguments(["--json"])
    let nothing = try Monitoring(&none)
    #expect(nothing.isEmpty)
  }

  @Test("why no location comes is said once, and again once it is another")
  func obstacle() {
    var obstacle = ObstacleWatch(at: 0)
    var status = Status(
      version: "1", services: [],
      client: ClientStatus(
        app: "user:ann", uid: 1000, pid: 7, name: nil, authorization: .authorizedAlways,
        accuracy: .full))
    var news: [String?] = []
    for reason in ["no receiver", "no receiver", nil, "no receiver", "locationctl grant lets it"] {
      status.obstacle = reason
      news.append(obstacle.news(in: status))
    }
    let advice = "no receiver. 'locationctl doctor' says what to do."
    #expect(news == [advice, nil, nil, advice, "locationctl grant lets it"])
    status.obstacle = "a pause"
    status.pause = PauseStatus(until: Timestamp(microseconds: 0), seconds: 60)
    let paused = obstacle.news(in: status, Speech("de"))
    #expect(paused?.hasSuffix("beendet das.") == true)
    obstacle.hear()
    let soon = Double.seconds + 1
    #expect(!obstacle.isDue(at: soon))
  }
}

@Suite("Lines for people") struct LineTests {
  @Test(
    "an age has the unit that fits",
    arguments: [
      (0.42, "0.4 s"), (10, "10 s"), (119.9, "119 s"), (120, "2 min"), (7199, "119 min"),
      (7200, "2 h"), (172_800, "2 days"), (.infinity, "1000000000 days"),
    ])
  func age(seconds: Double, text: String) { #expect(Describe.age(seconds) == text) }

  @Test("a location says what it knows, and its own time where it was told at another")
  func location() {
    let date = Timestamp(microseconds: 1_795_206_421_000_000)
    var location = Location(
      coordinate: Coordinate(latitude: -37.5, longitude: 126.9779564), horizontalAccuracy: 4.2,
      timestamp: date, source: "gpsd")
    #expect(Describe.line(location, at: date) == "-37.500000 126.977956  ±4.2 m  gpsd")
    location.altitude = 120
    location.speed = 1.25
    location.course = 90
    #expect(
      Describe.line(location, at: date)
        == "-37.500000 126.977956  ±4.2 m  alt 120 m  1.3 m/s  90° E  gpsd")
    location.source = ""
    location.simulated = true
    let later = Describe.line(location, at: date + .seconds(2))
    #expect(later == "\(Describe.time(date))  " + Describe.line(location, at: date))
    #expect(later.hasSuffix("   (simulated)"))
  }

  @Test("an event begins with what it is")
  func events() {
    let date = Timestamp(microseconds: 1_795_206_421_000_000)
    let visit = Visit(coordinate: Coordinate(latitude: 45, longitude: 7), horizontalAccuracy: 30)
    let events: [(Event, String)] = [
      (.didEnterRegion(identifier: "home", date), "entered    home"),
      (.didExitRegion(identifier: "home", date), "left       home"),
      (.didDetermineState(identifier: "home", .inside), "state      inside home"),
      (.didVisit(visit), "arrived    45.000000 7.000000  ±30.0 m  since an unknown time"),
      (.didPauseLocationUpdates, "paused"),
      (.didChangeAuthorization(.denied, .full), "permission denied"),
    ]
    for (event, line) in events { #expect(Describe.line(event, at: date) == line) }
  }

  @Test("words are wrapped between them, and a word that is too long within it")
  func wrapped() {
    #expect("a bc def".wrapped(to: 4) == ["a bc", "def"])
    #expect("abcdefgh ij".wrapped(to: 4) == ["abcd", "efgh", "ij"])
    #expect("".wrapped(to: 4) == [""])
  }
}
