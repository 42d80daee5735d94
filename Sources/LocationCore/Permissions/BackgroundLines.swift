import LocationModel

/// The journal's lines about apps that begin to be told the place in the background: one an app and hour, whatever is
/// forgotten meanwhile.
struct BackgroundLines {
  private struct Line {
    var at: Boottime
    var utc: Timestamp
  }

  private var lines: [App: Line] = [:]

  private static let pause: Duration = .seconds(3600)

  /// The journal may have a line about the app now. `most`: apps of one user that are remembered.
  mutating func mayTell(of app: App, most: Int, at now: Instant) -> Bool {
    lines = lines.filter { now.boottime - $0.value.at < Self.pause }
    guard lines[app] == nil else { return false }
    let ofUser = lines.filter { $0.key.uid == app.uid }
    if ofUser.count >= most, let first = ofUser.min(by: { $0.value.at < $1.value.at })?.key {
      lines[first] = nil
    }
    lines[app] = Line(at: now.boottime, utc: now.utc)
    return true
  }
}

// MARK: - The disk

extension BackgroundLines {
  private static let key = "noted"

  /// The part that the app's record has.
  func members(of app: App) -> [JSON.Member] {
    guard let utc = lines[app]?.utc else { return [] }
    return [.init(key: Self.key, value: .integer(utc.microseconds / 1_000_000))]
  }

  /// A clock that is not set says nothing of an hour.
  mutating func restore(_ app: App, _ record: JSON?, at now: Instant) {
    guard now.utcTrusted, let second = record?[Self.key]?.integer,
      case let age = now.utc - Timestamp(microseconds: second &* 1_000_000),
      age >= .zero, age < Self.pause
    else { return }
    lines[app] = Line(at: now.boottime - age, utc: now.utc - age)
  }
}
