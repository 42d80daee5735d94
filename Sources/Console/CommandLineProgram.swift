internal import Glibc
internal import LocationModel
package import Platform

/// A program, from its command line to its end.
package protocol CommandLineProgram {
  static var name: String { get }
  static var help: String { get }
  /// Takes out the options that the program knows.
  init(_ arguments: inout Arguments) throws(Failure)
  func run() throws(SystemError)
}

extension CommandLineProgram {
  package static func main() {
    Process.ignoreBrokenPipes()
    do {
      var arguments = Arguments(CommandLine.arguments.dropFirst())
      if arguments.flag("--help") || arguments.flag("-h") { return print(help, terminator: "") }
      if arguments.flag("--version") { return print("\(name) \(version)") }
      let program = try Self(&arguments)
      try arguments.nothingElse()
      try program.run()
    } catch let error as Failure {
      complain("\(error.message); try '\(name) --help'")
      exit(error.code.rawValue)
    } catch {
      Log(level: .error).error("\(error)")
      exit(1)
    }
  }

  package static func complain(_ text: String) { Log(level: .error).error("\(name): \(text)") }
}

/// A program that is configured by files.
package protocol ConfiguredProgram: CommandLineProgram {
  associatedtype Settings: Configurable
  var reader: ConfigurationReader<Settings> { get }
  func run(_ configuration: Settings, _ log: Log) throws(SystemError)
}

extension ConfiguredProgram {
  /// Runs with the configuration if there is no mistake in it.
  package func run() throws(SystemError) {
    Process.raiseDescriptorLimit()
    Memory.holdLittle()
    let (configuration, found) = reader.read()
    let mistakes = found + (reader.checksOnly ? configuration.unusableFiles() : [])
    let log = Log(level: configuration.logLevel)
    for mistake in mistakes {
      if reader.checksOnly { print("\(mistake)".plain()) } else { log.error("\(mistake)") }
    }
    guard mistakes.isEmpty else { exit(1) }
    if !reader.checksOnly { try run(configuration, log) }
  }
}
