import LocationModel
import TestSupport
import Testing

@testable import TrackCore

@Suite("The marks in a configuration") struct SpecifiersTests {
  private let board = Specifiers(
    machine: "0123abcd", host: "van-7.example", instance: "north", credentials: "/run/c")

  @Test(
    "%m is the machine's number, %H its name, %i the unit's instance, %d its credentials where a file is named"
  )
  func marks() throws {
    #expect(
      try board.expand("mqtts://b/fleet/%m?format=json") == "mqtts://b/fleet/0123abcd?format=json")
    #expect(try board.expand("%H-%m%H") == "van-7.example-0123abcdvan-7.example")
    #expect(try board.expand("@%d/fleet.password", isFile: true) == "@/run/c/fleet.password")
    #expect(try board.expand("mqtt://b/fleet/%i/%m") == "mqtt://b/fleet/north/0123abcd")
    #expect(try board.expand("/etc/%m/%H.key", isFile: true) == "/etc/0123abcd/van-7.example.key")
  }

  @Test("bytes and tokens of an address stay as they are")
  func others() throws {
    for text in ["https://h/a%20b%d0%b0?key=%t", "100%", "%", "%%", "%é", ""] {
      #expect(try board.expand(text) == text)
    }
  }

  @Test("an instance stands in the unit's name")
  func instances() {
    for (unit, instance) in [
      ("locationd-tracker@van-7.service", "van-7"), ("locationd-tracker@a.b.service", "a.b"),
      ("x@y@z.scope", "y@z"), ("locationd-tracker.service", nil),
      ("locationd-tracker@.service", nil), ("a.b@c", nil), ("@", nil), ("", nil),
    ] {
      #expect(Specifiers.instance(of: unit) == instance, "\(unit)")
    }
  }

  @Test("a machine without a number, or with a name that means something else, is told so")
  func none() {
    var other = board
    (other.machine, other.host, other.instance) = (nil, "van/+", "a\\x2db")
    #expect(throws: Unusable.self) { try other.expand("%m") }
    #expect(throws: Unusable.self) { try other.expand("%H") }
    #expect(throws: Unusable.self) { try other.expand("%i") }
    other.instance = nil
    #expect(throws: Unusable.self) { try other.expand("%i") }
    #expect(throws: Never.self) { try other.expand("%h") }
  }
}
