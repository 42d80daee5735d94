import LocationModel

// The refusals: why an app may not, and what helps.
extension PermissionBroker {
  func refusal(_ verdict: Verdict, _ access: Access, _ caller: Caller) -> Refusal {
    let app = caller.owner
    if !book.servicesEnabled { return Self.switchedOff }
    if pauses.isPaused(caller.uid) { return Self.paused(caller) }
    if caller.isAnonymous {
      return Refusal(
        .denied, "It cannot be told which program asks, only that it is in a sandbox.")
    }
    if let obstacle = obstacle(for: app) { return Refusal(.denied, obstacle) }
    switch verdict {
    case .wait where access.authorization == .authorizedAlways || access.isInUse:
      return inaccurate(app, access)
    case .wait where !use.canBeInUse(caller):
      return Refusal(
        .denied,
        "\(app) may know the location only while it is in use, which a system's service never is."
          + " An administrator may allow it: \(app.grant("always"))")
    case .wait, .confirm:
      return Refusal(
        .denied, "\(app) may know the location only while it is in use, and it is not in use now.")
    case .ask:
      return Refusal(
        undecided: "\(app) has no permission to know the location yet",
        remedy:
          "an administrator may allow it: \(app.grant(level(for: caller)))\(advice(to: caller))")
    case .refuse, .allow: break
    }
    if access.authorization == .authorizedWhenInUse {
      return Refusal(
        .denied,
        "This service needs Always, and \(app) may know the location only while in use:"
          + " \(app.grant("always"))")
    }
    let grant = app.grant(level(for: caller))
    return Refusal(
      .denied, "Location is denied to \(app). An administrator may allow it: \(grant)")
  }

  private static let switchedOff = Refusal(
    .denied, "Location is switched off for all; 'sudo locationctl enable' switches it on.")

  /// A sandbox learns no more than that location is off.
  private static func paused(_ caller: Caller) -> Refusal {
    guard caller.confinement == .none else { return switchedOff }
    return Refusal(
      .denied,
      "Location is paused for this user's programs: the pause ends by itself, and 'locationctl"
        + " resume' ends it now.")
  }

  /// Without an agent, nobody is asked, and a user's programs are one.
  private func advice(to caller: Caller) -> String {
    guard caller.kind == .user, caller.isInUserSlice, questions.agents[caller.uid] == nil else {
      return ""
    }
    return " (all programs of this user, which only an agent tells apart:"
      + " systemctl --user start locationd-agent)"
  }

  /// The same, of regions.
  func regionRefusal(_ access: Access, _ caller: Caller) -> Refusal {
    var refusal = refusal(.refuse, access, caller)
    refusal.code = .regionMonitoringDenied
    return refusal
  }

  /// The least permission with which it is told anything.
  private func level(for caller: Caller) -> String {
    use.canBeInUse(caller) ? "when-in-use" : "always"
  }

  /// The reason that keeps an app from the location whatever was granted, and what ends it.
  func obstacle(for app: App) -> String? {
    let ofAll = isGoverned(app) ? book.restrictions(ofAllOf: app.uid) : []
    if book.isRestricted(app) || !ofAll.isEmpty {
      let all =
        [Restriction(uid: nil, name: app.name), Restriction(uid: app.uid, name: app.name)] + ofAll
      let ends = all.filter(book.restrictions.contains).map { one in
        "sudo locationctl unrestrict \(one.name.quoted)" + (one.uid.map { " --uid \($0)" } ?? "")
      }
      return "Location is kept from \(app) by this machine's administrator"
        + (ends.isEmpty ? "." : ", until: " + ends.joined(separator: " and "))
    }
    return ruling(against: app)
  }

  /// The administrator's rule that no grant changes.
  func ruling(against app: App) -> String? {
    guard let entry = rule(about: app) else { return nil }
    let verb: String
    switch entry.rule {
    case .deny: verb = "denied to"
    case .restrict: verb = "kept from"
    case .allow, .ask: return nil
    }
    return "Location is \(verb) \(app) by a rule of this machine's administrator"
      + (entry.place.map { ", \($0)" } ?? "")
      + ". No grant changes that; without the rule and after 'sudo systemctl reload locationd' it may"
      + " be allowed."
  }

  /// The refusal where a person was to be asked, and nobody can be or nobody answers.
  func refusal(
    unanswered level: AgentQuestion.Level, _ access: Access, _ caller: Caller
  ) -> Refusal {
    switch level {
    case .fullAccuracy where access.authorization.isAuthorized:
      inaccurate(caller.owner, access)
    case .always where access.authorization == .authorizedWhenInUse:
      Refusal(
        .denied,
        "\(caller.owner) has no permission to know the location while it is not in use. An"
          + " administrator may allow it: \(caller.owner.grant("always"))")
    default: refusal(.ask, access, caller)
    }
  }

  /// Nobody is asked about what nobody uses.
  func refusal(unused caller: Caller, _ access: Access) -> Refusal {
    guard access.authorization == .notDetermined else {
      return Refusal(
        .denied,
        "A person is asked about \(caller.owner) only while it is in use, and it is not in use now."
      )
    }
    return Refusal(
      .denied,
      "\(caller.owner) has no permission to know the location yet, and nobody is asked about a"
        + " program that is not in use. An administrator may allow it: "
        + caller.owner.grant(level(for: caller)))
  }

  private func inaccurate(_ app: App, _ access: Access) -> Refusal {
    let isAlways = access.authorization == .authorizedAlways && !access.isProvisional
    return Refusal(
      .denied,
      "\(app) may know only roughly where this machine is (reduced accuracy); regions and"
        + " beacons need full accuracy, which a person may give it for a while if it asks, and an administrator for"
        + " good: \(app.grant(isAlways ? "always" : "when-in-use"))")
  }
}

extension App {
  fileprivate func grant(_ level: String) -> String {
    "sudo locationctl grant \(name.quoted) \(level) --uid \(uid)"
  }
}

extension String {
  /// As a shell takes it for one word.
  var quoted: String {
    let isPlain =
      !isEmpty
      && allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) || "/:._-+@".contains($0) }
    return isPlain
      ? self
      : "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
        + "'"
  }
}
