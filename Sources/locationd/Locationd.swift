import Console
import DBus
import LocationCore
import LocationModel
import Platform

@main
struct Locationd: ConfiguredProgram {
  static let name = "locationd"
  private(set) var reader: ConfigurationReader<Configuration>

  init(_ arguments: inout Arguments) throws(Failure) {
    reader = try ConfigurationReader(
      ConfigurationFiles(
        path: "/etc/locationd/locationd.conf",
        vendors: ["/usr/lib/locationd", "/usr/local/lib/locationd"]), &arguments)
    let sources = try arguments.values("--source", as: .sources)
    if !sources.isEmpty { reader.set { $0.sources = sources.flatMap { $0 } } }
    if let socket = try arguments.value("--socket") { reader.set { $0.socket = socket } }
    if let bus = try arguments.value("--bus", as: .init(BusPlace.named)) {
      reader.set { $0.bus = bus }
    }
    if let state = try arguments.value("--state") { reader.set { $0.state = state } }
    if let rule = try arguments.value("--in-use", as: ConfigurationValue<UseRule>.word) {
      reader.set { $0.useRule = rule }
    }
    if let level = try arguments.value("--log-level", as: .logLevel) {
      reader.set { $0.logLevel = level }
    }
  }

  func run(_ configuration: Configuration, _ log: Log) throws(SystemError) {
    try Daemon(reader, configuration, log).run()
  }

  static let help = """
    Usage: locationd [--config FILE] [--source URL]... [--socket PATH] [--bus BUS]
                     [--state DIR] [--in-use logind|connected] [--log-level LEVEL] [--check]

    Reads where the machine is from its sources and tells the clients that may know.

      --config FILE      read this instead of /etc/locationd/locationd.conf, and FILE.d/*.conf;
                         the other flags win over what is read
      --source URL       where fixes come from; may be given several times (default: this machine's
                         gpsd, receivers that say what they are, and the Wi-Fi networks around);
                         'none' for none:
                           gpsd://HOST[:PORT][/DEVICE]           the receivers of a gpsd
                           nmea:///dev/ttyUSB0[?baud=auto|N]     a receiver on a serial line
                           nmea:auto                             a receiver that says it is one
                           nmea+tcp://HOST:PORT                  a receiver on the network
                           nmea+udp://ADDRESS:PORT               receivers that send there
                           nmea+unix:///PATH                     a receiver behind a Unix socket
                           replay:///FILE[?rate=R&loop=1]        a recording, R times real time
                           modem:[NAME]                          a modem's receiver and cell
                           wifi:[INTERFACE]                      the Wi-Fi networks around
                           static:LAT,LON[,ALT[,ACCURACY]]       a fixed place
      --socket PATH      where clients connect (default /run/locationd/locationd.sock)
      --bus BUS          the D-Bus where clients find it too, and it the compass: system (default),
                         session, none, or an address such as unix:path=/run/bus
      --state DIR        where permissions are kept (default: the service manager's folder, else
                         /var/lib/locationd); 'none' forgets them at the end
      --in-use RULE      when an app counts as in use: logind, while its user has an active,
                         unlocked session; connected, while it is connected
      --log-level LEVEL  error, warning, notice, info (default) or debug
      --check            say what is wrong in the configuration, with file and line, and exit
      --version          print the version
      --help             print this

    Sources run only while a client needs a location. SIGHUP reads the configuration again,
    SIGTERM ends the daemon.

    """
}

extension ConfigurationValue<[SourceURL]> {
  fileprivate static var sources: Self {
    Self { (_, text) throws(Unusable) in text == "none" ? [] : [try SourceURL(text)] }
  }
}
