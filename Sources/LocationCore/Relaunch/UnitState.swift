/// systemd's word about a service.
package struct UnitState: Equatable, Sendable {
  /// It runs, or is on the way up or down.
  var isActive: Bool
  /// It is on the way: what it comes to shows soon.
  var isChanging: Bool
  /// There is such a unit, and nobody has masked it.
  var canStart: Bool
  /// Something starts it sooner or later: the machine's start, another unit, a socket, a timer.
  var isWanted: Bool

  /// The properties of `org.freedesktop.systemd1.Unit`.
  package struct Properties: Equatable, Sendable {
    package var loadState: String
    package var activeState: String
    package var fileState: String
    /// The units that have it started when they are.
    package var wantedBy: [String]

    package init(
      loadState: String, activeState: String, fileState: String, wantedBy: [String] = []
    ) {
      self.loadState = loadState
      self.activeState = activeState
      self.fileState = fileState
      self.wantedBy = wantedBy
    }
  }

  /// `triggers`: the sockets, timers and paths that start it.
  package init(_ unit: Properties, triggers: [Properties] = []) {
    isChanging = ["activating", "deactivating", "reloading"].contains(unit.activeState)
    isActive = isChanging || unit.activeState == "active"
    canStart = unit.isThere
    isWanted = !unit.isSwitchedOff || !unit.wantedBy.isEmpty || triggers.contains(where: \.isArmed)
  }
}

extension UnitState.Properties {
  fileprivate var isThere: Bool {
    loadState != "not-found" && loadState != "masked" && !fileState.hasPrefix("masked")
  }

  /// Nothing starts it when the machine starts. A static unit is another's, which may start it.
  fileprivate var isSwitchedOff: Bool {
    ["disabled", "linked", "linked-runtime"].contains(fileState)
  }

  /// A socket that is switched off, and listens until the machine's next start, wants nothing any more.
  fileprivate var isArmed: Bool {
    isThere && !isSwitchedOff && (fileState.hasPrefix("enabled") || activeState == "active")
  }
}
