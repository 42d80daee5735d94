import Console
import DBus
import Glibc
import LocationModel
import PlaceImport
import Platform

/// Says what is at a place, and where a name is.
@main
struct LocationdPlaces: ConfiguredProgram {
  static let name = "locationd-places"
  private(set) var reader: ConfigurationReader<Configuration>

  init(_ arguments: inout Arguments) throws(Failure) {
    reader = try ConfigurationReader(
      ConfigurationFiles(path: "/etc/locationd/places.conf"), &arguments)
    let data = try arguments.values("--data")
    if !data.isEmpty { reader.set { $0.data = data } }
    if let socket = try arguments.value("--socket") { reader.set { $0.socket = socket } }
    if let cache = try arguments.value("--cache") { reader.set { $0.cache = cache } }
    if let idle = try arguments.number("--idle", "seconds", where: { (0...86_400).contains($0) }) {
      reader.set { $0.idle = Duration(clamping: idle) }
    }
    if let bus = try arguments.value("--bus", as: .init(BusPlace.named)) {
      reader.set { $0.bus = bus }
    }
    let http = try arguments.values("--http")
    if !http.isEmpty {
      guard let places = Configuration.web(http.joined(separator: " ")) else {
        throw Failure(.usage, "--http wants addresses with a port, as 127.0.0.1:2322")
      }
      reader.set { $0.http = places }
    }
    let imported = try arguments.value("--import")
    let updated = try arguments.value("--update")
    let removed = try arguments.value("--remove")
    guard imported != nil || updated != nil || removed != nil else { return }
    try arguments.nothingElse()
    // They are written where what is imported lies: the last of the folders.
    let home = data.last ?? Configuration().data.last ?? ""
    if let imported { exit(ImportCommand.run(importing: imported, into: home)) }
    if let updated {
      exit(ImportCommand.run(importing: updated, into: home, isUpdate: true))
    }
    if let removed { exit(ImportCommand.run(removing: removed, from: home)) }
  }

  func run(_ configuration: Configuration, _ log: Log) throws(SystemError) {
    try PlacesDaemon(configuration, log).run()
  }

  static let help = """
    Usage: locationd-places [--config FILE] [--socket PATH] [--bus BUS] [--data DIR]...
                            [--cache DIR] [--idle S] [--http ADDRESS:PORT]... [--check]
           locationd-places --import FILE.osm.pbf | --update FILE.osm.pbf | --remove NAME
                            [--data DIR]

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
      --http ADDRESS:PORT
                      answer over HTTP there, as Nominatim, Photon and OSRM do; it may be given
                      several times
      --check         say what is wrong in the configuration, with file and line, and exit
      --import FILE   make places of an extract of OpenStreetMap, and say how far it is, a line each
      --update FILE   the same with a newer file, and say what has changed
      --remove NAME   take them away again
      --version       print the version
      --help          print this

    """
}
