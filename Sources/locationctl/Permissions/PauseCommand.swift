import Console
import Glibc
import LocationModel

extension Command {
  static let pause = Command(
    name: "pause", summary: "none of your programs is told a place, for an hour or so",
    help: """
      Usage: locationctl pause [DURATION] [--uid U] [--socket PATH]

      Tells none of your programs a place for an hour, or for another time such as
      15min, 12h or 3d, at most a week; then all goes on. To programs it is as if
      location were switched off. Services of the machine go on; those that know the
      place are named, with the command that stops each.

        --uid U   the user whose programs are meant, for administrators

      """
  ) { (arguments) throws(Failure) in
    let uid = try arguments.uid()
    let socket = try arguments.socket()
    let length = try arguments.operand().map { (text) throws(Failure) in
      try duration(text, atMost: PauseRequest.most)
    }
    try arguments.nothingElse()
    let request = PauseRequest(seconds: length?.seconds ?? PauseRequest.usual, uid: uid ?? person)
    let reply = try Daemon(at: socket).ask(.pause(request), seconds: patience)
    guard let pause = reply.pause else { return }
    try Output.write(PauseReport(pause, in: .ofOutput).lines)
  }

  static let resume = Command(
    name: "resume", summary: "end a pause",
    help: """
      Usage: locationctl resume [--uid U] [--socket PATH]

      Ends a pause before its time. It wants a terminal of yours, the page of
      'locationctl settings' that your desktop opens, or an administrator.

        --uid U   the user whose programs are meant, for administrators

      """
  ) { (arguments) throws(Failure) in
    let uid = try arguments.uid()
    let socket = try arguments.socket()
    try arguments.nothingElse()
    try Daemon(at: socket).ask(.resume(PauseRequest(uid: uid ?? person)), seconds: patience)
    try Output.write("Location goes on: each program is told as much as it may know.")
  }

  /// The user who called sudo.
  private static var person: UInt32? { caller == geteuid() ? nil : caller }
}

/// A pause as a person reads it.
struct PauseReport {
  let pause: PauseStatus
  private let say: Speech

  init(_ pause: PauseStatus, in say: Speech = .english) {
    self.pause = pause
    self.say = say
  }

  var lines: [String] {
    let until = Describe.localTime(pause.until)
    return [say("Location is paused until \(until); 'locationctl resume' ends that.")]
      + (pause.services.isEmpty ? [] : [say("These services of the machine go on:")])
      + pause.services.map {
        "  \($0.name.plain()): " + say("'\($0.command.plain())' stops it")
      }
  }

  /// The report in one line.
  var sentences: String {
    let until = Describe.localTime(pause.until)
    return
      ([say("Location is paused until \(until); 'locationctl resume' ends that.")]
      + pause.services.map {
        say("\($0.name.plain()) goes on; '\($0.command.plain())' stops it") + "."
      }).joined(separator: " ")
  }
}
