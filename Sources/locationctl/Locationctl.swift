import Console
import Glibc
import LocationClient
import LocationModel
import Platform

@main
struct Locationctl {
  static let commands: [Command] =
    [.status, .sources, .get, .watch] + Command.permissions + [
      .history, .pause, .resume, .may, .settings,
      .here, .forget, .wifi, .beacons, .timezone, .geocode, .reverse, .search, .route, .places,
      .track, .map,
      .agent,
      .doctor, .decode, .replay,
    ]

  static func main() {
    // Into a pipe whose reader has gone, writing fails rather than kills.
    signal(SIGPIPE, SIG_IGN)
    do throws(Failure) {
      try run(CommandLine.arguments.dropFirst())
    } catch {
      if !error.message.isEmpty {
        Output.complain(Speech.ofErrors(said: error.message))
      }
      exit(error.code.rawValue)
    }
  }

  private static func run(_ arguments: ArraySlice<String>) throws(Failure) {
    var arguments = arguments
    guard let name = arguments.popFirst() else {
      throw Failure(.usage, "what is to be done? Try 'locationctl --help'")
    }
    switch name {
    case "help":
      guard let topic = arguments.first else { return try Output.draw(help) }
      try Output.draw(command(topic).help)
    case "--help", "-h": try Output.draw(help)
    case "--version": try Output.write("locationctl \(version)")
    default:
      // Options may come before the command, too.
      var options: [String] = []
      var verb = name
      if verb.hasPrefix("-"), let i = arguments.firstIndex(where: { names.contains($0) }) {
        options = [name] + arguments[..<i]
        verb = arguments[i]
        arguments = arguments[(i + 1)...]
      }
      let command = try command(verb)
      if command.isPrivate { Process.forgetArguments() }
      var arguments = Arguments(options + arguments)
      if arguments.flag("--help") || arguments.flag("-h") {
        try Output.draw(command.help)
      } else if arguments.flag("--version") {
        try Output.write("locationctl \(version)")
      } else {
        try command.run(&arguments)
      }
    }
  }

  private static var names: [String] { commands.map(\.name) }

  private static func command(_ name: String) throws(Failure) -> Command {
    if let command = commands.first(where: { $0.name == name }) { return command }
    let hint = names.nearest(to: name).map { "did you mean '\($0)'?" } ?? "try 'locationctl --help'"
    throw Failure(.usage, "there is no command '\(name)'; \(hint)")
  }

  static let help = """
    Usage: locationctl COMMAND [OPTION]...

    Asks locationd where the machine is.

    \(commands.map { "  \($0.name.padded(to: 12))\($0.summary)" }.joined(separator: "\n"))

    Every command takes:
      --socket PATH   where the daemon listens (default $LOCATIOND_SOCKET, else
                      /run/locationd/locationd.sock)
      --help          more about the command, as does 'locationctl help COMMAND'
      --version       print the version

    Exit status: 0 done, 1 failed, 2 wrong usage, 3 denied, 4 no location in time, 5 no daemon.

    """
}

/// One verb of the command line.
struct Command: Sendable {
  var name: String
  var summary: String
  var help: String
  /// Arguments name places: they are overwritten in the line that other users may read.
  var isPrivate = false
  var run: @Sendable (inout Arguments) throws(Failure) -> Void
}

extension String {
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - columns))
  }
}
