import DBus
import Foundation
import Glibc
import LocationModel
import TestSupport
import Testing

/// Another user's programs ask the service of places for as much as they can.
@Suite(
  "A flood of questions about places", .serialized, .timeLimit(.minutes(60)),
  .enabled(if: AsRoot.isPossible, AsRoot.missing), .asRoot)
struct PlaceFloodTests {
  private static let nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]

  private static func attacker(_ name: String, _ arguments: [String]) throws -> Program {
    let script = PrivateBus.house.appending(path: "Tests/Attackers/\(name).py").path
    let program = try Program(nobody + ["/usr/bin/python3", script] + arguments)
    while try program.line() != (name == "flood" ? "asking" : "calling") {}
    return program
  }

  /// The time that a person would wait on a machine that has nothing else to do.
  private static func seconds(of programs: Program..., body: () throws -> Void) throws -> Double {
    let effort = try Effort(of: programs)
    try body()
    return try effort.seconds
  }

  @Test("five flooding connections of one user keep neither another's question nor SIGTERM waiting")
  func socket() throws {
    let places = try RunningPlaces.ofWorld()
    let text = "Santiago"
    let client = try places.connect()
    let alone = try Self.seconds(of: places.program) {
      _ = try client.ask("geocode", ["text": .string(text)])
    }
    let flood = try Self.attacker("flood", [places.socket, "5", "2000", "60", text])
    var slowest = 0.0
    for _ in 0..<5 {
      let time = try Self.seconds(of: places.program) {
        let answer = try places.ask("geocode", ["text": "Seoul"])
        #expect(answer["result"] != nil)
      }
      slowest = max(slowest, time)
    }
    let end = try ContinuousClock().measure { try places.leave() }
    print(
      "flood: a question alone \(alone) s, the slowest of another's five \(slowest) s, SIGTERM \(end)"
    )
    #expect(slowest < 2 + 4 * alone)
    // The flood is minutes of work.
    #expect(end < .seconds(10))
    withExtendedLifetime(flood) {}
  }

  @Test("questions of connections that have gone are not answered")
  func gone() throws {
    let places = try RunningPlaces.ofWorld()
    let question =
      #"{"jsonrpc":"2.0","id":1,"method":"geocode","params":{"text":"santa maria xqz"}}"#
    for _ in 0..<60 { try places.connect().send(question + "\n") }
    let status = try places.ask("status")["result"]
    let answered = status?["counters"]?["geocode"]?.integer ?? 0
    #expect(answered < 30, "\(answered)")
  }

  @Test("one user's calls on the bus, whose answers are not read, shut nobody out")
  func bus() throws {
    let bus = try PrivateBus(policies: ["org.locationd.Places.conf"])
    let places = try RunningPlaces(
      "", bus: bus,
      ["--data", PrivateBus.house.appending(path: ".build/places").path])
    let client = try BusClient(bus.address)
    let name = "org.locationd.Places"
    try client.waitForDaemon(name)
    func ask() throws -> Bool {
      let answer = try client.ask(
        "/org/locationd/Places", "org.locationd.Places1", "Geocode",
        [.dictionary(["text": .string("Seoul")])], of: name)
      return answer.first?.asArray?.isEmpty == false
    }
    #expect(try ask())
    let before = try bus.heldMemory
    let busProgram = try #require(bus.program)
    let held = try places.program.heldMemory
    var slowest = 0.0
    let introspection = "org.freedesktop.DBus.Introspectable"
    for (interface, member, calls, text) in [
      ("org.locationd.Places1", "Geocode", 250, "Santiago"),
      (introspection, "Introspect", 1000, nil), ("org.freedesktop.DBus.Peer", "Ping", 2000, nil),
    ] {
      let deaf = try Self.attacker(
        "deaf",
        [bus.address, name, "/org/locationd/Places", interface, member, "20", "\(calls)"]
          + (text.map { [$0] } ?? []))
      for _ in 0..<10 {
        let time = try Self.seconds(of: places.program, busProgram) {
          let isAnswered = try ask()
          #expect(isAnswered, "\(member)")
        }
        slowest = max(slowest, time)
      }
      while try deaf.line(within: patience * 3) != "done" {}
      #expect(try ask(), "\(member)")
      let growth = (try bus.heldMemory - before, try places.program.heldMemory - held)
      print("deaf \(member): the bus grows by \(growth.0) kB, the service by \(growth.1) kB")
      #expect(growth.0 < 40_000 && growth.1 < 20_000)
    }
    print("deaf: another's question takes \(slowest) s at most")
    #expect(slowest < 10)
    try places.leave()
  }

  @Test("one user's calls of org.locationd, whose answers are not read, shut nobody out")
  func daemon() throws {
    let bus = try PrivateBus()
    let daemon = try RunningDaemon(bus: bus)
    let client = try BusClient(bus.address)
    try client.waitForDaemon()
    func ask() throws -> Bool {
      try !client.ask("/org/locationd", "org.locationd.Manager1", "Status").isEmpty
    }
    #expect(try ask())
    let before = try bus.heldMemory
    for (interface, member, calls) in [
      ("org.locationd.Manager1", "Status", 1000),
      ("org.freedesktop.DBus.Introspectable", "Introspect", 1000),
      ("org.freedesktop.DBus.Peer", "Ping", 2000),
    ] {
      let deaf = try Self.attacker(
        "deaf",
        [bus.address, "org.locationd", "/org/locationd", interface, member, "20", "\(calls)"])
      for _ in 0..<10 { #expect(try ask(), "\(member)") }
      while try deaf.line(within: patience * 3) != "done" {}
      #expect(try ask(), "\(member)")
      let growth = try bus.heldMemory - before
      print("deaf to org.locationd, \(member): the bus grows by \(growth) kB")
      #expect(growth < 40_000)
    }
    withExtendedLifetime(daemon) {}
  }
}
