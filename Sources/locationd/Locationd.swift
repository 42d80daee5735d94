import Glibc
import LocationModel
import Platform

@main
struct Locationd {
  static func main() {
    let options: Options
    do throws(Options.UsageError) {
      switch try Options.parse(Array(CommandLine.arguments.dropFirst())) {
      case .run(let parsed): options = parsed
      case .print(let text):
        print(text, terminator: "")
        return
      }
    } catch {
      Log(level: .error).error("locationd: \(error.message); try 'locationd --help'")
      exit(2)
    }

    Process.ignoreBrokenPipes()
    Process.raiseDescriptorLimit()
    let log = Log(level: options.logLevel)
    do throws(SystemError) {
      let daemon = try Daemon(options, log)
      try daemon.run()
    } catch {
      log.error("\(error)")
      exit(1)
    }
  }
}
