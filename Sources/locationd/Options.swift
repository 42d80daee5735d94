import LocationModel
import Platform

/// What the command line says.
struct Options {
  var sources: [SourceURL] = []
  var socket = "/run/locationd/locationd.sock"
  var logLevel = Log.Level.info

  enum Outcome {
    case run(Options)
    case print(String)
  }

  struct UsageError: Error {
    var message: String
  }

  static func parse(_ arguments: [String]) throws(UsageError) -> Outcome {
    var options = Options()
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
      case "--source":
        let text = try value()
        do throws(SourceURL.Unusable) {
          options.sources.append(try SourceURL(text))
        } catch {
          throw UsageError(message: error.message)
        }
      case "--socket": options.socket = try value()
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
    return .run(options)
  }

  static let help = """
    Usage: locationd [--source URL]... [--socket PATH] [--log-level LEVEL]

    Reads where the machine is from its sources and tells the clients that may know.

      --source URL       where fixes come from; may be given several times:
                           nmea:///dev/ttyUSB0[?baud=N]          a receiver on a serial line
                           nmea+tcp://HOST:PORT                  a receiver on the network
                           nmea+unix:///PATH                     a receiver behind a Unix socket
                           replay:///FILE[?rate=R&loop=1]        a recording, R times real time
                           static:LAT,LON[,ALT[,ACCURACY]]       a fixed place
      --socket PATH      where clients connect (default /run/locationd/locationd.sock)
      --log-level LEVEL  error, warning, notice, info (default) or debug
      --version          print the version
      --help             print this

    Sources run only while a client needs a location. SIGTERM ends the daemon.

    """
}
