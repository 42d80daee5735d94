package import LocationModel
package import ReceiverCore

/// One connection of one program.
package struct ClientID: Hashable, Comparable, Sendable {
  package let number: UInt64
  package init(_ number: UInt64) { self.number = number }
  package static func < (a: Self, b: Self) -> Bool { a.number < b.number }
}

/// One configured source, as long as it stays configured; the number is not given again.
package struct SourceID: Hashable, Sendable {
  package let number: Int
  package init(_ number: Int) { self.number = number }
}

/// The kind of a source decides what it is open for.
package enum SourceKind: Sendable {
  /// A receiver of satellites, or a recording of one.
  case gnss
  /// A modem's receiver, which may be asked for the cell, too.
  case modem
  case compass
  /// A radio that hears the Wi-Fi networks around.
  case radio
  /// A radio that hears Bluetooth beacons.
  case beacons
  /// A place that a person has set.
  case fixed

  /// Whether it says where the device is.
  package var givesFixes: Bool { self != .compass && self != .beacons }
}

/// A source as clients see it.
package struct SourceDescription: Sendable {
  package var id: SourceID
  package var name: String
  package var simulated: Bool
  /// Whether it may be closed between fixes where that is enough; a recording would stand still.
  package var mayRest: Bool
  package var kind: SourceKind

  package init(
    _ id: SourceID, name: String, simulated: Bool, mayRest: Bool = true, kind: SourceKind = .gnss
  ) {
    self.id = id
    self.name = name
    self.simulated = simulated
    self.mayRest = mayRest
    self.kind = kind
  }
}

extension Input {
  package var isFix: Bool { if case .reading(_, .fix) = self { true } else { false } }
  var isReading: Bool { if case .reading = self { true } else { false } }
}

/// Everything that happens to the service.
package enum Input {
  case connected(ClientID, Caller)
  case called(ClientID, Call)
  /// It will ask nothing more, but still listens.
  case finished(ClientID)
  case gone(ClientID)
  case reading(SourceID, Reading)
  /// The cell that a modem is in; nil for none.
  case heard(CellTower?)
  /// The answer to `Output.locate`.
  case located(Int64, Result<RadioPlace, Refusal>)
  /// An open source is there, though it may have no fix yet.
  case found(SourceID)
  /// An open source cannot be read, and why; it tries again by itself.
  case failed(SourceID, String)
  /// The answer to `Output.scan`: the machine makes scans for us, or refuses.
  case scanAnswered(SourceID, isGranted: Bool)
  /// Learnt networks that the disk has, part by part, after a start that is told of them.
  case networks([NetworkRow], areAll: Bool)
  /// The machine is that beacon now; or is not, and why. It tries again by itself.
  case advertised(BeaconFrame, trouble: String?)
  /// Other settings from now on. A source of the same number is the same one, and goes on.
  case configured(LocationService.Settings)
  /// An agent's answer to `Output.ask`; nil where it could not or would not.
  case answered(ClientID, AgentCall, JSON?)
  /// The answer to `Output.look`; nil where nobody could tell.
  case looked(UInt32, ProcessID, ProgramClue?, socket: UInt32? = nil)
  /// The answer to `Output.authorizeAdmin`.
  case consented(Int64, Consent)
  /// The users with somebody in front of a session of theirs.
  case present(Set<UInt32>)
  /// The answer to `Output.findOwner`: where the name is the caller's; nil for nowhere.
  case ownerFound(Int64, Launch.Place?)
  /// The answer to `Output.launch`: why it could not be started, or nil.
  case launched(Int64, String?)
  /// The answer to `Output.askUnit`; nil where there is no systemd, or it could not say.
  case unitFound(String, UnitState?)
  case committed(CommitID)
  /// It was not written, and why.
  case commitFailed(CommitID, String)
  /// The daemon ends: what is still to be written is written now.
  case ending
  /// The moment last asked for by `Output.wake` has come.
  case timer
}
