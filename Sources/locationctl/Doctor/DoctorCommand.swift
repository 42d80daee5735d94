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

  /// Seconds for which the receivers are tried.
  private static let trial = 3.0

  private static func examination(at socket: String) -> Examination {
    var examination = Examination(clock: Double(time(nil)))
    do throws(Failure) {
      let daemon = try Daemon(at: socket)
      try daemon.ask(.hello(.init(name: "locationctl doctor")))
      examination.status = try daemon.ask(.status).status
      guard examination.status?.client.authorization.isAuthorized == true else {
        return examination
      }
      // They are open only while somebody needs them.
      let number = try daemon.send(.requestLocation(OneShotRequest(timeout: trial)))
      var isThere = false
      let deadline = Double.seconds + trial
      while !isThere, Double.seconds < deadline {
        for case .reply(number, let result) in try daemon.receive() {
          isThere = true
          if case .success = result { return examination }
        }
        _ = daemon.connection.wait(milliseconds: 100)
      }
      examination.status = try daemon.ask(.status).status
    } catch {
      if examination.status == nil { examination.silence = error.message }
    }
    return examination
  }
}
