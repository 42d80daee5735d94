import LocationModel
import Testing

@testable import TrackCore

@Suite("A machine's certificate") struct EnrolmentTests {
  private let begin = Timestamp(microseconds: 1_772_359_200_000_000)

  private func day(_ count: Double) -> Timestamp { begin + .seconds(count * 86_400) }

  @Test(
    "it is renewed after two thirds of its time, and a person hears of it 14 days before its end")
  func dates() {
    var enrolment = Enrolment(url: "https://h/", authority: "/ca", begins: begin, ends: day(90))
    #expect(!enrolment.isDue(at: day(59.9)) && enrolment.isDue(at: day(60)))
    #expect(enrolment.warning(at: day(75.9)) == nil)
    #expect(enrolment.warning(at: day(76.1))?.contains("ends at 2026-05-30") == true)
    enrolment.trouble = Enrolment.refusal(
      status: 403, body: Array("no such\u{1b} board\nmore".utf8))
    #expect(enrolment.warning(at: day(91))?.contains("ended at") == true)
    #expect(enrolment.warning(at: day(91))?.contains("answers 403: no such") == true)
    #expect(enrolment.warning(at: day(91))?.contains("\u{1b}") == false)
    #expect(Enrolment(enrolment.text) == enrolment)
    let short = Enrolment(url: "https://h/", authority: nil, begins: begin, ends: day(6))
    #expect(short.warning(at: day(4.9)) == nil && short.warning(at: day(5.1)) != nil)
  }

  @Test("openssl's dates are read, and nonsense is none")
  func openssl() {
    let dates = Enrolment.dates("notBefore=2026-03-01 10:00:00Z\nnotAfter=2026-05-30 10:00:00Z\n")
    #expect(dates?.begins == begin && dates?.ends == day(90))
    #expect(Enrolment.dates("notBefore=Mar 1 10:00:00 2026 GMT\n") == nil)
    #expect(Enrolment("{}") == nil)
  }
}
