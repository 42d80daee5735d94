import LocationModel
import Testing

@testable import ReceiverCore

private func rmc(_ time: String, _ date: String) -> String {
  "GPRMC,\(time),A,5000.0,N,00800.0,E,,,\(date),,,A"
}

private func gga(_ time: String) -> String {
  "GPGGA,\(time),5000.0,N,00800.0,E,1,08,0.9,1,M,2,M,,"
}

private func times(_ bodies: String...) -> [String] {
  var receiver = Receiver()
  for body in bodies { receiver.say(body) }
  receiver.flush()
  return receiver.times
}

@Suite struct NMEAClockTests {
  @Test func timesBetweenDatesAreOfTheNearestDay() {
    #expect(
      times(rmc("235958", "311225"), gga("235959"), gga("000000"), rmc("000001", "010126")) == [
        "2025-12-31T23:59:58.000Z", "2025-12-31T23:59:59.000Z", "2026-01-01T00:00:00.000Z",
        "2026-01-01T00:00:01.000Z",
      ])
  }

  @Test func aDateThatTurnsLateIsHelpedOverMidnight() {
    #expect(
      times(rmc("235959", "150625"), rmc("000000", "150625"), rmc("000001", "160625")) == [
        "2025-06-15T23:59:59.000Z", "2025-06-16T00:00:00.000Z", "2025-06-16T00:00:01.000Z",
      ])
  }

  @Test func aDateThatGoesBackInTheMiddleOfADayIsNotALateOne() {
    #expect(
      times(
        "GPZDA,120000,30,11,2026,00,00", "GPRMC,120000,V,,,,,,,301126,,,N",
        rmc("120001", "291126"), rmc("120002", "291126"))
        == ["2026-11-29T12:00:01.000Z", "2026-11-29T12:00:02.000Z"])
  }

  @Test func aDateMayJump() {
    #expect(
      times(rmc("000010", "060180"), rmc("160000", "230808"), rmc("160001", "230808")).last
        == "2008-08-23T16:00:01.000Z")
  }

  @Test func theDateOfAStatusVIsNotKept() {
    #expect(
      times(rmc("120000", "150625"), "GPRMC,120001,V,,,,,,,060180,,,N", gga("120002")).last
        == "2025-06-15T12:00:02.000Z")
  }

  @Test func fixesBeforeTheFirstDateGetItsDay() {
    #expect(
      times(gga("235958"), gga("235959"), rmc("000000", "160625")) == [
        "2025-06-15T23:59:58.000Z", "2025-06-15T23:59:59.000Z", "2025-06-16T00:00:00.000Z",
      ])
  }

  @Test func aRecordingWithoutADateIsOfTheDayGiven() {
    var receiver = Receiver(dateless: (2012, 1, 19))
    for second in 10..<60 { receiver.say(gga("2359\(second)")) }
    for second in 10..<60 { receiver.say(gga("0000\(second)")) }
    receiver.flush()
    #expect(receiver.fixes.count == 100)
    #expect(receiver.times.first == "2012-01-19T23:59:10.000Z")
    #expect(receiver.times.last == "2012-01-20T00:00:59.000Z")
  }

  @Test func second60IsTheNextMinute() {
    #expect(times(rmc("235960", "311216")) == ["2017-01-01T00:00:00.000Z"])
  }

  @Test(arguments: [("010100", "2000-01-01"), ("010179", "2079-01-01"), ("010180", "1980-01-01")])
  func yearsOfTwoDigitsAreNearOurs(date: String, day: String) {
    #expect(times(rmc("120000", date)) == ["\(day)T12:00:00.000Z"])
  }

  @Test func aRecordingKeepsItsWeeks() {
    #expect(times(rmc("120000", "301005")) == ["2005-10-30T12:00:00.000Z"])
  }

  private func live(_ body: String, at utc: String, trusted: Bool) -> [String] {
    var receiver = Receiver(liveAt: utc, trusted: trusted)
    receiver.say(body)
    receiver.rest(milliseconds: 500)
    return receiver.times
  }

  @Test func aLiveReceiverGetsItsLostWeeksBackFromAClockThatIsTrusted() {
    let body = rmc("120000", "301005")
    #expect(live(body, at: "2025-06-15T12:00:00Z", trusted: true) == ["2025-06-15T12:00:00.000Z"])
    #expect(live(body, at: "2026-11-21T12:00:00Z", trusted: true) == ["2025-06-15T12:00:00.000Z"])
    #expect(live(body, at: "2005-10-30T11:59:59Z", trusted: true) == ["2005-10-30T12:00:00.000Z"])
  }

  @Test func twoRolloversArePutBackToo() {
    // 1999-08-22 began the second round of weeks, 2019-04-07 the third.
    #expect(
      live(rmc("120000", "150386"), at: "2025-06-15T12:00:00Z", trusted: true)
        == ["2025-06-14T12:00:00.000Z"])
  }

  @Test func aLiveReceiverWithoutADateIsOfTheSystemsDay() {
    #expect(
      live(gga("235959"), at: "2025-06-16T00:00:01Z", trusted: true)
        == ["2025-06-15T23:59:59.000Z"])
  }

  @Test func aGuessThatCanBeTrueIsTakenAtOnceAndMendedByTheFirstDate() {
    var receiver = Receiver(liveAt: "2026-06-15T12:00:00Z", trusted: false)
    receiver.say(gga("120001"))
    receiver.rest(milliseconds: 500)
    #expect(receiver.times == ["2026-06-15T12:00:01.000Z"])
    receiver.say(rmc("120002", "170626"), gga("120003"))
    receiver.rest(milliseconds: 500)
    #expect(receiver.times.last == "2026-06-17T12:00:03.000Z")
  }

  @Test func whereTheClockWasNotSetADateIsWaitedForAWhile() {
    var receiver = Receiver(liveAt: "1970-01-01T00:00:30Z", trusted: false)
    receiver.say(gga("115959"), rmc("120000", "150625"), gga("120000"))
    receiver.rest(milliseconds: 500)
    #expect(receiver.times == ["2025-06-15T12:00:00.000Z"])
    var without = Receiver(liveAt: "1970-01-01T11:59:30Z", trusted: false)
    for second in 10..<20 { without.say(gga("1200\(second)")) }
    #expect(without.fixes.count == 7)
    #expect(without.decoder.counters.undated == 3)
  }

  @Test func afterALongSilenceTimesAreOfTheDayThatItIsByThen() {
    var receiver = Receiver(liveAt: "2025-06-15T12:00:00Z")
    receiver.say(rmc("120000", "150625"))
    receiver.rest(milliseconds: 3 * 86_400_000 + 1000)
    receiver.say(gga("120001"))
    receiver.rest(milliseconds: 500)
    #expect(receiver.times.last == "2025-06-18T12:00:01.000Z")
  }
}
