import Foundation
import Glibc
import LocationModel
import TestSupport
import Testing

@Suite("What it costs", .serialized) struct CostTests {
  @Test(
    "with one client it holds less than 2 MB of its own",
    .enabled(if: Program.isRelease, "what is built for debugging may hold more"))
  func memory() throws {
    let daemon = try RunningDaemon(
      ["replay://{folder}/drive.nmea?rate=10&loop=1"],
      files: ["drive.nmea": Recording.drive(seconds: 600)])
    let client = try daemon.connect()
    _ = try client.ask("startUpdatingLocation")
    for _ in 0..<20 { _ = try client.event() }
    #expect(try daemon.program.privateMemory < 2_000)
  }

  @Test("with no client it sleeps: no wake-up, no source open")
  func sleeps() throws {
    let daemon = try RunningDaemon(
      ["replay://{folder}/drive.nmea?rate=10&loop=1"],
      files: ["drive.nmea": Recording.drive(seconds: 600)])
    let idle = try daemon.program.descriptorsAtRest()
    do {
      let client = try daemon.connect()
      _ = try client.ask("startUpdatingLocation")
      _ = try client.event()
      #expect(try daemon.program.descriptors > idle)
    }
    // Once the sources have closed, nothing moves any more.
    #expect(try eventually(within: patience) { try daemon.program.descriptors == idle })
    #expect(try daemon.program.sleeps())
  }
}

extension Program {
  static var isRelease: Bool { folder.path.hasSuffix("release") }
}
