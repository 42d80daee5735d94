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
  /// The administrator's line, for a door without callers.
  let place: String?
  /// The request that brought it, until that is answered.
  let call: JSON
  var access: ShareClient?
  var isWatching = false
  /// A question about it waits for its answer.
  var isAsking = false
  /// The program has been told a place since it watches, and may still know it.
  var isTold = false
  var hasHeading = false

  init(
    _ number: Int64, of share: LineConnection, _ caller: Caller, _ connection: ReceivedDescriptor?,
    _ place: String?, call: JSON
  ) {
    self.number = number
    self.share = share
    self.caller = caller
    self.connection = connection
    self.place = place
    self.call = call
  }

  func admit(
    _ authorization: Authorization, _ accuracy: AccuracyAuthorization
  ) -> ShareClient {
    let access = ShareClient(
      app: caller.app, uid: caller.uid, authorization: authorization, accuracy: accuracy)
    self.access = access
    return access
  }
}

/// The refusals that the journal has: one of each app, another one where the first was not about a missing decision,
/// and of each user's apps a few an hour.
struct ToldRefusals {
  /// Each app, with true where the journal has the command that allows it.
  private var apps: [App: Bool] = [:]
  private var users: [UInt32: HourlyLines] = [:]

  private static let most = 1024

  /// The journal lacks the refusal. `isUndecided`: nobody has decided about the app, so that the refusal says how.
  mutating func isNew(of app: App, isUndecided: Bool, at now: Boottime) -> Bool {
    let told = apps[app]
    guard told == nil || isUndecided && told == false,
      users[app.uid, default: HourlyLines()].mayTell(at: now)
    else { return false }
    if apps.count >= Self.most { apps = [:] }
    if users.count >= Self.most { users = [:] }
    apps[app] = isUndecided
    return true
  }

  /// The app was allowed: the next refusal is news again.
  mutating func forget(_ app: App, if authorization: Authorization) {
    if authorization.isAuthorized { apps[app] = nil }
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
