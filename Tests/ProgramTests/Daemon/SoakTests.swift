import Foundation
import Glibc
import LocationModel
import TestSupport
import Testing

/// `make soak` lets this run for as long as SOAK_SECONDS says; among the other tests it is short.
@Suite("For as long as it runs", .serialized) struct SoakTests {
  private static let seconds =
    ProcessInfo.processInfo.environment["SOAK_SECONDS"].flatMap(Double.init) ?? 6

  @Test("with clients that come, go and misbehave, it holds no more in the end than at first")
  func steady() throws {
    let daemon = try RunningDaemon(
      ["replay://{folder}/drive.nmea?rate=100&loop=1", "static:45,7,100,500"],
      files: ["drive.nmea": Recording.drive(seconds: 600)])
    let faithful = try (0..<5).map { _ in try daemon.connect() }
    for client in faithful { #expect(try client.ask("startUpdatingLocation")["result"] != nil) }
    var heard = Array(repeating: 0, count: faithful.count)

    func round(_ number: Int) throws {
      let visitors = try (0..<20).map { _ in try daemon.connect() }
      for (i, visitor) in visitors.enumerated() {
        switch (i + number) % 4 {
        case 0: visitor.send(#"{"jsonrpc":"2.0","id":1,"method":"startUpdatingLocation""#)
        case 1: visitor.send(String(repeating: "\u{1F9ED}{[", count: 2000) + "\n")
        case 2: #expect(try visitor.ask("requestLocation")["result"]?["location"] != nil)
        default: visitor.request("startUpdatingLocation")
        }
      }
      daemon.program.passOver()
      if number % 10 == 0 { daemon.program.signal(SIGHUP) }
      for (i, client) in faithful.enumerated() {
        for _ in 0..<10 {
          _ = try client.event()
          heard[i] += 1
        }
      }
    }

    let warmUp = ContinuousClock().now + .seconds(Self.seconds / 3)
    var number = 0
    while ContinuousClock().now < warmUp || number < 12 {
      try round(number)
      number += 1
    }
    let descriptors = try daemon.program.descriptors
    var reported = ContinuousClock().now
    let grown = try growth(of: daemon.program) {
      let end = ContinuousClock().now + .seconds(Self.seconds * 2 / 15)
      while ContinuousClock().now < end {
        try round(number)
        number += 1
        guard ContinuousClock().now - reported > .seconds(60) else { continue }
        reported = ContinuousClock().now
        print(
          "\(number) rounds, \(heard.reduce(0, +)) events heard,",
          "\(try daemon.program.residentMemory) kB, \(try daemon.program.descriptors) descriptors")
      }
    }
    #expect(grown < 200)
    // Visitors of the last round may still be on their way out.
    #expect(
      try eventually(within: patience) { try daemon.program.descriptors <= descriptors })
  }
}
