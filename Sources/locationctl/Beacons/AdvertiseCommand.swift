import Console
import LocationModel

/// `locationctl beacons advertise`: this machine is a beacon until a signal ends it.
struct BeaconAdvertising {
  let frame: BeaconFrame
  let asJSON: Bool

  init(_ arguments: inout Arguments, power: String?, asJSON: Bool) throws(Failure) {
    let operands = [arguments.operand(), arguments.operand(), arguments.operand()]
    guard let uuid = operands[0], operands[2] != nil else { throw Self.usage }
    let constraint = try BeaconConstraint(uuid: uuid, major: operands[1], minor: operands[2])
    guard let major = constraint.major, let minor = constraint.minor else { throw Self.usage }
    var measuredPower = BeaconFrame.usualPower
    if let power {
      guard let given = Int8(power) else {
        throw Failure(.usage, "--power is dBm, from -128 to 127, not '\(power)'")
      }
      measuredPower = given
    }
    frame = BeaconFrame(
      BeaconIdentity(constraint.uuid, major: major, minor: minor), measuredPower: measuredPower)
    self.asJSON = asJSON
  }

  private static let usage = Failure(.usage, "advertise wants a UUID, a major and a minor")

  func follow(_ daemon: PersistentDaemon) throws(Failure) {
    var start: Int64?
    try daemon.follow { (event) throws(Failure) in
      switch event {
      case .opened:
        let introduction = try daemon.introduce(
          "locationctl beacons advertise", for: .authorizedAlways)
        guard introduction != nil else { return }
        start = try daemon.send(.startAdvertising(frame))
      case .received(.reply(let id, .failure(let refusal))) where id == start:
        throw Failure(refusal)
      case .received(.event(_, .advertisingDidFail(let refusal))):
        guard refusal.code != .denied else { throw Failure(refusal) }
        Output.complain("no beacon now: \(refusal.message)")
      case .received(.event(_, .didStartAdvertising)): try show()
      case .received: break
      case .lost(let why): Output.complain("no beacon now: \(why)")
      }
    }
  }

  private func show() throws(Failure) {
    guard !asJSON else {
      var line = TextBuffer()
      line.appendLine(.didStartAdvertising, at: .now)
      return try Output.write(line.bytes)
    }
    let identity = frame.identity
    try Output.write(
      "This machine is the beacon \(identity.uuid) \(identity.major) \(identity.minor)"
        + " until Ctrl-C.")
  }
}
