import Console
import DBus
import LocationCore
import LocationModel
import Platform

/// The command line.
struct Options {
  var files = ConfigurationFiles(
    path: "/etc/locationd/locationd.conf",
    vendors: ["/usr/lib/locationd", "/usr/local/lib/locationd"])
  /// The files decide about what is not said here.
  var sources: [SourceURL]?
  var socket: String?
  /// Said to be a place, or none.
  var bus: BusPlace??
  var state: String?
  var useRule: UseRule?
  var logLevel: Log.Level?

  enum Outcome {
    case run(Options)
    case check(Options)
    case print(String)
  }

  static func parse(_ arguments: [String]) throws(Failure) -> Outcome {
    var arguments = Arguments(arguments)
    if arguments.flag("--help") || arguments.flag("-h") { return .print(help) }
    if arguments.flag("--version") { return .print("locationd \(version)\n") }
    var options = Options()
    if let path = try arguments.value("--config") {
      options.files = ConfigurationFiles(path: path, mustExist: true)
    }
    for text in try arguments.values("--source") {
      do throws(Unusable) {
        options.sources = (options.sources ?? []) + (text == "none" ? [] : [try SourceURL(text)])
      } catch {
        throw Failure(.usage, error.what)
      }
    }
    options.socket = try arguments.value("--socket")
    if let text = try arguments.value("--bus") {
      do throws(BusError) {
        options.bus = .some(try BusPlace.named(text))
      } catch {
        throw Failure(.usage, "--bus is system, session, none or an address: \(error.message)")
      }
    }
    options.state = try arguments.value("--state")
    if let name = try arguments.value("--in-use") {
      options.useRule = UseRule(rawValue: name)
      guard options.useRule != nil else {
        throw Failure(.usage, "--in-use is logind or connected, not '\(name)'")
      }
    }
    if let name = try arguments.value("--log-level") {
      options.logLevel = Log.Level(name: name)
      guard options.logLevel != nil else {
        throw Failure(
          .usage, "--log-level is one of error, warning, notice, info, debug; not '\(name)'")
      }
    }
    let checksOnly = arguments.flag("--check")
    try arguments.nothingElse()
    return checksOnly ? .check(options) : .run(options)
  }

  /// Reads the files anew; the flags go before them.
  func read() -> (configuration: Configuration, mistakes: [ConfigurationMistake]) {
    var (configuration, mistakes) = files.read(Configuration.self)
    if let sources { configuration.sources = sources }
    if let socket { configuration.socket = socket }
    if let bus { configuration.bus = bus }
    if let state { configuration.state = state }
    if let useRule { configuration.useRule = useRule }
    if let logLevel { configuration.logLevel = logLevel }
    return (configuration, mistakes)
  }

  static let help = """
    Usage: locationd [--config FILE] [--source URL]... [--socket PATH] [--bus BUS]
                     [--state DIR] [--in-use logind|connected] [--log-level LEVEL] [--check]

    Reads where the machine is from its sources and tells the clients that may know.

      --config FILE      read this instead of /etc/locationd/locationd.conf, and FILE.d/*.conf;
                         the other flags win over what is read
      --source URL       where fixes come from; may be given several times (default: this machine's
                         gpsd, and receivers that say what they are); 'none' for none:
                           gpsd://HOST[:PORT][/DEVICE]           the receivers of a gpsd
                           nmea:///dev/ttyUSB0[?baud=auto|N]     a receiver on a serial line
                           nmea:auto                             a receiver that says it is one
                           nmea+tcp://HOST:PORT                  a receiver on the network
                           nmea+udp://ADDRESS:PORT               receivers that send there
                           nmea+unix:///PATH                     a receiver behind a Unix socket
                           replay:///FILE[?rate=R&loop=1]        a recording, R times real time
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
