import LocationModel

/// All apps that want to be told when they are somewhere else.
struct SignificantChanges: Detector {
  private struct Follower {
    var app: App
    var change: SignificantChange
    /// Nothing is looked for that the app may not have.
    var isOn = false
  }

  private var followers: [Follower] = []
  private(set) var wakesAt: Double?

  /// Follows an app, or no longer where it is set to nil.
  subscript(app: App) -> SignificantChange? {
    get { index(of: app).map { followers[$0].change } }
    set {
      switch (index(of: app), newValue) {
      case (let i?, let change?): followers[i].change = change
      case (nil, let change?): followers.append(Follower(app: app, change: change))
      case (let i?, nil): followers.remove(at: i)
      case (nil, nil): break
      }
    }
  }

  mutating func turn(_ isOn: Bool, _ app: App) {
    if let i = index(of: app) { followers[i].isOn = isOn }
  }

  mutating func observe(_ seen: Observation, into findings: inout [Finding]) {
    wakesAt = nil
    for i in followers.indices where followers[i].isOn {
      if followers[i].change.admits(seen) { findings.append(.change(followers[i].app)) }
      wake(for: i)
    }
  }

  mutating func wait(until time: Double, into findings: inout [Finding]) {
    guard let due = wakesAt, due <= time else { return }
    wakesAt = nil
    for i in followers.indices where followers[i].isOn {
      if followers[i].change.wait(until: time) { findings.append(.change(followers[i].app)) }
      wake(for: i)
    }
  }

  private mutating func wake(for i: Int) {
    guard let due = followers[i].change.due else { return }
    wakesAt = min(wakesAt ?? due, due)
  }

  private func index(of app: App) -> Int? { followers.firstIndex { $0.app == app } }
}
