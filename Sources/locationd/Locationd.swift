import Console
import Glibc
import LocationModel
import Platform

@main
struct Locationd {
  static func main() {
    do throws(Failure) {
      switch try Options.parse(Array(CommandLine.arguments.dropFirst())) {
      case .run(let options): run(options)
      case .check(let options): check(options)
      case .print(let text): print(text, terminator: "")
      }
    } catch {
      Log(level: .error).error("locationd: \(error.message); try 'locationd --help'")
      exit(error.code.rawValue)
    }
  }

  /// Says what is wrong, and does nothing else.
  private static func check(_ options: Options) {
    let mistakes = options.read().mistakes
    for mistake in mistakes { print("\(mistake)".plain()) }
    exit(mistakes.isEmpty ? 0 : 1)
  }

  private static func run(_ options: Options) {
    Process.ignoreBrokenPipes()
    Process.raiseDescriptorLimit()
    Memory.holdLittle()
    let (configuration, mistakes) = options.read()
    let log = Log(level: configuration.logLevel)
    guard mistakes.isEmpty else {
      for mistake in mistakes { log.error("\(mistake)") }
      exit(1)
    }
    do throws(SystemError) {
      let daemon = try Daemon(options, configuration, log)
      try daemon.run()
    } catch {
      log.error("\(error)")
      exit(1)
    }
  }
}
