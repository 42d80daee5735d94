import Console
import LocationClient
import LocationModel
import Platform

/// Tells programs that speak a receiver's words what they may know.
@main
struct LocationdShare: ConfiguredProgram {
  static let name = "locationd-share"
  private(set) var reader: ConfigurationReader<Configuration>

  init(_ arguments: inout Arguments) throws(Failure) {
    reader = try ConfigurationReader(
      ConfigurationFiles(path: "/etc/locationd/share.conf"), &arguments)
    let daemon = try arguments.value("--daemon") ?? Connection.defaultPath
    reader.set { $0.daemon = daemon }
    if let place = try arguments.value("--gpsd", as: .address) {
      reader.set {
        $0.gpsd = [place]
        $0.hasGpsd = true
      }
    }
    let places = try arguments.values("--nmea", as: .nmea)
    if !places.isEmpty { reader.set { $0.nmea = places } }
    // Each program of locationd's takes one.
    _ = try arguments.value("--bus")
  }

  func run(_ configuration: Configuration, _ log: Log) throws(SystemError) {
    try Share(configuration, log, reader: reader).run()
  }

  static let help = """
    Usage: locationd-share [--config FILE] [--daemon PATH] [--gpsd ADDRESS:PORT] [--nmea URL]...
                           [--bus BUS] [--check]

    Tells programs that speak gpsd's words or NMEA where this machine is, and chrony what time it
    is. locationd decides about each program: 'locationctl grant', as for any other.

      --config FILE       read this instead of /etc/locationd/share.conf, and FILE.d/*.conf
      --daemon PATH       where locationd listens (default $LOCATIOND_SOCKET, else
                          /run/locationd/locationd.sock)
      --gpsd ADDRESS:PORT listen there for gpsd's clients
      --nmea URL          where NMEA is told; may be given several times:
                            tcp:PORT, tcp:ADDRESS:PORT   to programs of this machine that may know
                            unix:PATH                    to those, at a Unix socket
                            pty:PATH                     to whoever may open the serial line
                            udp:ADDRESS:PORT             to whoever hears there
      --bus BUS           taken, as by locationd's other programs; the share uses no D-Bus
      --check             say what is wrong in the configuration, with file and line, and exit
      --version           print the version
      --help              print this

    """
}
