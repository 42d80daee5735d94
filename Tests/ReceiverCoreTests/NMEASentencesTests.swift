import LocationModel
import Testing

@testable import ReceiverCore

/// A sentence, and whether it alone makes a fix, with the reason where other parsers say otherwise.
private struct Verdict: Sendable, CustomTestStringConvertible {
  var sentence: String
  var isFix: Bool
  var reason: String

  init(_ sentence: String, fix: Bool, because reason: String) {
    self.sentence = sentence
    isFix = fix
    self.reason = reason
  }

  var testDescription: String { reason }
}

private let verdicts = [
  Verdict("GPRMC,,V,,,,,,,,,,N", fix: false, because: "no fix, and no time"),
  Verdict(
    "GPRMC,120000,A,5000.0,N,00800.0,E,1.0,90.0,150625,,", fix: true,
    because: "NMEA 2.0 has no mode"),
  Verdict(
    "GPRMC,120000,A,5000.0,N,00800.0,E,1.0,90.0,150625,,,A,V", fix: true,
    because: "NMEA 4.1's V means that its navigational status is not given"),
  Verdict(
    "GPRMC,120000,V,5000.0,N,00800.0,E,1.0,90.0,150625,,,A", fix: false, because: "status V"),
  // Parsers read the A and not the N: NMEA 2.3 says of N that the data is not valid.
  Verdict(
    "GPRMC,120000,A,5000.0,N,00800.0,E,,,150625,,,N", fix: false, because: "status A, mode N"),
  Verdict(
    "GPRMC,120000,A,5000.0,N,00800.0,E,,,150625,,,N,V", fix: false, because: "so in NMEA 4.1"),
  Verdict(
    "GPRMC,120000.00,A,5000.0,N,00800.0,Q,1.0,90.0,150625,,,A", fix: false,
    because: "Q is no half of the Earth"),
  Verdict(
    "GPRMC,120000.00,A,5000.0,N,00800.0,E,X.1,90.0,150625,,,A", fix: true,
    because: "a place does not depend on a speed that is none"),
  Verdict(
    "GPRMC,120000.00,A,5000.0,N,00800.0,E,1.0,90.0,310225,,,A", fix: true,
    because: "the 31st of February is the 3rd of March: a day, if a strange one"),
  Verdict(
    "GPRMC,120000.00,A,5000.0,N,00800.0,E,1.0,90.0,151325,,,A", fix: false,
    because: "there is no 13th month"),
  Verdict("GPRMC,250000,A,5000.0,N,00800.0,E,,,150625,,", fix: false, because: "no such hour"),
  Verdict("GPRMC,120000,A,9000.1,N,00800.0,E,,,150625,,", fix: false, because: "beyond the pole"),
  Verdict("GPRMC,120000,A,5000.0,N,18000.1,E,,,150625,,", fix: false, because: "more than round"),
  Verdict("GPRMC,120000,A,5060.1,N,00800.0,E,,,150625,,", fix: false, because: "no such minute"),
  Verdict("GPRMC,120000,A,,,,,,,150625,,", fix: false, because: "no place"),
  Verdict("GPRMC,120000,A,5000.0,N,,,,,150625,,", fix: false, because: "half a place"),
  Verdict("GPGGA,120000,5000.0,N,00800.0,E,1,08,0.9,1,M,2,M,,", fix: true, because: "quality 1"),
  Verdict("GPGGA,120000,5000.0,N,00800.0,E,0,00,99.9,,,,,,", fix: false, because: "quality 0"),
  Verdict("GPGGA,120000,5000.0,N,00800.0,E,,08,0.9,1,M,2,M,,", fix: false, because: "no quality"),
  // Parsers read any number: NMEA knows 0 to 8, and some makers 9.
  Verdict("GPGGA,120000,5000.0,N,00800.0,E,12,08,0.9,1,M,2,M,,", fix: false, because: "quality 12"),
  Verdict("GPGGA,120000,5000.0,N,00800.0,E,9,08,0.9,1,M,2,M,,", fix: true, because: "SBAS as 9"),
  Verdict(
    "GPGGA,120000,5000.0,N,00800.0,E,8,08,0.9,1,M,2,M,,", fix: true, because: "said to be so"),
  Verdict("GPGGA,120000,A,N,00800.0,E,1,08,0.9,1,M,2,M,,", fix: false, because: "A is no angle"),
  Verdict("GPGGA,120000,5000.0,N,00800.0,E,2,6,0.9,11.8,M,,M", fix: true, because: "short, whole"),
  Verdict("GPGLL,5000.0,N,00800.0,E,120000,A", fix: true, because: "NMEA 2.0"),
  Verdict("GPGLL,5000.0,N,00800.0,E,120000,V", fix: false, because: "status V"),
  Verdict("GPGLL,5000.0,N,00800.0,E,120000,A,N", fix: false, because: "mode N"),
  Verdict("GPGLL,5000.0,N,00800.0,E", fix: false, because: "NMEA 1.5 says no time"),
  Verdict("GNGNS,120000,5000.0,N,00800.0,E,AN,08,0.9,1,2,,", fix: true, because: "one mode of two"),
  Verdict("GNGNS,120000,5000.0,N,00800.0,E,NN,08,0.9,1,2,,", fix: false, because: "no mode"),
  Verdict("GNGNS,120000,,,,,AA,08,0.9,1,2,,", fix: false, because: "no place"),
  Verdict("GPGGAH,07", fix: false, because: "GGAH is another sentence than GGA"),
  Verdict(
    "GPGGA,5000.0,N,00800.0,E,120000,A", fix: false, because: "GLL's fields under GGA's name"),
  Verdict(
    "PUBX,00,120000,5000.0,N,00800.0,E,1,NF,5,9,0,,0,,1,1,1,6,0,0", fix: false, because: "NF"),
  Verdict(
    "PUBX,00,120000,5000.0,N,00800.0,E,1,TT,5,9,0,,0,,1,1,1,6,0,0", fix: false, because: "TT"),
  Verdict("PUBX,00,120000,5000.0,N,00800.0,E,1,G3,5,9,0,,0,,1,1,1,6,0,0", fix: true, because: "G3"),
]

@Suite struct NMEASentencesTests {
  @Test(arguments: verdicts)
  fileprivate func aSentenceAloneMakesAFixOrNot(verdict: Verdict) {
    #expect(fixes(verdict.sentence).isEmpty != verdict.isFix)
  }

  @Test func rmcSaysPlaceSpeedCourseAndDate() throws {
    let fix = try #require(
      fixes("GPRMC,225446.250,A,4916.4500,N,12311.1200,W,000.5,054.7,191194,020.3,E").first)
    #expect(abs(fix.location.coordinate.latitude - 49.274166667) < 1e-9)
    #expect(abs(fix.location.coordinate.longitude + 123.185333333) < 1e-9)
    #expect(abs((fix.location.speed ?? 0) - 0.257222) < 1e-6)
    #expect(fix.location.course == 54.7)
    #expect(text(of: fix.location.timestamp) == "1994-11-19T22:54:46.250Z")
    #expect(fix.location.altitude == nil)
    #expect(fix.location.verticalAccuracy == nil)
  }

  @Test func ggaSaysBothAltitudes() throws {
    let fix = try #require(
      fixes("GPGGA,120000,5000.0,N,00800.0,E,4,17,0.6,280.827,M,-31.442,M,6.0,0002").first)
    #expect(fix.location.altitude == 280.827)
    #expect(abs((fix.location.ellipsoidalAltitude ?? 0) - 249.385) < 1e-9)
    #expect(fix.kind == .rtkFixed)
    #expect(fix.satellitesUsed == 17)
    #expect(fix.dilution.horizontal == 0.6)
    #expect(fix.location.speed == nil)
    #expect(fix.location.course == nil)
  }

  @Test func gnsSaysTheBestModeOfItsConstellations() throws {
    let fix = try #require(
      fixes("GNGNS,120000,5000.0,N,00800.0,E,AFNN,10,1.2,403.6,-32.1,,").first)
    #expect(fix.kind == .rtkFloat)
    #expect(fix.location.altitude == 403.6)
  }

  @Test func pubxSaysItsOwnAccuracies() throws {
    let fix = try #require(
      fixes(
        "PUBX,00,103607.00,5327.03942,N,00214.42462,W,104.461,G3,29,31,3.6,39.63,-0.007,,5.88,7.62,8.09,6,0,0"
      ).first)
    #expect(fix.location.horizontalAccuracy == 29)
    #expect(fix.location.verticalAccuracy == 31)
    #expect(fix.location.ellipsoidalAltitude == 104.461)
    #expect(fix.location.altitude == nil)
    #expect(fix.location.speed == 1)
    #expect(fix.satellitesUsed == 6)
  }

  @Test func ashtechsPlaceIsOneToo() throws {
    let fix = try #require(
      fixes(
        "PASHR,POS,1,10,183530.00,2037.76012,N,08704.07373,W,058.48,,359.4,010.0,+000.0,2.2,1.1,0.0,1.0,BQ00"
      ).first)
    #expect(fix.kind == .differential)
    #expect(fix.location.ellipsoidalAltitude == 58.48)
    #expect(abs((fix.location.speed ?? 0) - 5.144444) < 1e-6)
    #expect(fix.dilution.horizontal == 1.1)
  }

  @Test(arguments: [
    ("-0214.41467156,W", -2.240244526), ("0214.41467156,W", -2.240244526),
    ("00214.41467156,E", 2.240244526), ("18000.0000,W", -180),
  ])
  func aSignBesideItsLetterSaysTheSameThing(field: String, longitude: Double) throws {
    let fix = try #require(fixes("GNGLL,5327.03598945,N,\(field),130058.00,A,A").first)
    #expect(abs(fix.location.coordinate.longitude - longitude) < 1e-8)
  }

  @Test func aSignThatContradictsItsLetterIsRefused() {
    #expect(fixes("GNGLL,5327.03598945,N,-0214.41467156,E,130058.00,A,A").isEmpty)
  }

  @Test(arguments: [
    ("222509.", "22:25:09.000"), (".0009", "00:00:00.001"), ("000453.981", "00:04:53.981"),
    ("93", "00:00:93"), ("235960", "00:00:00.000"), ("101112.1234567", "10:11:12.123"),
  ])
  func timesComeWithAnyDecimals(field: String, time: String) {
    let fixes = fixes("GNGLL,5000.0,N,00800.0,E,\(field),A,A")
    #expect(
      fixes.first.map { text(of: $0.location.timestamp).contains("T\(time)Z") } ?? (field == "93"))
  }

  @Test func ofPlacesThatAgreeTheOneWithMostDecimalsIsTaken() throws {
    let fix = try #require(
      fixes(
        "GPRMC,120000,A,2037.7279,N,08704.0848,W,,,150625,,",
        "GPGGA,120000,2037.72792,N,08704.08478,W,1,04,1.7,-30.40,M,-13.9,M,,",
        "GPGLL,2037.728,N,08704.085,W,120000,A"
      ).first)
    #expect(abs(fix.location.coordinate.latitude - (20 + 37.72792 / 60)) < 1e-12)
  }

  @Test func ofPlacesThatContradictEachOtherTheMostSaidIsTaken() throws {
    let fix = try #require(
      fixes(
        "GNRMC,120000,A,5327.03942,N,10214.42462,W,,,150625,,",
        "GNGGA,120000,5327.03942,N,00214.42462,W,1,06,5.88,56.0,M,48.5,M,,",
        "GNGLL,5327.03942,N,00214.42462,W,120000,A"
      ).first)
    #expect(abs(fix.location.coordinate.longitude + 2.240410333) < 1e-9)
  }

  @Test func vtgSpeaksOfSpeedOnlyWhereRMCDoesNot() throws {
    let gga = "GPGGA,120000,5000.0,N,00800.0,E,1,08,0.9,1,M,2,M,,"
    let vtg = "GPVTG,45.5,T,,M,1.0,N,1.852,K,A"
    let alone = try #require(fixes(gga, vtg).first)
    #expect(abs((alone.location.speed ?? 0) - 0.514444) < 1e-6)
    #expect(alone.location.course == 45.5)
    let both = try #require(
      fixes("GPRMC,120000,A,5000.0,N,00800.0,E,4.0,,150625,,,A", gga, vtg).first)
    #expect(abs((both.location.speed ?? 0) - 2.057778) < 1e-6)
    #expect(both.location.course == nil)
  }

  @Test func aCourseOf360IsNorth() throws {
    let fix = try #require(fixes("GPRMC,120000,A,5000.0,N,00800.0,E,4.0,360.0,150625,,,A").first)
    #expect(fix.location.course == 0)
  }
}
