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
    let accuracy = try arguments.accuracy() ?? -1
    let timeout =
      try arguments.number("--timeout", "seconds, up to an hour") { $0 > 0 && $0 <= 3600 } ?? 10
    let socket = try arguments.socket()
    try arguments.nothingElse()
    let daemon = try Daemon(at: socket)
    try daemon.introduce("locationctl get")
    let answer = try wait(
      for: OneShotRequest(desiredAccuracy: accuracy, timeout: timeout), from: daemon)
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

/// The answer; why it is not there yet is said as soon as it is known.
private func wait(for request: OneShotRequest, from daemon: Daemon) throws(Failure) -> JSON {
  let number = try daemon.send(.requestLocation(request))
  var obstacle = ObstacleWatch()
  let deadline = Double.seconds + request.timeout + 5
  while Double.seconds < deadline {
    for message in try daemon.receive() {
      switch message {
      case .reply(number, let result): return try daemon.get(result)
      case .reply(let id, .success(let json)):
        if let news = obstacle.news(in: json, answering: id) {
          Output.complain("no location yet: \(news)")
        }
      case .farewell(let refusal): throw Failure(refusal)
      case .reply, .event, .numbered, .request, .unknown: break
      }
    }
    if obstacle.isDue { try obstacle.ask(daemon) }
    daemon.wait(milliseconds: 100)
  }
  throw Failure(.failed, "the daemon does not answer.")
}
