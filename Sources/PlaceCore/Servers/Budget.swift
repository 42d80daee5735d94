internal import LocationModel

/// A program that asks: a user, and the name of its control group, which the kernel tells and no program
/// of a user's can take from another user. The programs of one terminal are one, and so are those of another machine.
package struct Asker: Hashable, Sendable {
  package enum User: Hashable, Sendable {
    case uid(UInt32)
    /// Another machine's.
    case address(String)
  }

  package var user: User
  package var group: String

  package init(uid: UInt32, group: String) {
    (user, self.group) = (.uid(uid), group)
  }

  package init(address: String) { (user, group) = (.address(address), "") }
}

/// The requests that each app may cause at servers: so many a minute, and at once; a user's apps together
/// four times as many, since a user makes control groups at will.
struct Budget: Sendable {
  private struct Purse {
    var left: Double
    var at: Boottime
  }

  static let appsOfUser = 4.0
  private let perMinute: Double
  private var apps: [Asker: Purse] = [:]
  private var users: [Asker.User: Purse] = [:]
  private static let most = 1024

  init(perMinute: Int) { self.perMinute = Double(perMinute) }

  /// False, and nothing spent, where none is left.
  mutating func spend(_ asker: Asker, at now: Boottime) -> Bool {
    if apps.count >= Self.most { forget(at: now) }
    var app = filled(apps[asker], perMinute, now)
    var user = filled(users[asker.user], perMinute * Self.appsOfUser, now)
    guard app.left >= 1, user.left >= 1 else { return false }
    app.left -= 1
    user.left -= 1
    apps[asker] = app
    users[asker.user] = user
    return true
  }

  private func filled(_ purse: Purse?, _ perMinute: Double, _ now: Boottime) -> Purse {
    guard let purse else { return Purse(left: perMinute, at: now) }
    let more = max(now.seconds(since: purse.at), 0) * perMinute / 60
    return Purse(left: min(purse.left + more, perMinute), at: now)
  }

  /// A purse that is full again is as good as none.
  private mutating func forget(at now: Boottime) {
    apps = apps.filter { now.seconds(since: $0.value.at) < 60 }
    users = users.filter { now.seconds(since: $0.value.at) < 60 }
    // The user's own bound holds on.
    if apps.count >= Self.most { apps.removeAll() }
  }
}
