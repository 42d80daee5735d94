import LocationModel
import Testing

@testable import ShareCore

@Suite("A receiver's pace") struct FixPaceTests {
  /// The seconds, of those, at which a fix is missing, with fixes at these.
  private static func missing(_ seconds: [Double], fixes: [Double]) -> [Double] {
    var pace = FixPace()
    var rest = fixes[...]
    return seconds.filter {
      while let fix = rest.first, fix <= $0 {
        pace.note(at: moment(fix))
        rest.removeFirst()
      }
      return pace.isMissing(at: moment($0))
    }
  }

  private static func moment(_ seconds: Double) -> Boottime {
    .start + .milliseconds(Int64(seconds * 1000))
  }

  @Test("a fix is missing before the first one, and half a pause after the next was due")
  func missing() {
    let fixes = stride(from: 3.0, to: 10, by: 1).map { $0 }
    let seconds = stride(from: 0.25, to: 14, by: 0.5).map { $0 }
    #expect(Self.missing(seconds, fixes: fixes) == seconds.filter { $0 < 3 || $0 > 10.5 })
  }

  @Test("a slow receiver is missed only when its own pause is over")
  func slow() {
    let fixes = stride(from: 0, through: 50, by: 2.5).map { $0 }
    let seconds = stride(from: 5.25, to: 60, by: 0.5).map { $0 }
    #expect(Self.missing(seconds, fixes: fixes) == seconds.filter { $0 > 53.75 })
  }

  @Test("a loss does not make the receiver a slow one, nor is any pause believed")
  func loss() {
    // After an hour's loss, a fix; and then none.
    let fixes = [0, 1, 2, 3600, 3601]
    let seconds = [3.25, 3.75, 1000, 3600.5, 3602.25, 3602.75]
    #expect(Self.missing(seconds, fixes: fixes.map(Double.init)) == [3.75, 1000, 3602.75])
    #expect(Self.missing([7207, 7208], fixes: [0, 3600, 7200]) == [7208])
  }
}

@Suite("A program's silence") struct SilenceTests {
  private static let start = Boottime.start + .seconds(7)

  @Test("a program that watches nothing is let go after a quarter of an hour, and not before")
  func idle() {
    var silence = Silence(at: Self.start)
    let limit = Self.start + .seconds(900)
    #expect(silence.limit(isSettled: true, mayRest: false, isWatching: false) == limit)
    #expect(!silence.isTooLong(at: limit - .milliseconds(1), isWatching: false))
    #expect(silence.isTooLong(at: limit, isWatching: false))
    #expect(!silence.isTooLong(at: limit, isWatching: true))
    #expect(silence.limit(isSettled: true, mayRest: false, isWatching: true) == nil)
    silence.end(at: limit - .seconds(1))
    #expect(!silence.isTooLong(at: limit, isWatching: false))
    #expect(silence.isTooLong(at: limit + .seconds(899), isWatching: false))
  }

  @Test("silence says that a program is no browser, and that a request is whole")
  func words() {
    let silence = Silence(at: Self.start)
    let (rest, grace) = (Self.start + .milliseconds(30), Self.start + .milliseconds(200))
    #expect(silence.limit(isSettled: true, mayRest: true, isWatching: true) == rest)
    #expect(silence.limit(isSettled: false, mayRest: true, isWatching: false) == grace)
    #expect(!silence.endsRequest(at: rest - .milliseconds(1)) && silence.endsRequest(at: rest))
    #expect(!silence.settles(at: grace - .milliseconds(1)) && silence.settles(at: grace))
  }
}
