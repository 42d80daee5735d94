import Console
import Glibc
import LocationModel

extension Command {
  static let get = Command(
    name: "get", summary: "one location",
    help: """
      Usage: locationctl get [--accuracy M] [--timeout S] [--json] [--socket PATH]

      Prints one location: the first that is accurate enough, else the best within the timeout.
      A daemon that restarts meanwhile is waited for, within the timeout.

        --accuracy M   metres that are good enough (default: the best there is);
                       --desired-accuracy is another name of it
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
    let location = try answer(
      to: OneShotRequest(desiredAccuracy: accuracy, timeout: timeout),
      from: try PersistentDaemon(at: socket))
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

/// The answer; why it is not there yet is said where it does not come soon. The timeout counts from when the
/// person has been asked.
private func answer(
  to request: OneShotRequest, from daemon: PersistentDaemon
) throws(Failure) -> Location {
  Interrupts.begin()
  var number: Int64?
  var deadline: Double?
  var obstacle = ObstacleWatch()
  while true {
    for event in try daemon.step() {
      switch event {
      case .opened:
        guard let introduction = try daemon.introduce("locationctl get") else { continue }
        if let refusal = introduction.refusal { throw refusal }
        let end = deadline ?? .seconds + request.timeout
        deadline = end
        obstacle = ObstacleWatch()
        var rest = request
        rest.timeout = max(end - .seconds, 0.1)
        number = try daemon.send(.requestLocation(rest))
      case .received(.reply(let id, let result)) where id == number:
        switch result {
        case .success(let reply):
          guard let location = reply.location else { throw Failure(.unreadableReply) }
          return location
        case .failure(let refusal): throw Failure(refusal)
        }
      case .received(.reply(_, .success(.status(let status)))):
        if let news = obstacle.news(in: status, .ofErrors) { complain(news) }
      case .received: break
      case .lost(let why):
        number = nil
        deadline = deadline ?? .seconds + request.timeout
        complain(why)
      }
    }
    if let deadline {
      let left = deadline - .seconds
      if daemon.descriptor == nil, left < 0 {
        throw Failure(.noDaemon, "the daemon has gone, and was not back in time.")
      }
      if left < -answerTime { throw Failure(.failed, "the daemon does not answer.") }
    }
    if number != nil, obstacle.isDue() { try obstacle.ask(daemon) }
    if daemon.wait(milliseconds: 100) {
      // A shell's loop ends with it.
      signal(SIGINT, SIG_DFL)
      raise(SIGINT)
    }
  }
}

private func complain(_ why: String) {
  let say = Speech.ofErrors
  Output.complain(say("no location yet: \(say(said: why))"))
}

/// Seconds that the daemon has for its answer when the time is up.
private let answerTime = 5.0
