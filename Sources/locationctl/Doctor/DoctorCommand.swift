import Console
import Glibc
import LocationClient
import LocationModel

extension Command {
  static let doctor = Command(
    name: "doctor", summary: "what is wrong on this machine, and what to do",
    help: """
      Usage: locationctl doctor [--json] [--socket PATH]

      Looks for what keeps locations from you: one line for each thing that is well or wrong, and
      what to do about it. If you may know the location, its receivers are tried for three seconds.
      Exits 1 where something is wrong; an advice is about what you may want, too.

        --json   the same, one line of JSON for each

      """
  ) { (arguments) throws(Failure) in
    let asJSON = arguments.flag("--json")
    let socket = try arguments.socket()
    try arguments.nothingElse()
    let findings = examination(at: socket).findings
    if asJSON {
      for one in findings { try Output.write(one.json) }
    } else {
      let columns = max(40, Terminal.columns)
      let say = Speech.ofOutput
      for one in findings { try Output.write(one.lines(columns, in: say)) }
    }
    if !findings.allSatisfy(\.isWell) { throw Failure(.failed, "") }
  }

  private static func examination(at socket: String) -> Examination {
    let daemon = Inquiry(socket)
    var examination: Examination?
    Examiner(daemon, at: socket, as: "locationctl doctor")
      .examine(isTrying: true) { examination = $0 }
    while true {
      if let examination { return examination }
      var entry = pollfd(fd: daemon.descriptor ?? -1, events: Int16(POLLIN), revents: 0)
      poll(&entry, 1, 100)
      daemon.step()
    }
  }
}
