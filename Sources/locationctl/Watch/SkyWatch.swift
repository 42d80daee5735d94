import Console
import Glibc
import LocationModel

/// `watch --sky`: the satellites of the receiver that is believed, once a second.
struct SkyWatch {
  let asJSON: Bool

  func follow(_ daemon: PersistentDaemon, _ request: StandardRequest) throws(Failure) {
    var start: Int64?
    var due = 0.0
    var drawn = 0
    try daemon.follow(pausing: 250) { (event) throws(Failure) in
      switch event {
      case .opened:
        // A refusal is in each status, and the permission may change.
        _ = try daemon.introduce("locationctl watch") { drawn = 0 }
        // Receivers are on only while somebody needs them.
        start = try daemon.send(.startUpdatingLocation(request))
        due = 0
      case .received(.event(_, .didChangeAuthorization)):
        start = try daemon.send(.startUpdatingLocation(request))
      case .received(.reply(let id, .failure(let refusal))) where id == start:
        if refusal.code != .denied { throw Failure(refusal) }
      case .received(.reply(_, .failure(let refusal))): throw Failure(refusal)
      case .received(.reply(_, .success(.status(let status)))):
        drawn = try show(status.sky, status.obstacle, over: drawn)
      case .received: break
      case .lost(let why):
        start = nil
        if asJSON { Output.complain(why) }
        drawn = try show(nil, why, over: drawn)
      }
    } tick: { () throws(Failure) in
      guard Double.seconds >= due else { return }
      _ = try daemon.send(.status)
      due = .seconds + 1
    }
  }

  /// Gives how many lines are drawn now.
  private func show(
    _ sky: SkyStatus?, _ obstacle: String?, over drawn: Int
  ) throws(Failure) -> Int {
    if asJSON {
      if let sky { try Output.write(sky.json) }
      return 0
    }
    let isPanel = Terminal.canShowPanel
    let table = SkyTable(
      sky, obstacle: obstacle, columns: Terminal.columns,
      rows: isPanel ? Terminal.rows - 1 : 1000)
    if isPanel {
      let up = drawn > 0 ? "\u{1B}[\(drawn)A" : ""
      let lines = table.lines.map { "\r\u{1B}[2K\($0.plain())\n" }
      try Output.draw(up + lines.joined() + "\u{1B}[J")
    } else {
      try Output.write(table.lines)
    }
    return isPanel ? table.lines.count : 0
  }
}

/// The satellites as a table: those that are used first, then by their signal.
struct SkyTable {
  var sky: SkyStatus?
  var obstacle: String?
  var columns: Int
  var rows: Int

  init(_ sky: SkyStatus?, obstacle: String?, columns: Int, rows: Int) {
    self.sky = sky
    self.obstacle = obstacle
    self.columns = columns
    self.rows = rows
  }

  var lines: [String] {
    guard let sky, !sky.satellites.isEmpty else {
      let reason = obstacle.map { ": \($0)" } ?? ""
      return "no satellite is known of yet\(reason)".wrapped(to: max(20, columns))
    }
    let sorted = sky.satellites.sorted {
      ($0.isUsed ? 1 : 0, $0.signal ?? 0, $1.number) > (
        $1.isUsed ? 1 : 0, $1.signal ?? 0, $0.number
      )
    }
    let used = sorted.count(where: \.isUsed)
    var head = "\(Count(sorted.count, "satellite")), \(used) used"
    for (name, value) in [
      ("HDOP", sky.dilution.horizontal), ("VDOP", sky.dilution.vertical),
      ("PDOP", sky.dilution.position),
    ] {
      if let value { head += "  \(name) \(Describe.fixed(value, 1))" }
    }
    let room = max(1, rows - 2)
    let shown = sorted.prefix(room)
    let rest = sorted.count - shown.count
    return [head] + shown.map(line) + (rest > 0 ? ["and \(rest) more"] : [])
  }

  private static let width = 25
  /// dB-Hz of a whole bar.
  private static let strongest = 50.0

  private func line(_ one: Satellite) -> String {
    let share = min((one.signal ?? 0) / Self.strongest, 1)
    let bar = String(repeating: "#", count: Int((share * Double(Self.width)).rounded()))
    let signal = one.signal.map { "\(Describe.fixed($0, 0)) dB" } ?? "not heard"
    let place = [
      one.elevation.map { "up \(Describe.fixed($0, 0))°" },
      one.azimuth.map { "\(Describe.fixed($0, 0))° \(Describe.compass($0))" },
    ].compactMap { $0 }.joined(separator: "  ")
    let cells = [
      "\(one.system.rawValue) \(one.number)".padded(to: 12), bar.padded(to: Self.width),
      signal.padded(to: 9), (one.isUsed ? "used" : "").padded(to: 4), place,
    ]
    return String(cells.joined(separator: " ").reversed().drop { $0 == " " }.reversed())
  }
}
