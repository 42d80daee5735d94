/// Which processes may answer for their user.
extension Caller {
  /// The user manager's own service for it.
  var isAgentUnit: Bool { unit == .user("locationd-agent.service") && isInUserSlice }

  /// The agent's unit, or a program on a terminal of its user's: never a system service, and nothing in
  /// a sandbox.
  var mayBeAgent: Bool { confinement == .none && isInUserSlice && (isAgentUnit || hasTerminal) }

  /// The page of settings, which a person opens from a menu.
  var isSettingsUnit: Bool {
    unit == .user("locationd-settings.service") && isInUserSlice && confinement == .none
  }

  /// A person is behind it: their agent, a terminal of theirs, or the page of settings that they opened.
  var speaksForPerson: Bool { mayBeAgent || isSettingsUnit }

  /// One is an ancestor of the other, or both are of one service of the user's manager. A process whose
  /// ancestors are unknown may be kin of anyone.
  func isKin(of other: Caller) -> Bool {
    if other.entry == .shared, other.lineage == nil { return isInUnit(of: other) }
    guard let ours = lineage, let own = ours.first, let theirs = other.lineage,
      let its = theirs.first
    else { return true }
    if ours.contains(its) || theirs.contains(own) { return true }
    return uid == other.uid && isUserService && unit == other.unit
  }

  /// The kernel tells the unit in which a socket was made, and no process: any of that unit's may have it.
  private func isInUnit(of other: Caller) -> Bool {
    guard let unit, let its = other.unit else { return true }
    return uid == other.uid && unit == its
  }

  private var isUserService: Bool {
    if case .user(let unit) = unit { AppName(.userunit, unit)?.description == app } else { false }
  }
}
