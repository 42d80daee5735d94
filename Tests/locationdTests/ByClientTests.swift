import LocationCore
import Testing

@testable import locationd

@Suite("What a door has for each client") struct ByClientTests {
  @Test("each is found, and nobody else, whoever comes and goes")
  func found() {
    var kept = ByClient<UInt64>()
    var expected: [UInt64: UInt64] = [:]
    var random: UInt64 = 42
    for _ in 0..<10_000 {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let number = random >> 58
      let client = ClientID(number)
      if random >> 20 & 1 == 0 {
        kept[client] = random
        expected[number] = random
      } else {
        #expect(kept.remove(client) == expected.removeValue(forKey: number))
      }
      #expect(kept[ClientID(random >> 50 & 63)] == expected[random >> 50 & 63])
      #expect(kept.isEmpty == expected.isEmpty)
    }
    #expect(Array(kept.values) == expected.sorted { $0.key < $1.key }.map(\.value))
  }

  @Test("none is there at the beginning, and none can be taken away")
  func empty() {
    var kept = ByClient<Int>()
    #expect(kept.isEmpty && kept.values.isEmpty)
    #expect(kept[ClientID(1)] == nil)
    #expect(kept.remove(ClientID(1)) == nil)
    #expect(kept.isEmpty)
  }
}
