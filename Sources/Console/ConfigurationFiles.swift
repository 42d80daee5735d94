package import Platform

/// A configuration on the disk: a file, and the drop-ins in the folder beside it.
package struct ConfigurationFiles: Equatable {
  package let path: String
  /// Where packages have drop-ins; one of the same name beside the file goes before it.
  package let vendors: [String]
  /// A file that `--config` names must be there.
  private let mustExist: Bool

  package init(path: String, vendors: [String] = [], mustExist: Bool = false) {
    self.path = path
    self.vendors = vendors
    self.mustExist = mustExist
  }

  /// All that is wrong, not only the first of it; what is right is taken all the same.
  package func read<Configuration: Configurable>(
    _ type: Configuration.Type
  ) -> (configuration: Configuration, mistakes: [ConfigurationMistake]) {
    var configuration = Configuration()
    let name = path.split(separator: "/").last ?? ""
    var mistakes = Self.read(path, mustExist: mustExist) { configuration.apply($0, of: $1) }
    mistakes += Self.readDropIns(in: vendors.map { "\($0)/\(name).d" } + [path + ".d"]) {
      configuration.apply($0, of: $1)
    }
    mistakes += configuration.readMore(beside: self)
    return (configuration, mistakes)
  }

  /// The last folder's file replaces those of the same name.
  package static func readDropIns(
    in folders: [String], _ apply: (ConfigurationText, String) -> [ConfigurationMistake]
  ) -> [ConfigurationMistake] {
    let (paths, troubles) = File.dropIns(in: folders)
    return troubles.map { ConfigurationMistake(file: $0.attempt, what: $0.reason) }
      + paths.flatMap { read($0, mustExist: true, apply) }
  }

  private static func read(
    _ file: String, mustExist: Bool,
    _ apply: (ConfigurationText, String) -> [ConfigurationMistake]
  ) -> [ConfigurationMistake] {
    do throws(SystemError) {
      let bytes = try File.bytes(of: file, atMost: ConfigurationText.largestFile + 1)
      return apply(ConfigurationText(bytes), file)
    } catch {
      guard mustExist || !error.isNotFound else { return [] }
      return [ConfigurationMistake(file: file, what: error.reason)]
    }
  }
}

/// Reads a program's configuration: the files, and the options, which go before them.
package struct ConfigurationReader<Configuration: Configurable> {
  package let files: ConfigurationFiles
  /// `--check`
  let checksOnly: Bool
  private var options: [(inout Configuration) -> Void] = []

  /// `--config` names another file than the usual one.
  package init(_ usual: ConfigurationFiles, _ arguments: inout Arguments) throws(Failure) {
    let path = try arguments.value("--config")
    files = path.map { ConfigurationFiles(path: $0, mustExist: true) } ?? usual
    checksOnly = arguments.flag("--check")
  }

  package mutating func set(_ option: @escaping (inout Configuration) -> Void) {
    options.append(option)
  }

  package func read() -> (configuration: Configuration, mistakes: [ConfigurationMistake]) {
    var (configuration, mistakes) = files.read(Configuration.self)
    for option in options { option(&configuration) }
    return (configuration, mistakes)
  }

  /// Reads again while the program runs. A mistake changes nothing.
  package func reload(
    _ log: Log, use: (Configuration) throws(SystemError) -> Void
  ) {
    Process.notify("RELOADING=1\nMONOTONIC_USEC=\(Clock.monotonic)")
    defer { Process.notify("READY=1") }
    let (configuration, mistakes) = read()
    for mistake in mistakes { log.error("\(mistake)") }
    guard mistakes.isEmpty else {
      return log.error("the configuration stays as it was, until its mistakes are mended")
    }
    do throws(SystemError) {
      try use(configuration)
      log.info("the configuration was read again")
    } catch {
      log.error("the configuration stays as it was: \(error)")
    }
  }
}
