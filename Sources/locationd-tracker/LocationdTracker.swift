import Console
import DBus
import Glibc
import LocationClient
import LocationModel
import Platform

/// Keeps the track of this machine on its disk, and sends it on.
@main
struct LocationdTracker: ConfiguredProgram {
  static let name = "locationd-tracker"
  private(set) var reader: ConfigurationReader<Configuration>
  /// Where locationd listens.
  private let daemon: String
  private let enrolment: EnrolOptions?

  init(_ arguments: inout Arguments) throws(Failure) {
    reader = try ConfigurationReader(
      ConfigurationFiles(path: "/etc/locationd/tracker.conf"), &arguments)
    enrolment = try EnrolOptions(&arguments)
    daemon = try arguments.value("--daemon") ?? Connection.defaultPath
    if let socket = try arguments.value("--socket") { reader.set { $0.socket = socket } }
    if let state = try arguments.value("--state") { reader.set { $0.state = state } }
    if let bus = try arguments.value("--bus", as: .init(BusPlace.named)) {
      reader.set { $0.bus = bus }
    }
  }

  /// The track is closed as the tracker goes, before the program ends.
  func run(_ configuration: Configuration, _ log: Log) throws(SystemError) {
    if let enrolment { return try enrolment.run(state: configuration.stateFolder) }
    let isKept = try Tracker(configuration, daemon: daemon, log, reader: reader).run()
    if !isKept { exit(1) }
  }

  static let help = """
    Usage: locationd-tracker [--config FILE] [--socket PATH] [--state DIR] [--daemon PATH]
                             [--bus BUS] [--check]
           locationd-tracker --enrol URL [--ca FILE] [--token FILE] [--state DIR]
           locationd-tracker --renew [--state DIR]

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
      --enrol URL     make a key and ask this server for its certificate, and exit
      --ca FILE       the authority by which that server is trusted
      --token FILE    the one-time token for it (default: the credential enrol.token)
      --renew         ask again by the old certificate, where its time is over by two thirds
      --check         say what is wrong in the configuration, with file and line, and exit
      --version       print the version
      --help          print this

    """
}
