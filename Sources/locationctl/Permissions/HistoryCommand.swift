import Console
import Glibc
import LocationModel

extension Command {
  static let history = Command(
    name: "history", summary: "who was told a place, when, how exactly; never where",
    help: """
      Usage: locationctl history [APP] [--days N] [--uid U] [--json] [--socket PATH]
             locationctl history forget [APP] [--uid U]

      Shows for each day which of your apps were told a place: how often and for how
      long, by which service, how exactly, and whether in the background. An access
      begins with a place after a minute without. To administrators everybody's.

        forget     forget them, of one app or of all of yours
        --days N   the last N days (default 30, which is all that is kept)
        --uid U    of this user's apps, for administrators
        --json     the daemon's own answer, as one line of JSON

      """
  ) { (arguments) throws(Failure) in
    let asJSON = arguments.flag("--json")
    let days = try arguments.number("--days", "days, 1 to \(HistoryQuery.mostDays)") {
      $0 >= 1 && $0 <= Double(HistoryQuery.mostDays) && $0 == $0.rounded()
    }
    let uid = try arguments.uid()
    let socket = try arguments.socket()
    let word = arguments.operand()
    let isForgotten = word == "forget"
    let app = isForgotten ? arguments.operand() : word
    try arguments.nothingElse()
    let daemon = try Daemon(at: socket)
    if isForgotten {
      let whose = uid ?? caller
      try daemon.ask(.historyForget(AppSelection(app: app, uid: whose)), seconds: patience)
      return try Output.write(
        "\(app ?? "Every app") of \(AppTable.user(whose)): the history is forgotten.")
    }
    let query = Request.history(
      HistoryQuery(app: app, days: days.map { Int($0) } ?? HistoryQuery.mostDays, uid: uid))
    guard !asJSON else { return try Output.write(try daemon.json(query)) }
    guard case .history(let entries, let more) = try daemon.ask(query) else { return }
    try Output.write(HistoryTable(entries, isCut: more).lines)
  }
}

/// The history as a person reads it.
struct HistoryTable {
  let entries: [AppAccess]
  /// Older ones are left out.
  let isCut: Bool

  init(_ entries: [AppAccess], isCut: Bool = false) {
    self.entries = entries
    self.isCut = isCut
  }

  var lines: [String] {
    guard !entries.isEmpty else { return ["No app of yours was told a place."] }
    let isOfSome = Set(entries.map(\.uid)).count > 1
    let rows = entries.map { row($0, isOfSome: isOfSome) }
    let head =
      ["DAY", "APP"] + (isOfSome ? ["USER"] : [])
      + ["SERVICE", "EXACTNESS", "FROM", "TO", "TIMES", "FOR", ""]
    var lines = AppTable.aligned([head] + rows)
    for entry in entries where !entry.claim.lines.isEmpty {
      let user = isOfSome ? " of \(AppTable.user(entry.uid))" : ""
      lines += [entry.app.plain() + user] + entry.claim.lines
    }
    if isCut { lines.append("Older ones are left out; name an APP to see more of it.") }
    return lines
  }

  private func row(_ entry: AppAccess, isOfSome: Bool) -> [String] {
    var cells = [Timestamp(day: entry.day).dayText, entry.app]
    if isOfSome { cells.append(AppTable.user(entry.uid)) }
    cells += [entry.kind.service.rawValue, entry.kind.accuracy.rawValue]
    cells += [LocalTime.clock(entry.tally.first), LocalTime.clock(entry.tally.last)]
    cells += ["\(entry.tally.accesses)", Describe.age(entry.tally.seconds)]
    return cells + [entry.kind.isBackground ? "in the background" : ""]
  }
}
