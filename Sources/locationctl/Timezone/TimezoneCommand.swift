import Console
import Glibc
import LocationModel

extension Command {
  static let timezone = Command(
    name: "timezone", summary: "the machine's time zone follows its place, or not",
    help: """
      Usage: locationctl timezone follow on|off [--socket PATH]
             locationctl timezone [follow] status [--json]

      Has locationd-timezone set the time zone of this machine when the machine has
      been in another for ten minutes, and lets it know about where the machine is.
      A place that was set or that is remembered counts for nothing. For
      administrators.

        --json   the answer to status, as one line of JSON

      """
  ) { (arguments) throws(Failure) in
    let asJSON = arguments.flag("--json")
    let socket = try arguments.socket()
    var words: [String] = []
    while let word = arguments.operand() { words.append(word) }
    try arguments.nothingElse()
    switch words {
    case ["follow", "on"]: try followPlace(true, at: socket)
    case ["follow", "off"]: try followPlace(false, at: socket)
    case ["status"], ["follow", "status"]: try show(TimezoneUnit(), asJSON: asJSON)
    default: throw Failure(.usage, "timezone wants follow on, follow off or status")
    }
  }

  private static func followPlace(_ follows: Bool, at socket: String) throws(Failure) {
    guard let uid = TimezoneUnit.uid, try TimezoneUnit().isInstalled else {
      throw Failure(.failed, "locationd-timezone is not installed: the package of that name has it")
    }
    if follows {
      var change = PermissionChange(
        app: TimezoneUnit.app, uid: uid, authorization: .authorizedAlways)
      change.accuracy = .reduced
      try administrate(.permissionsSet(change), at: socket)
      try TimezoneUnit.control("enable", "--now")
      return try Output.write("The time zone follows the place of this machine.")
    }
    try TimezoneUnit.control("disable", "--now")
    try administrate(
      .permissionsReset(AppSelection(app: TimezoneUnit.app, uid: uid)), at: socket)
    try Output.write("The time zone stays as it is.")
  }

  private static func show(_ unit: TimezoneUnit, asJSON: Bool) throws(Failure) {
    if asJSON { return try Output.write(unit.json) }
    try Output.write(unit.lines)
  }
}
