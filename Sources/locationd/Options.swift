import LocationCore
import LocationModel
import Platform

/// What the command line says.
struct Options {
  var files = ConfigurationFiles()
  /// What is not said is left to the files.
  var sources: [SourceURL] = []
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

  struct UsageError: Error {
    var message: String
  }

  static func parse(_ arguments: [String]) throws(UsageError) -> Outcome {
    var options = Options()
    var checksOnly = false
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let flag = String(parts[0])
      func value() throws(UsageError) -> String {
        if parts.count == 2 { return String(parts[1]) }
        guard let next = rest.popFirst() else { throw UsageError(message: "\(flag) wants a value") }
        return next
      }
      switch flag {
      case "--config": options.files = ConfigurationFiles(path: try value(), mustExist: true)
      case "--check": checksOnly = true
      case "--source":
        let text = try value()
        do throws(SourceURL.Unusable) {
          options.sources.append(try SourceURL(text))
        } catch {
          throw UsageError(message: error.message)
        }
      case "--socket": options.socket = try value()
      case "--bus":
        let text = try value()
        do throws(BusError) {
          options.bus = .some(try BusPlace.named(text))
        } catch {
          throw UsageError(
            message: "--bus is system, session, none or an address: \(error.message)")
        }
      case "--state": options.state = try value()
      case "--in-use":
        let name = try value()
        guard let rule = UseRule(rawValue: name) else {
          throw UsageError(message: "--in-use is logind or connected, not '\(name)'")
        }
        options.useRule = rule
      case "--log-level":
        let name = try value()
        guard let level = Log.Level(name: name) else {
          throw UsageError(
            message: "--log-level is one of error, warning, notice, info, debug; not '\(name)'")
        }
        options.logLevel = level
      case "--version": return .print("locationd \(version)\n")
      case "--help", "-h": return .print(help)
      default: throw UsageError(message: "unknown argument '\(argument)'")
      }
    }
    return checksOnly ? .check(options) : .run(options)
  }

  /// What the files say now, under what the flags say.
  func read() -> (configuration: Configuration, mistakes: [Configuration.Mistake]) {
    var (configuration, mistakes) = files.read()
    if !sources.isEmpty { configuration.sources = sources }
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
      --source URL       where fixes come from; may be given several times:
                           gpsd://HOST[:PORT][/DEVICE]           the receivers of a gpsd
                           nmea:///dev/ttyUSB0[?baud=auto|N]     a receiver on a serial line
                           nmea:auto                             any receiver that is plugged in
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
