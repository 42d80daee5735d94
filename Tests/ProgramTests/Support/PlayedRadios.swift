import Glibc
import LocationModel
import Platform
import Testing

/// A service of radios that a test plays.
protocol PlayedRadios: AnyObject {
  var client: BusClient { get }
  /// Calls and reads of lists since it began.
  var calls: Int { get }
  /// Times that the list of networks was asked for.
  var lists: Int { get }
  /// Scans that were asked for, since a drive ended.
  var requests: Int { get set }
  /// A scan was asked for and has not ended.
  var isToScan: Bool { get }
  /// A scan ends: by the daemon's or another program's wish.
  func scan() throws
}

extension PlayedRadios {
  /// Turns the loop, and ends the scans that were asked for.
  func play(_ what: String, until isSo: () throws -> Bool) throws {
    try client.wait(what) {
      if isToScan { try scan() }
      return try isSo()
    }
  }

  /// A daemon with a receiver drives through a street, learns its three networks, and ends. Tells the latitudes
  /// at which it learnt.
  func teach(_ start: ([String]) throws -> RunningDaemon) throws -> ClosedRange<Double> {
    let (speaker, path) = try makePty()
    let daemon = try start(["nmea://\(path)?baud=9600", "wifi:"])
    let client = try daemon.connect()
    client.request("startUpdatingLocation")
    let epochs = Recording.epochs(200)
    var second = 0
    var first: Int?
    for _ in 0..<5 {
      try play("a fix") {
        speaker.say(epochs[second])
        second += 1
        return try client.location(within: 0.3) != nil
      }
      let lists = lists
      first = first ?? second - 1
      try scan()
      try play("the list") { self.lists > lists }
      // The receiver's next fix, forty metres on, tells where it was at the scan.
      second += 3
      let next = Clock.boottime + .seconds(1)
      try play("a second") { Clock.boottime > next }
    }
    try play("the networks") {
      speaker.say(epochs[second])
      second += 1
      return try client.wifiStatus["networks"]?.integer == 3
    }
    daemon.program.signal(SIGTERM)
    #expect(try daemon.program.exit() == 0)
    requests = 0
    return Recording.latitude(at: first ?? 0)...Recording.latitude(at: second)
  }

  func place(_ client: SocketClient) throws -> Location {
    var place: Location?
    try play("a place") {
      place = try client.location(within: 0.02) ?? place
      return place?.kind == .wifi
    }
    return try #require(place)
  }

  /// Scans are made while no client wants a place, and the daemon asks nothing.
  func expectSilence(_ client: SocketClient) throws {
    let before = calls
    for _ in 0..<5 {
      try scan()
      _ = try client.ask("status")
    }
    // A list of NetworkManager's would be asked for a little later.
    let end = Clock.boottime + .milliseconds(500)
    try play("half a second") { Clock.boottime > end }
    #expect(calls == before)
  }

  /// Waits until the radio hears, and another program's scan gives a place.
  func backWithOneScan(_ client: SocketClient) throws {
    try play("the radio to be back") {
      let source = try client.wifiSource
      return source["state"] != "failed" && source["device"] == "wlan7"
    }
    while try client.location(within: 0.05) != nil {}
    try scan()
    #expect(try place(client).source == "wifi:")
  }

  func waitForReason(_ reason: String, _ client: SocketClient) throws {
    try play(reason) { try client.wifiSource["reason"]?.string?.contains(reason) == true }
  }
}

extension SocketClient {
  var wifiStatus: JSON { get throws { try #require(try ask("wifi.status")["result"]) } }

  /// The last source of the status.
  var wifiSource: JSON {
    get throws { try #require(try ask("status")["result"]?["sources"]?.array?.last) }
  }
}
