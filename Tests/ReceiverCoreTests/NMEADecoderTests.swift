import LocationModel
import TestSupport
import Testing

@testable import ReceiverCore

private let rmc = "GPRMC,120000.00,A,5000.00000,N,00800.00000,E,1.000,90.00,150625,,,A"

@Suite struct NMEADecoderTests {
  @Test func aWrongChecksumIsNeverBelieved() {
    var receiver = Receiver()
    receiver.hear("$\(rmc)*00\r\n")
    receiver.flush()
    #expect(receiver.fixes.isEmpty)
    #expect(receiver.decoder.counters.badChecksums == 1)
  }

  @Test(arguments: ["", "*", "*4", "*4G", "*532"])
  func aChecksumIsTwoHexadecimalDigits(ending: String) {
    var receiver = Receiver(requireChecksum: true)
    receiver.hear("$GPRMC,,V,,,,,,,,,,N\(ending)\r\n")
    #expect(receiver.decoder.counters.sentences == 0)
  }

  @Test func aChecksumMayBeInSmallLetters() {
    var receiver = Receiver()
    receiver.hear(sentence(rmc).lowercasedAfterStar)
    receiver.flush()
    #expect(receiver.fixes.count == 1)
  }

  @Test func aMissingChecksumIsRefusedWhereOneIsRequired() {
    var receiver = Receiver(requireChecksum: true)
    receiver.hear("$\(rmc)\r\n")
    receiver.flush()
    #expect(receiver.fixes.isEmpty)
    #expect(receiver.decoder.counters.missingChecksums == 1)
  }

  @Test func aReceiverWithoutChecksumsIsRead() {
    var receiver = Receiver()
    receiver.hear("$\(rmc)\r\n")
    receiver.flush()
    #expect(receiver.fixes.count == 1)
  }

  @Test func aReceiverThatGivesChecksumsGivesThemAlways() {
    var receiver = Receiver()
    receiver.say("GPTXT,01,01,02,hello")
    receiver.hear("$\(rmc)\r\n")
    receiver.flush()
    #expect(receiver.fixes.isEmpty)
  }

  @Test(arguments: [
    "GPRMC,120000.00,A,5000.00000,N,00800.00000,E,1.000,90.00",
    "GPRMC,120000.00,A,5000.00000,N,00800.00000,E,1.000,90.00,1506",
    "GPGGA,120000.00,5000.00000,N,00800.00000,E,1,08,0.9,10",
    "GPGLL,5000.00000,N,00800.00000,E,120000.00",
    "GNGNS,120000.00,5000.00000,N,00800.00000,E,AA,08,0.9,10",
  ])
  func halfASentenceWithoutChecksumIsNoVoteForAFix(half: String) {
    var receiver = Receiver()
    receiver.hear("$\(half)\r\n")
    receiver.flush()
    #expect(receiver.fixes.isEmpty)
  }

  @Test func itDoesNotMatterHowTheBytesAreCut() {
    let bytes = Recordings.bytes("isync.nmea")
    var whole = Receiver()
    whole.hear(bytes)
    whole.flush()
    var dice = Dice(seed: 1)
    for most in [1, 2, 7, 64, 1000] {
      var receiver = Receiver()
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = Int.random(in: 1...most, using: &dice)
        receiver.hear(Array(rest.prefix(count)))
        rest = rest.dropFirst(count)
      }
      receiver.flush()
      #expect(receiver.readings == whole.readings)
      #expect(receiver.decoder.counters == whole.decoder.counters)
    }
  }

  @Test(arguments: ["\n", "\r", "\r\r\r\n", " \r\n", "\0", "#\n", "\r\n\r\n"])
  func linesMayEndInAnyWay(ending: String) {
    var receiver = Receiver()
    for _ in 0..<2 { receiver.hear(sentence(rmc).dropLast() + ending) }
    receiver.flush()
    #expect(receiver.fixes.count == 1)
    #expect(receiver.decoder.counters.sentences == 2)
  }

  @Test func aDollarInBinaryHidesNothing() {
    var receiver = Receiver()
    receiver.hear([0xB5, 0x62, 0x24, 0x41, 0xFF, 0x24] + Array(sentence(rmc).utf8))
    receiver.flush()
    #expect(receiver.fixes.count == 1)
    #expect(receiver.decoder.counters.cut == 2)
  }

  @Test func aSplicedSentenceIsLostAndTheNextIsNot() {
    var receiver = Receiver()
    receiver.hear("$GPGGA,0301\(sentence(rmc))")
    receiver.flush()
    #expect(receiver.fixes.count == 1)
  }

  @Test func theLastSentenceNeedsNoLineEnd() {
    var receiver = Receiver()
    receiver.hear(String(sentence(rmc).dropLast()))
    #expect(receiver.decoder.counters.sentences == 0)
    receiver.flush()
    #expect(receiver.fixes.count == 1)
  }

  @Test func sentencesMayBeLongerThanTheStandardAllows() {
    var receiver = Receiver()
    receiver.say(rmc + String(repeating: ",", count: 700))
    receiver.flush()
    #expect(receiver.fixes.count == 1)
  }

  @Test func aSentenceLongerThanItsBoundIsDropped() {
    var receiver = Receiver()
    for byte in sentence(rmc + String(repeating: ",", count: 2000)).utf8 { receiver.hear([byte]) }
    receiver.say(rmc)
    receiver.flush()
    #expect(receiver.fixes.count == 1)
    #expect(receiver.decoder.counters.sentences == 1)
  }

  @Test func countersHaveAJSONForm() {
    var receiver = Receiver()
    receiver.say(rmc, "GPTXT,01,01,02,hello", "GPRMC,12x,A")
    receiver.flush()
    let json = receiver.decoder.counters.json
    #expect(json["sentences"]?.integer == 3)
    #expect(json["unused"]?.integer == 1)
    #expect(json["refused"]?["malformed"]?.integer == 1)
    #expect(json["fixes"]?.integer == 1)
  }
}

extension String {
  fileprivate var lowercasedAfterStar: String {
    guard let star = lastIndex(of: "*") else { return self }
    return self[..<star] + self[star...].lowercased()
  }
}
