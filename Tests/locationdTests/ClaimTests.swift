import DBus
import Platform
import Testing

@testable import locationd

@Suite("What others say is theirs") struct ClaimTests {
  private func port(_ name: String, _ type: UInt32) -> BusValue {
    .structure([.string(name), .uint32(type)])
  }

  /// `a{oa{sa{sv}}}` of one modem.
  private func objects(_ modem: BusValue, located: BusValue = .uint32(0)) -> BusValue {
    let name = "org.freedesktop.ModemManager1.Modem"
    let interfaces = BusValue.array(
      of: "{sa{sv}}",
      [
        .entry(.string(name), modem),
        .entry(.string("\(name).Location"), .dictionary(["Enabled": located])),
      ])
    return .array(of: "{oa{sa{sv}}}", [.entry(.path("/modem"), interfaces)])
  }

  @Test("each port of a modem is what ModemManager says that it is, those it ignores too")
  func ports() {
    let modem = BusValue.dictionary([
      "Ports": .array(of: "(su)", [port("ttyUSB2", 3), port("ttyUSB1", 5), port("new", 77)]),
      "IgnoredPorts": .array(of: "(su)", [port("ttyUSB0", 9)]),
    ])
    func claims(readingFrom receiver: Claim.Port) -> [Claim] {
      [
        Claim(path: "/dev/ttyUSB2", owner: .modem(.control)),
        Claim(path: "/dev/ttyUSB1", owner: .modem(receiver)),
        Claim(path: "/dev/new", owner: .modem(.control)),
        Claim(path: "/dev/ttyUSB0", owner: .modem(.ignored)),
      ]
    }
    // A cell's number; positions, NMEA, and both; a receiver that it leaves to others.
    for (located, isRead) in [(1, false), (2, true), (4, true), (7, true), (16, false)] {
      #expect(
        ModemPorts.claims(of: objects(modem, located: .uint32(UInt32(located))))
          == claims(readingFrom: .receiver(isRead: isRead)))
    }
  }

  @Test(
    "what is not as ModemManager would say it claims nothing",
    arguments: [
      BusValue.string("no"), .dictionary(["Ports": .string("ttyUSB2")]),
      .dictionary(["Ports": .array(of: "s", [.string("ttyUSB2")])]),
      .dictionary(["Ports": .array(of: "(us)", [.structure([.uint32(3), .string("ttyUSB2")])])]),
      .dictionary(["Ports": .array(of: "()", [.structure([])])]),
    ])
  func nonsense(modem: BusValue) {
    #expect(ModemPorts.claims(of: objects(modem, located: .string("yes"))).isEmpty)
    #expect(ModemPorts.claims(of: modem).isEmpty)
  }

  @Test("nothing of another's is any receiver; one that is named may be a modem's that is free")
  func whyNot() {
    let owners: [Claim.Owner] = [
      .gpsd, .modem(.control), .modem(.receiver(isRead: true)), .modem(.receiver(isRead: false)),
      .modem(.ignored),
    ]
    let claims = owners.map { Claim(path: "/dev/ttyUSB0", owner: $0) }
    #expect(claims.allSatisfy { $0.whyNot(isAny: true) != nil })
    #expect(claims.map { $0.whyNot(isAny: false) == nil } == [false, false, false, true, true])
  }
}
