import Console
import LocationModel

extension Command {
  static let get = Command(
    name: "get", summary: "one location",
    help: """
      Usage: locationctl get [--accuracy M] [--timeout S] [--json] [--socket PATH]

      Prints one location: the first that is accurate enough, else the best within the timeout.

        --accuracy M   metres that are good enough (default: the best there is)
        --timeout S    seconds to wait (default 10)
        --json         the location as one line of JSON

      """
  ) { (arguments) throws(Failure) in
    let asJSON = arguments.flag("--json")
    let accuracy = try arguments.number("--accuracy", "metres") { $0 >= 0 } ?? -1
    let timeout =
      try arguments.number("--timeout", "seconds, up to an hour") { $0 > 0 && $0 <= 3600 } ?? 10
    let socket = try arguments.socket()
    try arguments.nothingElse()
    let daemon = try Daemon(at: socket)
    try daemon.introduce("locationctl get")
    let answer = try daemon.ask(
      .requestLocation(OneShotRequest(desiredAccuracy: accuracy, timeout: timeout)),
      seconds: timeout + 5)
    guard let location = answer["location"].flatMap(Location.init) else {
      throw Failure(.failed, "the daemon's answer is not one this locationctl knows")
    }
    if asJSON {
      var line = TextBuffer()
      line.append(location)
      line.append("\n")
      try Output.write(line.bytes)
    } else {
      try Output.write(Describe.line(location))
    }
  }
}
