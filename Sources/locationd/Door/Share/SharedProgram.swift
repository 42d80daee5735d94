import LocationCore
import LocationModel
import Platform

/// A program at one of locationd-share's doors.
final class SharedProgram {
  let share: LineConnection
  /// The share's number for the program.
  let number: Int64
  var caller: Caller
  /// Its connection, to be cut when it may know no more; nil for a line without callers.
  let connection: ReceivedDescriptor?
  /// The request that brought it, until that is answered.
  let call: JSON
  var access: ShareClient?
  var isWatching = false
  /// The program has been told a place since it watches, and may still know it.
  var isTold = false
  var hasHeading = false

  init(
    _ number: Int64, of share: LineConnection, _ caller: Caller, _ connection: ReceivedDescriptor?,
    call: JSON
  ) {
    self.number = number
    self.share = share
    self.caller = caller
    self.connection = connection
    self.call = call
  }
}

/// The apps of which people have been asked, and the refusals that the journal has.
struct AskedPeople {
  private var answered: [App: Boottime] = [:]
  private var refused: Set<App> = []
  /// The app that is asked about now: a refusal at once is one where nobody could be asked.
  private var current: App?

  private static let pause: Duration = .seconds(86_400)
  private static let most = 1024

  func mayAsk(about app: App, at now: Boottime) -> Bool {
    answered[app].map { now - $0 >= Self.pause } ?? true
  }

  mutating func begin(_ app: App) { current = app }
  mutating func put(_ app: App) { current = nil }

  mutating func conclude(_ app: App, at now: Boottime) {
    guard current != app else { return }
    if answered.count >= Self.most {
      answered = answered.filter { now - $0.value < Self.pause }
      if answered.count >= Self.most { answered = [:] }
    }
    answered[app] = now
  }

  /// The journal lacks the refusal.
  mutating func isNew(refusalOf app: App) -> Bool {
    if refused.count >= Self.most { refused = [] }
    return refused.insert(app).inserted
  }

  /// The app was allowed: the next refusal is news again.
  mutating func forget(_ app: App, if authorization: Authorization) {
    if authorization.isAuthorized { refused.remove(app) }
  }
}

/// The satellites that each share has heard of.
struct ToldSkies {
  private var told: [UInt64: (satellites: [Satellite], looked: Boottime)] = [:]

  /// Satellites do not move more often.
  private static let pause: Duration = .milliseconds(900)

  /// Nil where nothing is new.
  mutating func news(
    for share: UInt64, at now: Boottime, _ look: () -> [Satellite]
  ) -> [Satellite]? {
    let before = told[share]
    if let before, now - before.looked < Self.pause { return nil }
    let satellites = look()
    told[share] = (satellites, now)
    return satellites == before?.satellites ? nil : satellites
  }

  mutating func forget(_ share: UInt64) { told[share] = nil }
}
