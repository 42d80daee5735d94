import Foundation
import Glibc
import LocationModel
import TestSupport
import Testing

@Suite("gpsd, as it is", .serialized) struct GpsdTests {
  /// The place that the client first hears of, and how long after gpsd first told one.
  private func comeBack(
    _ client: SocketClient, _ daemon: RunningDaemon, _ gpsd: RealGpsd
  ) throws -> (location: Location, seconds: Double) {
    var watcher: Watcher?
    var told: Effort?
    var heard: (location: Location, seconds: Double)?
    let isBack = try eventually(within: patience) {
      if watcher == nil { watcher = Watcher(port: gpsd.port) }
      if told == nil, watcher?.reports().contains(where: Watcher.isFix) == true {
        told = try Effort(of: daemon.program, gpsd.program)
      }
      if heard == nil, let location = try client.location(within: 0) {
        heard = (location, try told?.seconds ?? 0)
      }
      return told != nil && heard != nil
    }
    try #require(isBack, "gpsd: \(told != nil), client: \(heard != nil)")
    return try #require(heard)
  }

  @Test(
    "killed and started again ten times, its fixes are back within two seconds, none twice, none stale"
  )
  func killed() throws {
    let (speaker, path) = try makePty()
    let chatter = Chatter(speaker, every: 0.2)
    defer { chatter.stop() }
    let port = try RealGpsd.freePort()
    let daemon = try RunningDaemon(["gpsd://localhost:\(port)"])
    let client = try daemon.connect()
    client.request("startUpdatingLocation")
    var last = Date.distantPast
    var times: [Timestamp] = []
    func note(_ location: Location) {
      let time = Date(timeIntervalSince1970: Double(location.timestamp.microseconds) / 1e6)
      #expect(time > last, "of before")
      #expect(Date().timeIntervalSince(time) < patience, "stale")
      #expect(location.source == "gpsd:\(path)")
      times.append(location.timestamp)
    }
    func killAndStart() throws -> Double {
      let gpsd = try RealGpsd([path], port: port)
      let (location, delay) = try comeBack(client, daemon, gpsd)
      note(location)
      let enough = times.count + 4
      while let more = try client.location(within: 0.3), times.count < enough { note(more) }
      try gpsd.kill()
      // Reports that were on their way are told by then.
      try daemon.waitForSource("failed")
      while let more = try client.location(within: 0) { note(more) }
      last = Date(timeIntervalSinceNow: -1)
      return delay
    }
    var delays: [Double] = []
    for round in 0..<10 {
      delays.append(try killAndStart())
      if round == 4 { try expectLittleWork(of: daemon, client) }
    }
    #expect(delays.allSatisfy { $0 < 2.5 } && delays.sorted()[6] < 2, "\(delays)")
    #expect(times == times.sorted())
    #expect(Set(times).count == times.count)
  }

  /// While it is away.
  private func expectLittleWork(of daemon: RunningDaemon, _ client: SocketClient) throws {
    let before = try daemon.program.processorTime
    let start = Date()
    #expect(try client.location(within: 4) == nil)
    let share = (try daemon.program.processorTime - before) / Date().timeIntervalSince(start)
    #expect(share < 0.01, "\(share * 100) %")
    let source = try client.ask("status")["result"]?["sources"]?.array?[0]
    #expect(source?["state"] == "failed")
    #expect(source?["reason"]?.string?.contains("refused") == true)
    #expect(source?["nextRetry"]?.double ?? 9 <= 2)
  }

  @Test("nobody watches it once no client needs a location, and nothing moves")
  func linger() throws {
    let (speaker, path) = try makePty()
    let chatter = Chatter(speaker, every: 0.2)
    defer { chatter.stop() }
    let port = try RealGpsd.freePort()
    let gpsd = try RealGpsd([path], port: port, verbosity: 3)
    let daemon = try RunningDaemon(
      [], files: ["locationd.conf": "[Sources]\nSource=gpsd://127.0.0.1:\(port)\nLingerSec=1\n"])
    let idle = try daemon.program.descriptorsAtRest()
    do {
      let client = try daemon.connect()
      _ = try client.ask("startUpdatingLocation")
      _ = try client.event(within: patience)
    }
    let isDetached = try gpsd.says("detaching")
    #expect(isDetached)
    #expect(try eventually(within: patience) { try daemon.program.descriptors == idle })
    #expect(try daemon.program.sleeps())
    // Before its line is closed, whose name another test's may have then.
    try gpsd.kill()
  }

  @Test("a line that gpsd has is left to it, and said so")
  func leftToIt() throws {
    let (speaker, path) = try makePty()
    let chatter = Chatter(speaker, every: 0.2)
    defer { chatter.stop() }
    let gpsd = try RealGpsd([path], port: try RealGpsd.freePort())
    let daemon = try RunningDaemon(["nmea:auto?match=\(path)"])
    let client = try daemon.connect()
    client.request("startUpdatingLocation")
    let isSaid = try eventually(within: patience) {
      let source = try client.ask("status")["result"]?["sources"]?.array?[0]
      return source?["state"] == "failed"
        && source?["remark"]?.string?.contains("gpsd has it") == true
    }
    #expect(isSaid)
    #expect(try daemon.control("doctor").text().text.contains("gpsd has it"))
    try gpsd.kill()
    #expect(try client.location(within: patience)?.source == "nmea:\(path)")
  }

  @Test("a line that gpsd was given while it ran is left to it, too, though only gpsd can say so")
  func leftToItLater() throws {
    let (speaker, path) = try makePty()
    let chatter = Chatter(speaker, every: 0.2)
    defer { chatter.stop() }
    let control = "/tmp/gpsd-\(UUID())"
    defer { unlink(control) }
    // It opens what it is given once somebody watches: nobody can see that it has it.
    let gpsd = try RealGpsd(["-F", control], port: try RealGpsd.freePort(), onDemand: true)
    #expect(eventually(within: patience) { gpsd.take(path, from: control) })
    let daemon = try RunningDaemon(
      [],
      files: ["locationd.conf": "[Sources]\nSource=nmea:auto?match=\(path)\nLingerSec=1\n"])
    let client = try daemon.connect()
    client.request("startUpdatingLocation")
    let isSaid = try eventually(within: patience) {
      let source = try client.ask("status")["result"]?["sources"]?.array?[0]
      switch source?["state"]?.string {
      // On a busy machine gpsd may have been too slow to say so: it is asked again by who comes next.
      case "running": client.request("stopUpdatingLocation")
      case "closed": client.request("startUpdatingLocation")
      default: break
      }
      return source?["remark"]?.string?.contains("gpsd has it") == true
    }
    #expect(isSaid)
    try gpsd.kill()
    #expect(try client.location(within: patience)?.source == "nmea:\(path)")
  }

  @Test("a device that it has not is said, and its receiver that comes later is read")
  func device() throws {
    let (speaker, path) = try makePty()
    let chatter = Chatter(speaker, every: 0.2)
    defer { chatter.stop() }
    let port = try RealGpsd.freePort()
    let daemon = try RunningDaemon(["gpsd://127.0.0.1:\(port)\(path)"])
    let client = try daemon.connect()
    client.request("startUpdatingLocation")
    do {
      let other = try makePty()
      let gpsd = try RealGpsd([other.path], port: port)
      let isSaid = try eventually(within: patience) {
        let source = try client.ask("status")["result"]?["sources"]?.array?[0]
        return source?["reason"]?.string?.contains("gpsd: ") == true
      }
      #expect(isSaid)
      try gpsd.kill()
    }
    let gpsd = try RealGpsd([path], port: port)
    #expect(try client.location(within: patience)?.source == "gpsd:\(path)")
    let source = try client.ask("status")["result"]?["sources"]?.array?[0]
    #expect(source?["device"]?.string == path)
    #expect(source?["protocol"]?.string?.hasPrefix("gpsd 3") == true)
    try gpsd.kill()
  }

  @Test(
    "a compass behind it is heard, also one that is nothing else and knows no time",
    arguments: [
      ("$OHPR,108.5,1.2,-3.4,22.1,1.0,10.0,1.0,2.0,9.6,0.1,0.2,9.8,5,6,7,1.0,2.0*34", 108.5),
      ("$GPHDT,271.5,T*34", 271.5),
    ])
  func compass(sentence: String, degrees: Double) throws {
    let (speaker, path) = try makePty()
    let port = try RealGpsd.freePort()
    let gpsd = try RealGpsd([path], port: port)
    let daemon = try RunningDaemon(["gpsd://127.0.0.1:\(port)"])
    let client = try daemon.connect()
    client.request("startUpdatingHeading", ["headingFilter": .integer(-1)])
    var heading: Heading?
    let isHeard = try eventually(within: patience) {
      speaker.say(sentence + "\r\n")
      heading = try client.heading(within: 0.2)
      return heading != nil
    }
    #expect(isHeard)
    #expect(heading?.trueHeading == degrees)
    // Before its line is closed, whose name another test's may have then.
    try gpsd.kill()
  }
}
