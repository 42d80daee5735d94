import Console
import DBus
import Glibc
import LocationModel
import PlaceImport
import Platform

/// Says what is at a place, and where a name is.
@main
struct LocationdPlaces {
  static func main() {
    do throws(Failure) {
      try start(Arguments(CommandLine.arguments.dropFirst()))
    } catch {
      Log(level: .error)
        .error("locationd-places: \(error.message); try 'locationd-places --help'")
      exit(error.code.rawValue)
    }
  }

  private static func start(_ arguments: Arguments) throws(Failure) {
    var arguments = arguments
    if arguments.flag("--help") || arguments.flag("-h") { return print(help, terminator: "") }
    if arguments.flag("--version") { return print("locationd-places \(version)") }
    let path = try arguments.value("--config")
    let socket = try arguments.value("--socket")
    let bus = try arguments.value("--bus")
    let data = try arguments.values("--data")
    let cache = try arguments.value("--cache")
    let idle = try arguments.number("--idle", "seconds") { (0...86_400).contains($0) }
    let checksOnly = arguments.flag("--check")
    let imported = try arguments.value("--import")
    let removed = try arguments.value("--remove")
    try arguments.nothingElse()
    // They are written where what is imported lies: the last of the folders.
    let home = data.last ?? Configuration().data.last ?? ""
    if let imported { exit(ImportCommand.run(importing: imported, into: home)) }
    if let removed { exit(ImportCommand.run(removing: removed, from: home)) }
    var (configuration, mistakes) = Configuration.read(
      path ?? "/etc/locationd/places.conf", mustExist: path != nil)
    if checksOnly {
      for mistake in mistakes { print("\(mistake)".plain()) }
      exit(mistakes.isEmpty ? 0 : 1)
    }
    if let socket { configuration.socket = socket }
    if !data.isEmpty { configuration.data = data }
    if let cache { configuration.cache = cache }
    if let idle { configuration.idle = Duration(clamping: idle) }
    if let bus {
      do throws(BusError) {
        configuration.bus = try BusPlace.named(bus)
      } catch {
        throw Failure(.usage, "--bus is system, session, none or an address: \(error.message)")
      }
    }
    run(configuration, mistakes)
  }

  private static func run(
    _ configuration: Configuration, _ mistakes: [ConfigurationMistake]
  ) -> Never {
    Process.ignoreBrokenPipes()
    Process.raiseDescriptorLimit()
    Memory.holdLittle()
    let log = Log(level: configuration.logLevel)
    guard mistakes.isEmpty else {
      for mistake in mistakes { log.error("\(mistake)") }
      exit(1)
    }
    do throws(SystemError) {
      try PlacesDaemon(configuration, log).run()
      exit(0)
    } catch {
      log.error("\(error)")
      exit(1)
    }
  }

  private static let help = """
    Usage: locationd-places [--config FILE] [--socket PATH] [--bus BUS] [--data DIR]...
                            [--cache DIR] [--idle S] [--check]
           locationd-places --import FILE.osm.pbf | --remove NAME [--data DIR]

    Says what is at a place, and where a name is, from this machine's disk or from a server that the
    configuration names. It does not know where this machine is.

      --config FILE   read this instead of /etc/locationd/places.conf, and FILE.d/*.conf
      --socket PATH   where programs connect (default /run/locationd/places.sock)
      --bus BUS       the D-Bus to serve: system (default), session, none, or an address
      --data DIR      a folder with data of places, instead of /usr/share/locationd/places and
                      /var/lib/locationd-places; it may be given several times
      --cache DIR     keep what servers said there, for a day, while the service is away
      --idle S        leave after so many seconds without a client (default 60 with the service
                      manager's socket, else never; 0 is never)
      --check         say what is wrong in the configuration, with file and line, and exit
      --import FILE   make places of an extract of OpenStreetMap, and say how far it is, a line each
      --remove NAME   take them away again
      --version       print the version
      --help          print this

    """
}
