import Console
import DBus
import Glibc
import LocationClient
import LocationModel
import Platform

/// Keeps the track of this machine on its disk, and sends it on.
@main
struct LocationdTracker {
  static func main() {
    do throws(Failure) {
      try start(Arguments(CommandLine.arguments.dropFirst()))
    } catch {
      Log(level: .error)
        .error("locationd-tracker: \(error.message); try 'locationd-tracker --help'")
      exit(error.code.rawValue)
    }
  }

  private static func start(_ arguments: Arguments) throws(Failure) {
    var arguments = arguments
    if arguments.flag("--help") || arguments.flag("-h") { return print(help, terminator: "") }
    if arguments.flag("--version") { return print("locationd-tracker \(version)") }
    let path = try arguments.value("--config")
    let daemon = try arguments.value("--daemon") ?? Connection.defaultPath
    let socket = try arguments.value("--socket")
    let state = try arguments.value("--state")
    let bus = try arguments.value("--bus")
    let checksOnly = arguments.flag("--check")
    try arguments.nothingElse()
    let place: BusPlace?
    do throws(BusError) {
      place = try bus.map { (name) throws(BusError) in try BusPlace.named(name) } ?? nil
    } catch {
      throw Failure(.usage, "--bus is system, session, none or an address: \(error.message)")
    }
    /// What the options say comes before the files.
    func read() -> (Configuration, [ConfigurationMistake]) {
      var (configuration, mistakes) = Configuration.read(
        path ?? "/etc/locationd/tracker.conf", mustExist: path != nil)
      if let socket { configuration.socket = socket }
      if let state { configuration.state = state }
      if bus != nil { configuration.bus = place }
      return (configuration, mistakes)
    }
    if checksOnly {
      let mistakes = read().1
      for mistake in mistakes { print("\(mistake)".plain()) }
      exit(mistakes.isEmpty ? 0 : 1)
    }
    run(daemon: daemon, read)
  }

  private static func run(
    daemon: String, _ read: @escaping () -> (Configuration, [ConfigurationMistake])
  ) -> Never {
    Process.ignoreBrokenPipes()
    Memory.holdLittle()
    let (configuration, mistakes) = read()
    let log = Log(level: configuration.logLevel)
    guard mistakes.isEmpty else {
      for mistake in mistakes { log.error("\(mistake)") }
      exit(1)
    }
    do throws(SystemError) {
      exit(try runUntilItEnds(configuration, daemon: daemon, log, read) ? 0 : 1)
    } catch {
      log.error("\(error)")
      exit(1)
    }
  }

  /// The track is closed as the tracker goes.
  private static func runUntilItEnds(
    _ configuration: Configuration, daemon: String, _ log: Log,
    _ read: @escaping () -> (Configuration, [ConfigurationMistake])
  ) throws(SystemError) -> Bool {
    try Tracker(configuration, daemon: daemon, log, read: read).run()
  }

  private static let help = """
    Usage: locationd-tracker [--config FILE] [--socket PATH] [--state DIR] [--daemon PATH]
                             [--bus BUS] [--check]

    Keeps the track of this machine on its disk, and sends it to the servers that the configuration
    names. Its permission is granted as any program's: 'locationctl grant'.

      --config FILE   read this instead of /etc/locationd/tracker.conf, and FILE.d/*.conf
      --socket PATH   where 'locationctl track' finds it (default /run/locationd/tracker.sock)
      --state DIR     where the track is kept (default: the service manager's folder, else
                      /var/lib/locationd-tracker)
      --daemon PATH   where locationd listens (default $LOCATIOND_SOCKET, else
                      /run/locationd/locationd.sock)
      --bus BUS       the D-Bus that tells of battery and network: system (default), session, none,
                      or an address
      --check         say what is wrong in the configuration, with file and line, and exit
      --version       print the version
      --help          print this

    """
}
