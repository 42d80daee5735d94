import Console
import LocationModel

extension Command {
  static let beacons = Command(
    name: "beacons", summary: "the Bluetooth beacons that are near, until Ctrl-C",
    help: """
      Usage: locationctl beacons UUID [--major N] [--minor N] [--json]
                                 [--socket PATH]
             locationctl beacons advertise UUID MAJOR MINOR [--power N] [--json]
                                 [--socket PATH]

      Shows the iBeacons of this UUID that are near, live, the nearest first: a table
      on a terminal, a line per list into a pipe; a list comes once a second. A daemon
      that restarts is waited for.

        --major N   only those of this major
        --minor N   only the one of this minor; wants --major, too
        --json      one event a line, as JSON; no table

      With advertise this machine is the beacon itself, until Ctrl-C. It tells the
      neighbours that somebody is here, so that it wants leave to know the location
      always.

        --power N   dBm that a receiver measures at a metre, -59 by default

      """
  ) { (arguments) throws(Failure) in
    let asJSON = arguments.flag("--json")
    let major = try arguments.value("--major")
    let minor = try arguments.value("--minor")
    let socket = try arguments.socket()
    let power = try arguments.value("--power")
    let operand = arguments.operand()
    if operand == "advertise" {
      guard major == nil, minor == nil else {
        throw Failure(.usage, "advertise wants a UUID, a major and a minor, without their options")
      }
      let advertising = try BeaconAdvertising(&arguments, power: power, asJSON: asJSON)
      try arguments.nothingElse()
      return try advertising.follow(try PersistentDaemon(at: socket))
    }
    guard power == nil else { throw Failure(.usage, "--power goes with advertise") }
    guard let uuid = operand else {
      throw Failure(.usage, "beacons wants a UUID, as in \(BeaconConstraint.example)")
    }
    try arguments.nothingElse()
    let constraint = try BeaconConstraint(uuid: uuid, major: major, minor: minor)
    let daemon = try PersistentDaemon(at: socket)
    try BeaconWatch(constraint, asJSON: asJSON).follow(daemon)
  }
}

extension BeaconConstraint {
  static let example = "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0"

  /// A choice as people write it.
  init(
    uuid text: some StringProtocol, major: (some StringProtocol)?, minor: (some StringProtocol)?
  ) throws(Failure) {
    guard let uuid = BeaconUUID(text) else {
      throw Failure(.usage, "'\(text)' is no UUID, as \(Self.example) is")
    }
    guard major != nil || minor == nil else {
      throw Failure(.usage, "a minor wants a major, too")
    }
    func word(_ text: (some StringProtocol)?) throws(Failure) -> UInt16? {
      guard let text else { return nil }
      guard let word = UInt16(text) else {
        throw Failure(.usage, "a major or minor is a whole number from 0 to 65535, not '\(text)'")
      }
      return word
    }
    self.init(uuid, major: try word(major), minor: try word(minor))
  }
}

/// Asks for lists of beacons and shows them, until a signal ends it.
private struct BeaconWatch {
  let constraint: BeaconConstraint
  let asJSON: Bool
  private var table = BeaconTable()

  init(_ constraint: BeaconConstraint, asJSON: Bool) {
    self.constraint = constraint
    self.asJSON = asJSON
  }

  consuming func follow(_ daemon: PersistentDaemon) throws(Failure) {
    var watch = self
    var start: Int64?
    var isRefused = false
    try daemon.follow { (event) throws(Failure) in
      switch event {
      case .opened:
        let introduction = try daemon.introduce("locationctl beacons")
        guard let introduction else { return }
        isRefused = introduction.refusal != nil
        if let refusal = introduction.refusal { watch.complain(refusal.message) }
        start = try daemon.send(.startRangingBeacons(watch.constraint))
      case .received(.reply(let id, .failure(let refusal))) where id == start:
        guard refusal.code == .denied else { throw Failure(refusal) }
        if !isRefused { watch.complain(refusal.message) }
        isRefused = true
      case .received(.event(_, .didChangeAuthorization(let authorization, _))):
        guard isRefused, authorization.isAuthorized else { return }
        isRefused = false
        start = try daemon.send(.startRangingBeacons(watch.constraint))
      case .received(.event(_, .rangingDidFail(_, let refusal))) where refusal.code == .denied:
        watch.complain(refusal.message)
        isRefused = true
      case .received(.event(_, let event)): try watch.show(event)
      case .received: break
      case .lost(let why): watch.complain(why)
      }
    }
  }

  private func complain(_ why: String) { Output.complain("no beacons now: \(why)") }

  private mutating func show(_ event: Event) throws(Failure) {
    switch event {
    case .didRangeBeacons(_, let beacons):
      if asJSON {
        var line = TextBuffer()
        line.appendLine(event, at: .now)
        try Output.write(line.bytes)
      } else if Terminal.canShowPanel {
        try table.draw(beacons)
      } else {
        try Output.write(Describe.told(event))
      }
    case .rangingDidFail(_, let refusal): complain(refusal.message)
    default: break
    }
  }
}

/// The newest list, drawn over the one before.
private struct BeaconTable {
  private var height = 0

  mutating func draw(_ beacons: [Beacon]) throws(Failure) {
    let rows = beacons.prefix(max(1, Int(Terminal.rows) - 2)).map(Describe.line)
    let lines = rows.isEmpty ? ["no beacon is heard"] : Array(rows)
    let up = height > 0 ? "\u{1B}[\(height)A" : ""
    try Output.draw("\(up)\r\u{1B}[J" + lines.map { "\($0)\n" }.joined())
    height = lines.count
  }
}

extension Describe {
  /// A beacon as one plain line.
  static func line(_ beacon: Beacon) -> String {
    var parts = [
      "\(beacon.identity.major)/\(beacon.identity.minor)".padded(to: 11),
      beacon.proximity.rawValue.padded(to: 9),
    ]
    if let accuracy = beacon.accuracy { parts.append(metres(accuracy).padded(to: 7)) }
    if let rssi = beacon.rssi { parts.append("\(rssi) dBm") }
    return parts.joined(separator: "  ")
  }
}
