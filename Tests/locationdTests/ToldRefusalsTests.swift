import LocationCore
import LocationModel
import Testing

@testable import locationd

@Suite("The journal's lines about refused programs of locationd-share's") struct ToldRefusalsTests {
  private static let app = App(uid: 1000, name: "unit:weather.service")
  private static let now = Boottime.start + .seconds(100)

  @Test("say once how to allow a program, though it was refused before since location was off")
  func undecided() {
    var told = ToldRefusals()
    func news(_ all: Bool...) -> [Bool] {
      all.map { told.isNew(of: Self.app, isUndecided: $0, at: Self.now) }
    }
    #expect(news(false, false, true, true, false) == [true, false, true, false, false])
    told.forget(Self.app, if: .denied)
    #expect(news(true) == [false])
    told.forget(Self.app, if: .authorizedAlways)
    #expect(news(true) == [true])
  }

  @Test("are so many an hour of each user's programs, and no more")
  func bounded() {
    var told = ToldRefusals()
    let news = (0..<100).count {
      told.isNew(of: App(uid: 1000, name: "app:\($0)"), isUndecided: true, at: Self.now)
    }
    #expect(news == HourlyLines.most)
    let ofAnother = told.isNew(of: App(uid: 1001, name: "app:1"), isUndecided: true, at: Self.now)
    #expect(ofAnother)
  }
}
