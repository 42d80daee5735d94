extension Caller {
  /// Identifies by the kernel's facts. `userName` names a program that nothing else does.
  package init(
    _ facts: ProcessFacts, on machine: Machine, userName: @autoclosure () -> String
  ) {
    self.init(uid: facts.uid, pid: facts.pid, app: "")
    var name: AppName?
    lineage = facts.seen?.lineage
    socket = facts.socket
    if let seen = facts.seen {
      hasTerminal = seen.hasTerminal
      let place = CgroupPlace(seen.cgroup)
      if let place { (name, unit) = Self.read(place, of: facts) }
      isInUserSlice = place.map { $0.isOfUser(facts.uid) } ?? !machine.hasSystemd
      if seen.isApart(from: machine) || name?.isSandbox == true { confinement = .sandbox }
    } else {
      confinement = .unknown
    }
    // A snap cannot get rid of its label, and whoever takes one on is held by its rules.
    if let snap = facts.snapOfLabel {
      name = AppName(.snap, snap)
      confinement = .sandbox
    }
    app = name?.description ?? "user:\(userName())"
  }

  private static func read(_ place: CgroupPlace, of facts: ProcessFacts) -> (AppName?, Unit?) {
    let name = AppName(of: place)
    switch place.manager {
    case .system: return (name, .system(place.unit))
    case .user(facts.uid):
      // Where there are labels, a snap without its own is none.
      let isFalse = name?.kind == .snap && facts.label == "unconfined"
      return (isFalse ? nil : name, .user(place.unit))
    // A process that became another user in there is not that user's app any more.
    case .user: return (nil, nil)
    }
  }
}

extension ProcessFacts.Seen {
  /// In a container or a sandbox of some kind, or the way out of one.
  fileprivate func isApart(from machine: Machine) -> Bool {
    hasOwnUsers || hasOwnProcesses || command == "xdg-dbus-proxy"
      || !Containers.paths(in: cgroup).isSubset(of: machine.containers)
  }
}

extension AppName {
  fileprivate var isSandbox: Bool { kind == .flatpak || kind == .snap }
}

extension ProcessFacts {
  /// AppArmor's `snap.NAME.APP (enforce)`.
  fileprivate var snapOfLabel: String? {
    guard let label, let profile = label.split(separator: " ").first else { return nil }
    return AppName.snap(inTag: String(profile))
  }
}

// MARK: - What the agent adds

/// A user's agent tells this of one of the user's programs: it may look where we may not.
package struct ProgramClue: Equatable, Sendable {
  /// The program's file.
  package var exe: String?
  /// The file that the program, an interpreter, was started with, and nothing else.
  package var script: String?
  /// An interpreter of which that cannot be said.
  package var isShared: Bool
  /// The ID that flatpak wrote down in the sandbox.
  package var flatpak: String?

  package init(
    exe: String? = nil, script: String? = nil, isShared: Bool = false, flatpak: String? = nil
  ) {
    self.exe = exe
    self.script = script
    self.isShared = isShared
    self.flatpak = flatpak
  }
}

extension Caller {
  /// The kernel's facts name nobody, but it can be looked at.
  package var wantsClue: Bool { kind == .user && confinement != .unknown }

  /// It is one of the same user's programs that says it, so it can be no other kind's name.
  package mutating func apply(_ clue: ProgramClue) {
    guard wantsClue else { return }
    if let flatpak = clue.flatpak, let name = AppName(.flatpak, flatpak) {
      app = name.description
      confinement = .sandbox
    } else if confinement == .none, let exe = clue.exe, let name = AppName(.exe, exe) {
      // In a sandbox `/usr/bin/…` is whatever the sandbox put there.
      let script = clue.script.flatMap { AppName(.script, "\(exe):\($0)") }
      app = (script ?? name).description
      isShared = script == nil && (clue.isShared || clue.script != nil)
    }
  }
}
